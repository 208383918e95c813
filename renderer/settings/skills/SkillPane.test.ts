import { flushPromises } from "@vue/test-utils";
import { describe, expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { skillReasons, type SkillRepair, type SkillVerdict } from "../../../shared/skills.ts";
import type { RuleRow } from "../../../shared/workspace.ts";
import { approval, workspaceView } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import { skillInspection, skillRow } from "../fixtures.testing.ts";
import { callsOf, open, press, pressOnPage } from "./pane.testing.ts";
import SkillPane from "./SkillPane.vue";

const verdict = (row: SkillRow, part: Partial<SkillVerdict> = {}): SkillVerdict => ({
  row,
  offered: true,
  invocable: true,
  reasons: [{ code: "on" }],
  ...part,
});
const line = "description: before: after";
const broken = skillRow({
  state: "invalid",
  diagnostics: [
    { code: "frontmatter-yaml", severity: "error", message: "a colon", line: 3, fix: "quote the value" },
  ],
});
const text = `---\nname: pdf\n${line}\n---\nBody\n`;

test("every reason is worded, with what it is about and where the rule stands", async () => {
  const row = skillRow();
  const reasons = skillReasons.map((code) => ({ code, detail: `about ${code}`, source: "settings" }));
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.explain": ({ name }) => ({
      name,
      verdicts: [verdict(row, { reasons, offered: false, invocable: false })],
      reasons: [],
      diagnostics: [],
    }),
  });
  const { wrapper } = await open(row, rpc);
  const lines = wrapper.findAll(".reasons > li").map((one) => one.text());
  expect(lines).toHaveLength(skillReasons.length);
  for (const code of skillReasons)
    expect(lines.filter((words) => words.includes(`about ${code}`))).toHaveLength(1);
  for (const words of lines) {
    expect(words).toContain("in settings.json");
    expect(words).not.toMatch(/settings\.skills/);
  }
  expect(wrapper.text()).toContain("The model is not offered it. It cannot be loaded by name.");
});

test("one that is on in a folder nobody trusts is on, and untrusted beside it", async () => {
  const { wrapper } = await open(skillRow({ trusted: false }));
  expect(
    wrapper
      .get("aside .row")
      .findAll(".badge")
      .map((one) => one.text()),
  ).toEqual(["on", "untrusted"]);
});

test("a long description is cut until all of it is asked for", async () => {
  const { wrapper } = await open(skillRow({ description: `${"a ".repeat(500)}end` }));
  const about = wrapper.get("aside p.dim");
  expect(about.text()).not.toContain("end");
  await about.get("button").trigger("click");
  expect(about.text()).toMatch(/ end$/);
  expect(about.find("button").exists()).toBe(false);
});

test("a file of the name in a place that is switched off stands with the others", async () => {
  const row = skillRow();
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.explain": ({ name }) => ({
      name,
      verdicts: [verdict(row)],
      reasons: [{ code: "root_off", detail: "/home/me/.claude/skills/pdf/SKILL.md", source: "user-claude" }],
      diagnostics: [],
    }),
  });
  const { wrapper } = await open(row, rpc);
  const sections = wrapper.findAll("section").map((one) => one.text());
  const others = sections.find((words) => words.startsWith("Who else has this name"));
  expect(others).toMatch(/lies in a place that is switched off: ?\/home\/me\/.claude\/skills\/pdf\/SKILL.md/);
  expect(others).toContain("in user-claude");
  expect(others).not.toContain("Nobody");
  expect(sections.find((words) => words.startsWith("Why"))).not.toContain("switched off");
});

test("who else has the name is listed with state and place, and one jumps there", async () => {
  const row = skillRow({ state: "shadowed", shadowedBy: "/x/SKILL.md" });
  const other = skillRow({ id: "skill:user-claude/pdf", path: "/x/SKILL.md", source: "user-claude" });
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.explain": ({ name }) => ({
      name,
      verdicts: [verdict(other), verdict(row, { reasons: [{ code: "shadowed", detail: "/x/SKILL.md" }] })],
      reasons: [],
      diagnostics: [],
    }),
  });
  const { wrapper } = await open(row, rpc);
  expect(wrapper.get(".others").text()).toBe("user-claude on/x/SKILL.md");
  await wrapper.get(".others button").trigger("click");
  expect(wrapper.emitted("jump")).toEqual([[other]]);
  await press(wrapper, "Make this one win");
  expect(callsOf(rpc, "skills.pin")).toEqual([{ id: row.id, pinned: true }]);
});

