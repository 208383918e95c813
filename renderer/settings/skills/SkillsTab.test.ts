import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import { skillInspection, skillRow } from "../fixtures.testing.ts";
import { press } from "./pane.testing.ts";
import SkillsTab from "./SkillsTab.vue";

const switchNamed = (name: string): HTMLButtonElement => {
  const found = document.querySelector<HTMLButtonElement>(`[role=switch][aria-label="${name}"]`);
  if (!found) throw new Error(`no switch ${name}`);
  return found;
};
const skills = [
  skillRow({ name: "pdf" }),
  skillRow({ name: "notes", scope: "user", source: "user-nacre", state: "off" }),
  skillRow({
    name: "broken",
    state: "invalid",
    diagnostics: [
      {
        code: "frontmatter-yaml",
        severity: "error",
        message: "an open quote",
        path: "/x/SKILL.md",
        line: 3,
        fix: "close it",
      },
    ],
  }),
  skillRow({
    id: "skill:x/pdf",
    path: "/x/pdf",
    name: "pdf",
    source: "x",
    state: "shadowed",
    shadowedBy: "project-agents",
  }),
];

test("each skill is a switch named by it; a press switches it by its id", async () => {
  const rpc = memoryRpc({ "skills.show": ({ id }) => skillInspection({ row: skillRow({ id }) }) });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  await flushPromises();
  expect(wrapper.findAll("[role=switch]").map((one) => one.attributes("aria-label"))).toEqual([
    "pdf",
    "broken",
    "pdf",
    "notes",
  ]);
  expect(switchNamed("pdf").getAttribute("aria-checked")).toBe("true");
  expect(switchNamed("broken").disabled).toBe(true);
  switchNamed("notes").click();
  switchNamed("pdf").click();
  await flushPromises();
  expect(rpc.calls.filter(({ method }) => method === "switch.set").map(({ input }) => input)).toEqual([
    { id: "skill:user-nacre/notes", enabled: true },
    { id: "skill:project-agents/pdf", enabled: false },
  ]);
});

test("the pane shows what a skill tells the model, and what is wrong with one that does not load", async () => {
  const rpc = memoryRpc({ "skills.show": ({ id }) => skillInspection({ row: skillRow({ id }) }) });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  await flushPromises();
  expect(wrapper.get("aside").text()).toContain("Read the file first.");
  await wrapper
    .findAll("li button.name")
    .find((one) => one.text() === "broken")
    ?.trigger("click");
  await flushPromises();
  const pane = wrapper.get("aside").text();
  expect(pane).toContain("an open quote");
  expect(pane).toContain("line 3");
  expect(pane).toContain("close it");
  expect(rpc.calls.filter(({ method }) => method === "skills.show")).toHaveLength(2);
});

test("a skill of an untrusted folder keeps the mark of what is on, and On lists it", async () => {
  const plain = skillRow({ name: "plain", scope: "bundled", source: "bundled" });
  const { wrapper } = mountApp(SkillsTab, {
    view: { skills: [skillRow({ name: "local", trusted: false }), plain] },
  });
  const chip = (word: string) => wrapper.findAll("button.chip").find((one) => one.text().startsWith(word));
  expect(chip("On")?.text()).toBe("On 2");
  expect(chip("Untrusted")?.text()).toBe("Untrusted 1");
  await chip("On")?.trigger("click");
  const [local, other] = wrapper.findAll("li.pickable");
  expect(local?.get(".st").html()).toBe(other?.get(".st").html());
  expect(local?.text()).toContain("untrusted");
  expect(other?.text()).not.toContain("untrusted");
  await chip("Untrusted")?.trigger("click");
  expect(wrapper.findAll("li.pickable button.name").map((one) => one.text())).toEqual(["local"]);
});

test("search and state narrow the list", async () => {
  const { wrapper } = mountApp(SkillsTab, { view: { skills } });
  await wrapper.get("input[type=search]").setValue("note");
  expect(wrapper.findAll("[role=switch]")).toHaveLength(1);
  await wrapper.get("input[type=search]").setValue("");
  await wrapper
    .findAll("button.chip")
    .find((one) => one.text().startsWith("Shadowed"))
    ?.trigger("click");
  expect(wrapper.get("ul.list").text()).toContain("shadowed by project-agents");
});

test("a skill that cannot be read any more says so in its pane", async () => {
  const rpc = memoryRpc({
    "skills.show"() {
      throw new NacreError("not_found", "the skill pdf is no longer available");
    },
  });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  await flushPromises();
  expect(wrapper.get("aside [role=alert]").text()).toContain("no longer available");
});

test("5,000 skills draw a hundred rows a group; the others come when asked for, and a search reaches all", async () => {
  const many = Array.from({ length: 5000 }, (_none, at) => skillRow({ name: `skill-${at}` }));
  const { wrapper } = mountApp(SkillsTab, { view: { skills: many } });
  await flushPromises();
  expect(wrapper.findAll("li.pickable")).toHaveLength(100);
  await press(wrapper, "Show 100 more");
  expect(wrapper.findAll("li.pickable")).toHaveLength(200);
  await wrapper.get("input[type=search]").setValue("skill-4999");
  expect(wrapper.findAll("li.pickable")).toHaveLength(1);
});

