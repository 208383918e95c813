import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SkillUse, type SkillUseOptions } from "./invocation.ts";
import type { ResolvedSkill, SkillEntry } from "./resolve.ts";
import { createSkills, type Skills } from "./skills.ts";
import { alonePorts, rule, SkillWorld } from "./world.testkit.ts";

const entry = (name: string, more: Partial<SkillEntry> = {}): SkillEntry => ({
  id: `skill:user-nacre/${name}`,
  name,
  description: "D.",
  source: "user-nacre",
  scope: "user",
  path: "",
  trusted: true,
  valid: true,
  approved: true,
  enabled: true,
  hiddenFromModel: false,
  userInvocable: true,
  diagnostics: [],
  rank: 390,
  ...more,
});
const on = (one: SkillEntry): ResolvedSkill => ({
  entry: one,
  state: "on",
  winner: undefined,
  rule: undefined,
  pinned: false,
});
const using = (resolved: readonly ResolvedSkill[], more: Partial<SkillUseOptions> = {}): SkillUse =>
  new SkillUse({
    resolve: () => resolved,
    load: async () => expect.unreachable("nothing is loaded"),
    content: async ({ content }) => content,
    trusted: () => true,
    ports: alonePorts(() => []),
    ...more,
  });

describe("suggestions", () => {
  test("a keystroke looks at no skill again, with 5,000 of them", () => {
    let looked = 0;
    const resolved = Array.from({ length: 5_000 }, (_, index) => {
      const one = entry(`s${index}`, index === 77 ? { needs: { keywords: ["deploy"] } } : {});
      return {
        ...on(one),
        get entry() {
          looked++;
          return one;
        },
      };
    });
    const use = using(resolved);
    expect(use.suggest("deploy it", null).map(({ name }) => name)).toEqual(["s77"]);
    expect(looked).toBeGreaterThanOrEqual(5_000);
    const built = looked;
    for (const text of ["d", "de", "deploy", "deploy i", "deploy it"]) use.suggest(text, null);
    expect(looked).toBe(built);
  });
  test("only what is on and may be used by name", () => {
    const needs = { keywords: ["deploy"] };
    const use = using([
      on(entry("yes", { needs })),
      on(entry("inner", { needs, userInvocable: false })),
      { ...on(entry("off", { needs })), state: "off" },
      { ...on(entry("denied", { needs })), state: "denied" },
      { ...on(entry("shadowed", { needs })), state: "shadowed" },
    ]);
    expect(use.suggest("deploy", null).map(({ name }) => name)).toEqual(["yes"]);
  });
  test("trust that is given or taken counts at once", () => {
    let trusted = false;
    const resolved = [on(entry("there", { needs: { keywords: ["deploy"] }, trusted: "workspace" }))];
    const use = using(resolved, { trusted: () => trusted });
    expect(use.suggest("deploy", null)).toEqual([]);
    trusted = true;
    expect(use.suggest("deploy", null)).toHaveLength(1);
  });
});

describe("a name", () => {
  let world: SkillWorld;
  let skills: Skills;
  const asking = { sessionId: null, signal: new AbortController().signal };
  beforeEach(() => {
    world = new SkillWorld();
  });
  afterEach(() => {
    skills.stop();
    world.remove();
  });
  const load = async (): Promise<void> => {
    skills = createSkills(world.options());
    await skills.reload();
  };
  test("of several plugins' skills is ambiguous, the qualified one is exact", async () => {
    for (const plugin of ["signal", "telegram"])
      world.write(
        `plugins/${plugin}/configure/SKILL.md`,
        `---\nname: configure\ndescription: D.\n---\nSets up ${plugin}.\n`,
      );
    await load();
    for (const plugin of ["signal", "telegram"])
      skills.addRoot({
        plugin,
        path: world.at("project", "plugins", plugin),
        trusted: true,
      });
    await skills.reload();
    expect((await skills.use.use("signal:configure", "", asking)).prompt).toContain("Sets up signal.");
    await expect(skills.use.use("configure", "", asking)).rejects.toThrow(
      "configure is the name of several skills; name one of them: signal:configure, telegram:configure",
    );
  });
  test("that a rule denies is no command to choose, and is told with the rule when it is typed", async () => {
    world.skill(".agents/skills/lark-doc", { name: "lark-doc", description: "D." });
    world.rules = [rule("lark-*", "deny")];
    await load();
    expect(skills.use.names()).toEqual([]);
    expect(skills.commandFallback.get("lark-doc")).toBeDefined();
    await expect(skills.use.use("lark-doc", "", asking)).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining('"lark-*": "deny"'),
    });
  });
  test("that is refused is told with its file and what would help", async () => {
    const at = world.skill(".agents/skills/demo", { name: "demo", description: "D." });
    await load();
    const told = async (): Promise<string> =>
      skills.use.use("demo", "", asking).then(
        () => "",
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
    await skills.setEnabled("demo", false);
    expect(await told()).toBe(`the skill demo (${at}) is switched off; switch it on: /skills enable demo`);
    await skills.setEnabled("demo", true);
    world.rules = [rule("de*", "deny")];
    await skills.reload();
    expect(await told()).toBe(
      `the skill demo (${at}) is denied by the permission rule "de*": "deny" in settings.json; change the rule there`,
    );
  });
  test("tells how its arguments are written", async () => {
    world.write(
      ".agents/skills/greet/SKILL.md",
      "---\nname: greet\ndescription: D.\narguments: [who]\n---\nHello $who",
    );
    await load();
    expect(await skills.commandFallback.get("greet")?.usage?.()).toBe("[who=TEXT] [text]");
  });
  test("of another conversation's own skill means nothing, for a conversation that is yet to come too", async () => {
    await load();
    await skills.sessions.create("a", "draft");
    const invocation = async (sessionId: string | null) => skills.use.invocation("draft", sessionId);
    expect(await invocation("a")).toMatchObject({ name: "draft" });
    await expect(invocation("b")).rejects.toMatchObject({ code: "not_found" });
    await expect(invocation(null)).rejects.toMatchObject({ code: "not_found" });
    await expect(skills.use.use("draft", "", asking)).rejects.toMatchObject({ code: "not_found" });
    expect(await skills.use.mentions("@draft", asking, () => false)).toEqual({
      texts: [],
      notes: [],
      unused: [],
    });
  });
  test("of a file that went away is told as such", async () => {
    world.skill(".agents/skills/gone", { name: "gone", description: "D." });
    await load();
    fs.rmSync(world.at("project", ".agents"), { recursive: true });
    await expect(skills.use.use("gone", "", asking)).rejects.toMatchObject({ code: "not_found" });
  });
});
