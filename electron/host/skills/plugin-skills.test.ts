import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Dispose } from "../kit/disposable.ts";
import { createSkills, type Skills } from "./skills.ts";
import { instructionsOf, rule, SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
let skills: Skills;
beforeEach(() => {
  world = new SkillWorld();
  skills = createSkills(world.options());
});
afterEach(() => {
  skills.stop();
  world.remove();
});
/** Two plugins with a skill of one name, each saying whose it is. */
async function bring(plugin: string, more: { trusted?: boolean; enabled?: boolean } = {}): Promise<Dispose> {
  world.skill(`p/${plugin}/configure`, { name: "configure", description: plugin }, `The way of ${plugin}.`);
  const root = { plugin, path: path.join(world.workspace, "p", plugin), trusted: true, ...more };
  const remove = skills.addRoot(root);
  await skills.reload();
  return remove;
}
const asked = (name: string): Promise<string> => instructionsOf(skills, name);

describe("a qualified name", () => {
  test("is exact: signal:configure never runs telegram's, whichever came first", async () => {
    await bring("telegram");
    await bring("signal");
    expect(await asked("signal:configure")).toBe("The way of signal.");
    expect(await asked("telegram:configure")).toBe("The way of telegram.");
    const get = async (name: string): Promise<unknown> =>
      (await skills.registry.get(name, { cwd: world.workspace }))?.content.trim();
    expect(await get("signal:configure")).toBe("The way of signal.");
  });
  test("of a plugin that is gone finds no other plugin's", async () => {
    await bring("telegram");
    await (
      await bring("signal")
    )();
    await skills.settled();
    await expect(asked("signal:configure")).rejects.toThrow("unknown skill: signal:configure");
    expect(await asked("configure")).toBe("The way of telegram.");
  });
});
describe("a bare name", () => {
  test("works while one plugin has it, and tells both where two do", async () => {
    await bring("telegram");
    expect(await asked("configure")).toBe("The way of telegram.");
    await bring("signal");
    await expect(asked("configure")).rejects.toThrow(
      "configure is the name of several skills; name one of them: signal:configure, telegram:configure",
    );
  });
  test("belongs to whoever is called so exactly, and falls back when that one is off", async () => {
    await bring("telegram");
    world.skill(".agents/skills/configure", { name: "configure", description: "mine" }, "My way.");
    await skills.reload();
    expect(await asked("configure")).toBe("My way.");
    expect(await asked("telegram:configure")).toBe("The way of telegram.");
    await skills.setEnabled("configure", false, "project-agents");
    expect(await asked("configure")).toBe("The way of telegram.");
  });
  test("goes to nobody else while a rule denies whoever has it", async () => {
    await bring("telegram");
    world.skill(".agents/skills/configure", { name: "configure", description: "mine" });
    await skills.reload();
    world.rules = [rule("configure", "deny")];
    await expect(asked("configure")).rejects.toThrow('"configure": "deny"');
    // A plugin's skill is matched by both its names.
    await expect(asked("telegram:configure")).rejects.toThrow('"configure": "deny"');
  });
});
test("skills of a plugin that waits or is off are listed so and load for nobody", async () => {
  await bring("waiting", { trusted: false });
  await bring("off", { enabled: false });
  expect(skills.rows().map(({ id, state, trusted }) => [id, state, trusted])).toEqual([
    ["skill:off/configure", "off", true],
    ["skill:waiting/configure", "untrusted", false],
  ]);
  expect(skills.catalog().text).toBe("");
  await expect(asked("waiting:configure")).rejects.toThrow("belongs to a plugin that waits for trust");
  await expect(asked("off:configure")).rejects.toThrow("switched off");
  expect(await skills.registry.get("waiting:configure", { cwd: world.workspace })).toBeUndefined();
  await expect(asked("configure")).rejects.toThrow(/waits for trust|switched off/);
});
