import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { editJsonc } from "../config/jsonc.ts";
import { parseJsonc } from "../config/jsonc-read.ts";
import { ManagedWorld } from "./world.testkit.ts";
import { ruleEdits } from "./skill-rule.ts";

/** The text of settings after a rule is written into them. */
async function ruled(text: string, name: string, answer: "allow" | "ask" | "deny" | null): Promise<string> {
  const read = await parseJsonc(text);
  const current = read.ok ? (read.value as Record<string, unknown>) : {};
  return editJsonc(text, ruleEdits(current, "/ws", name, answer), "settings.json");
}
describe("the edit of settings.json", () => {
  test("goes to the end of the map, and comments, order and unknown keys stay", async () => {
    const before = `{
  // mine
  "permission": {
    "skill": {
      "pdf": "deny", // for now
      "*": "ask"
    }
  },
  "other": 1
}
`;
    expect(await ruled(before, "pdf", "allow")).toBe(`{
  // mine
  "permission": {
    "skill": {
      "*": "ask",
      "pdf": "allow"
    }
  },
  "other": 1
}
`);
  });
  test.each([
    ["{}", "deny", { permission: { skill: { pdf: "deny" } } }],
    ['{"permission": "ask"}', "allow", { permission: { "*": "ask", skill: { pdf: "allow" } } }],
    ['{"permission": {"skill": "deny"}}', "ask", { permission: { skill: { "*": "deny", pdf: "ask" } } }],
    [
      '{"permission": {"run_shell": "ask"}}',
      "ask",
      { permission: { run_shell: "ask", skill: { pdf: "ask" } } },
    ],
    [
      '{"permission": {"skill": {"pdf": "deny"}}, "remembered": {"/ws": ["skill:pdf", "x"]}}',
      null,
      { permission: { skill: {} }, remembered: { "/ws": ["x"] } },
    ],
  ] as const)("%s with %s", async (before, answer, after) => {
    expect(JSON.parse(await ruled(before, "pdf", answer))).toEqual(after);
  });
  test("a name that objects have by themselves is a name like any other", async () => {
    expect(JSON.parse(await ruled('{"permission": {"skill": {}}}', "constructor", "deny"))).toEqual({
      permission: { skill: { constructor: "deny" } },
    });
    await expect(ruled('{"permission": {"skill": {}}}', "constructor", null)).rejects.toMatchObject({
      code: "not_found",
    });
  });
  test("a rule that would change nothing is refused: another one stands behind it and decides", async () => {
    await expect(ruled('{"permission": {"skill": {}, "*": "deny"}}', "pdf", "allow")).rejects.toThrow(
      'in settings.json "*": "deny" stands behind the rules for skills',
    );
  });
});

describe("a rule of one skill", () => {
  let managed: ManagedWorld;
  const settings = (value: unknown): string =>
    managed.world.write("config/settings.json", JSON.stringify(value));
  const rule = (name: string, answer: "allow" | "ask" | "deny" | null) =>
    managed.call("skills.rule", { name, answer });
  const stateOf = (name: string) => managed.host.skills.rows().find((row) => row.name === name)?.state;
  beforeEach(() => {
    managed = new ManagedWorld();
    managed.skill("pdf", { root: "config/skills" });
  });
  afterEach(() => managed.close());

  test("denies at once and is told by the row", async () => {
    await managed.open();
    await rule("pdf", "deny");
    expect(managed.host.skills.rows()).toMatchObject([
      { state: "denied", rule: { pattern: "pdf", answer: "deny", source: "settings" } },
    ]);
    expect(managed.world.readSettings()).toEqual({ permission: { skill: { pdf: "deny" } } });
  });
  test("is told to the window, whose list shows the skill as denied", async () => {
    await managed.open();
    const told: unknown[] = [];
    const { stop } = await managed.host.topics.subscribe("workspace", undefined, (_position, event) =>
      told.push(event),
    );
    await managed.call("skills.rule", { name: "pdf", answer: "deny" });
    await vi.waitFor(() => expect(JSON.stringify(told)).toContain('"state":"denied"'));
    await stop();
  });
  test("that allows more is asked about first in a window, and a no changes nothing", async () => {
    const before = { permission: { skill: { "p*": "deny" } } };
    settings(before);
    await managed.open();
    const refused = expect(rule("pdf", "allow")).rejects.toMatchObject({ code: "denied" });
    const view = await managed.answer({ choice: "deny" });
    await refused;
    expect(view).toMatchObject({ because: [{ code: "widen_policy", detail: "allow" }], careful: true });
    expect(JSON.stringify(view.facts)).toContain("permission skill:pdf: deny → allow");
    expect(managed.world.readSettings()).toEqual(before);
    const agreed = rule("pdf", "allow");
    await managed.answer({ choice: "once" });
    await agreed;
    expect(stateOf("pdf")).toBe("on");
  });
  test("that denies is taken away only after a question; one that allows is not asked about", async () => {
    settings({ permission: { skill: { pdf: "ask", other: "allow" } } });
    await managed.open();
    const gone = rule("pdf", null);
    expect((await managed.answer({ choice: "once" })).because).toMatchObject([{ detail: "no rule" }]);
    await gone;
    await rule("other", null);
    expect(managed.world.readSettings()).toEqual({ permission: { skill: {} } });
  });
  test.each(["deny", "ask"])(
    "of a bare name is one for a plugin's skill too: where that one says %s, it is asked about",
    async (own) => {
      managed.world.write("config/plugins/docs/plugin.json", '{"name": "docs", "skills": "skills"}');
      managed.skill("forms", { root: "config/plugins/docs/skills" });
      const before = { permission: { skill: { "docs:*": own, "gone:pdf": own } } };
      settings(before);
      await managed.open();
      // The second one's plugin is not there now.
      for (const [name, qualified] of [
        ["forms", "docs:forms"],
        ["pdf", "gone:pdf"],
      ] as const) {
        const refused = expect(rule(name, "allow")).rejects.toMatchObject({ code: "denied" });
        const view = await managed.answer({ choice: "deny" });
        await refused;
        expect(JSON.stringify(view.facts)).toContain(
          `permission skill:${name} (${qualified}): ${own} → allow`,
        );
      }
      expect(managed.world.readSettings()).toEqual(before);
      await rule("forms", "deny");
      expect(stateOf("docs:forms")).toBe("denied");
    },
  );
  test("typed at a command line is not asked about", async () => {
    settings({ permission: { skill: { pdf: "deny" } } });
    await managed.open({ shell: "cli" });
    await rule("pdf", "allow");
    expect(stateOf("pdf")).toBe("on");
  });
  test("is made for one skill: no pattern, no path, no key of other settings", async () => {
    await managed.open();
    for (const name of ["*", "p*", "../x", "", "__proto__", "a.b", "x".repeat(100_000)])
      await expect(rule(name, "deny")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(rule("pdf", null)).rejects.toMatchObject({ code: "not_found" });
  });
});