test("a pinned one can be left to the order again; what the host refuses stands there", async () => {
  const row = skillRow({ pinned: true });
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.explain": ({ name }) => ({ name, verdicts: [], reasons: [], diagnostics: [] }),
    "skills.pin"() {
      throw new NacreError("io", "settings.json cannot be written");
    },
  });
  const { wrapper } = await open(row, rpc);
  await press(wrapper, "Let the order decide again");
  expect(callsOf(rpc, "skills.pin")).toEqual([{ id: row.id, pinned: false }]);
  expect(wrapper.get("[role=alert]").text()).toBe("settings.json cannot be written");
});

describe("a fault", () => {
  test("stands with its line as the file has it, and leads into the editor at that line", async () => {
    const { wrapper } = await open(
      broken,
      memoryRpc({ "skills.show": () => skillInspection({ row: broken, text }) }),
    );
    expect(wrapper.get(".diag .code .del").text()).toBe(`3The faulty line:${line}`);
    expect(wrapper.get(".diag").text()).toContain("To mend it: quote the value");
    await press(wrapper, "Open at line 3");
    expect(wrapper.emitted("edit")).toEqual([[3]]);
  });

  test("is repaired after its changes were shown; a file that changed meanwhile is shown anew", async () => {
    let repair: SkillRepair = {
      path: broken.path,
      before: text,
      after: text.replace(line, `description: "before: after"`),
      changes: ["the value of description is put in quotes"],
      digest: "first",
    };
    const rpc = memoryRpc({
      "skills.show": () => skillInspection({ row: broken, text, repairable: true }),
      "skills.repair": () => repair,
      "skills.applyRepair"({ digest }) {
        if (digest !== repair.digest) throw new NacreError("invalid_input", "the file is another one now");
        return broken;
      },
    });
    const { wrapper } = await open(broken, rpc);
    await press(wrapper, "Repair");
    const dialog = () => document.querySelector("[role=dialog]")?.textContent ?? "";
    await expect.poll(dialog).toContain('description: "before: after"');
    expect(dialog()).toContain("put in quotes");
    expect(callsOf(rpc, "skills.applyRepair")).toEqual([]);
    repair = { ...repair, before: `${text}more`, after: `${repair.after}more`, digest: "second" };
    await pressOnPage("Apply");
    await expect.poll(dialog).toContain("The file has changed meanwhile");
    await pressOnPage("Apply");
    expect(callsOf(rpc, "skills.applyRepair")).toEqual([
      { id: broken.id, digest: "first" },
      { id: broken.id, digest: "second" },
    ]);
    expect(document.querySelector("[role=dialog]")).toBeNull();
  });

  test("that cannot be repaired beyond doubt offers no repair", async () => {
    const { wrapper } = await open(
      broken,
      memoryRpc({ "skills.show": () => skillInspection({ row: broken, text }) }),
    );
    expect(wrapper.findAll("button").map((one) => one.text())).not.toContain("Repair");
  });
});

test("what it says of itself: missing tools and models are named, a request is called one", async () => {
  const row = skillRow({ size: 3_400, changedAt: Date.now() - 120_000 });
  const rpc = memoryRpc({
    "skills.show": () =>
      skillInspection({
        row,
        tools: [
          { name: "read_file", found: true },
          { name: "jira_issue", found: false },
        ],
        allowedTools: ["run_shell"],
        model: { name: "careful-1", found: false },
        license: "MIT",
        keywords: ["bug"],
        metadata: { author: "Harbor team", nested: { a: 1 } },
        schema: { type: "object", properties: { topic: {} } },
        realPath: "/elsewhere/pdf/SKILL.md",
      }),
  });
  const { wrapper } = await open(row, rpc);
  const words = wrapper.text();
  for (const part of [
    "jira_issue: not here",
    "careful-1not here",
    "A request: it allows nothing by itself.",
    "MIT",
    "Harbor team",
    '{"a":1}',
    "topic",
    "3.4 KB",
    "2 minutes ago",
    "rank 200",
    "leads to /elsewhere/pdf/SKILL.md",
  ])
    expect(words).toContain(part);
  expect(words).not.toContain("read_file: not here");
});