test("the list is one stop of the Tab key; arrows, Home and End move in it and show what they reach", async () => {
  const { wrapper } = mountApp(SkillsTab, { view: { skills } });
  await flushPromises();
  const stops = () =>
    wrapper
      .findAll("li.pickable button")
      .filter((one) => one.attributes("tabindex") !== "-1")
      .map((one) => `${one.attributes("role") ?? "row"} ${one.attributes("aria-label") ?? one.text()}`);
  expect(stops()).toEqual(["row pdf", "switch pdf"]);
  const rows = wrapper.findAll<HTMLButtonElement>("li.pickable button.name");
  rows[0]?.element.focus();
  await rows[0]?.trigger("keydown", { key: "ArrowDown" });
  await flushPromises();
  expect(document.activeElement?.textContent?.trim()).toBe("broken");
  expect(stops()).toEqual(["row broken", "switch broken"]);
  await wrapper.get("button[aria-current]").trigger("keydown", { key: "End" });
  await flushPromises();
  expect(wrapper.get("aside").attributes("aria-label")).toBe("notes");
});

test("what the model's catalog had no room for is told apart from problems in files", async () => {
  const diagnostics = [
    { code: "skills-catalog-cut", severity: "info", message: "12 descriptions were shortened" },
    {
      code: "skill-file-name",
      severity: "warning",
      message: "skill.md is to be SKILL.md",
      path: "/x/skill.md",
    },
    { code: "mcp-unknown-type", severity: "error", message: "elsewhere" },
  ] as const;
  const { wrapper } = mountApp(SkillsTab, { view: { skills, diagnostics } });
  const notes = wrapper.get<HTMLDetailsElement>("details.notes");
  expect(notes.text()).toBe("2 notes");
  notes.element.open = true;
  await notes.trigger("toggle");
  expect(wrapper.get(".cut").text()).toContain("12 descriptions were shortened");
  const loose = wrapper.get(".notes .diags").text();
  expect(loose).toContain("skill.md is to be SKILL.md");
  expect(loose).not.toContain("shortened");
  expect(wrapper.text()).not.toContain("elsewhere");
});

test("a switch that could not be set says why in its row", async () => {
  const rpc = memoryRpc({
    "switch.set"() {
      throw new NacreError("io", "settings.json cannot be written");
    },
  });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  switchNamed("notes").click();
  await flushPromises();
  const row = wrapper.findAll("li.pickable").find((one) => one.text().includes("notes"));
  expect(row?.get("[role=alert]").text()).toBe("settings.json cannot be written");
});

test("jumping to a row that the list does not show makes it show", async () => {
  const other = skillRow({ id: "skill:x/pdf", path: "/x/pdf", name: "pdf", source: "x", state: "shadowed" });
  const rpc = memoryRpc({
    "skills.show": ({ id }) => skillInspection({ row: skillRow({ id }) }),
    "skills.explain": ({ name }) => ({
      name,
      verdicts: [{ row: other, offered: false, invocable: false, reasons: [] }],
      reasons: [],
      diagnostics: [],
    }),
  });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  await flushPromises();
  await wrapper
    .findAll("button.chip")
    .find((one) => one.text().startsWith("On"))
    ?.trigger("click");
  await flushPromises();
  await wrapper.get(".others button").trigger("click");
  await flushPromises();
  expect(wrapper.get("aside").text()).toContain("shadowed");
  expect(wrapper.get("button.chip").attributes("aria-pressed")).toBe("true");
  expect(wrapper.get<HTMLInputElement>("input[type=search]").element.value).toBe("pdf");
});

test("where skills are looked for: rank, folders and a switch of each source", async () => {
  const folder = (path: string, exists: boolean, count: number) => ({ path, exists, count });
  const rpc = memoryRpc({
    "skills.roots": () => [
      {
        id: "skills:project-claude",
        source: "project-claude",
        scope: "workspace",
        rank: 210,
        enabled: true,
        folders: [folder("/ws/a/.claude/skills", true, 2), folder("/ws/.claude/skills", false, 0)],
      },
    ],
  });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  const details = wrapper.get<HTMLDetailsElement>("details.roots");
  details.element.open = true;
  await details.trigger("toggle");
  await flushPromises();
  expect(details.text()).toContain("210");
  expect(details.findAll(".folder").map((one) => one.text())).toEqual([
    "/ws/a/.claude/skills2 skills",
    "/ws/.claude/skillsno such folder",
  ]);
  switchNamed("project-claude").click();
  await flushPromises();
  expect(rpc.calls.filter(({ method }) => method === "switch.set").map(({ input }) => input)).toEqual([
    { id: "skills:project-claude", enabled: false },
  ]);
});