describe("permission", () => {
  const rule = (part: Partial<RuleRow> = {}): RuleRow => ({
    tool: "skill",
    pattern: "pdf",
    answer: "deny",
    source: "settings",
    trusted: true,
    ...part,
  });
  const checked = (): string =>
    document.querySelector("[role=radio][aria-checked=true]")?.textContent?.trim() ?? "";

  test("shows what holds, sets and takes away this name's rule", async () => {
    const row = skillRow({ state: "denied", rule: { pattern: "pdf", answer: "deny", source: "settings" } });
    const rpc = memoryRpc({ "skills.show": () => skillInspection({ row }) });
    const { wrapper } = await open(row, rpc, [rule()]);
    expect(checked()).toBe("Deny");
    await press(wrapper, "Ask");
    await press(wrapper, "No rule");
    await press(wrapper, "Deny");
    expect(callsOf(rpc, "skills.rule")).toEqual([
      { name: "pdf", answer: "ask" },
      { name: "pdf", answer: null },
    ]);
    // The host has told nothing new.
    expect(checked()).toBe("Deny");
  });

  test("names the rule that decides where it is another one", async () => {
    const row = skillRow({
      state: "denied",
      rule: { pattern: "p*", answer: "deny", source: "dropstone:/ws/dropstone.json" },
    });
    const rpc = memoryRpc({ "skills.show": () => skillInspection({ row }) });
    const rules = [
      rule({ answer: "allow" }),
      rule({ pattern: "p*", source: "dropstone:/ws/dropstone.json" }),
    ];
    const { wrapper } = await open(row, rpc, rules);
    expect(checked()).toBe("Allow");
    expect(wrapper.text()).toContain("Another rule decides: skill:p*, deny, in File /ws/dropstone.json.");
  });

  test("says so where a later rule lifts this name's own", async () => {
    const row = skillRow();
    const rpc = memoryRpc({ "skills.show": () => skillInspection({ row }) });
    const { wrapper } = await open(row, rpc, [rule(), rule({ pattern: "p*", answer: "allow" })]);
    expect(checked()).toBe("Deny");
    expect(wrapper.text()).toContain("A later rule allows it");
  });

  test("what would allow more waits for its approval, and is what it was until then", async () => {
    const row = skillRow({ state: "denied", rule: { pattern: "pdf", answer: "deny", source: "settings" } });
    let refuse: (error: Error) => void = () => undefined;
    const rpc = memoryRpc({ "skills.show": () => skillInspection({ row }) });
    const call = rpc.call.bind(rpc);
    rpc.call = async (method, input) => {
      if (method === "skills.rule") await new Promise((_resolve, reject) => (refuse = reject));
      return call(method, input);
    };
    const view = workspaceView({ skills: [row] });
    const { wrapper } = mountApp(SkillPane, {
      rpc,
      props: { row, problem: "" },
      view: {
        ...view,
        settings: { ...view.settings, rules: [rule()] },
        approvals: [approval({ sessionId: null, because: [{ code: "widen_policy" }] })],
      },
    });
    await flushPromises();
    await press(wrapper, "Allow");
    expect(wrapper.get(".waiting").text()).toContain("waits for your answer");
    expect(checked()).toBe("Deny");
    refuse(new NacreError("denied", "you did not allow it"));
    await flushPromises();
    expect(wrapper.find(".waiting").exists()).toBe(false);
    expect(wrapper.get("[role=alert]").text()).toBe("you did not allow it");
  });
});
