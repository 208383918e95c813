import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ManagedWorld } from "./world.testkit.ts";

let managed: ManagedWorld;
beforeEach(() => (managed = new ManagedWorld()));
afterEach(() => managed.close());
const remove = (name: string, source?: string) =>
  managed.call("skills.remove", { id: managed.id(name, source) });

describe("removing a skill", () => {
  test.each(["home/.claude/skills/self", "home/.claude/skills/self/deep"])(
    "never takes the workspace away: %s",
    async (workspace) => {
      managed.skill("self", { root: "home/.claude/skills" });
      fs.mkdirSync(managed.at(workspace), { recursive: true });
      await managed.open({ workspace: managed.at(workspace) });
      await expect(remove("self", "user-claude")).rejects.toMatchObject({
        code: "denied",
        message: expect.stringContaining("the workspace") as unknown,
      });
      expect(Object.keys(managed.tree("home"))).toEqual([".claude/skills/self/SKILL.md"]);
    },
  );
  test("never takes another folder of skills along, by its real path or through the link that is removed", async () => {
    managed.skill("sub", { root: "A" });
    managed.skill("inner", { root: "A/sub" });
    managed.skill("store", { root: "elsewhere" });
    managed.skill("other", { root: "elsewhere/store" });
    fs.symlinkSync(managed.at("elsewhere/store"), managed.at("A/link"));
    fs.symlinkSync(managed.at("A/sub"), managed.at("by-link"));
    managed.world.write(
      "config/settings.json",
      JSON.stringify({
        skills: { dirs: [managed.at("A"), managed.at("by-link"), managed.at("A/link")] },
      }),
    );
    await managed.open();
    const before = managed.tree("A");
    for (const [name, root] of [
      ["sub", "by-link"],
      ["store", "A/link"],
    ] as const)
      await expect(remove(name)).rejects.toMatchObject({
        code: "denied",
        message: expect.stringContaining(`${managed.at(root)}, a folder of skills itself`) as unknown,
      });
    expect(managed.tree("A")).toEqual(before);
    await remove("inner");
    expect(managed.tree("A")["sub/inner/SKILL.md"]).toBeUndefined();
  });
  test("what a root that is a link reaches in Hermit's folder is not removed", async () => {
    managed.skill("theirs", { root: "cst/skills" });
    fs.mkdirSync(managed.at("ws/.claude"));
    fs.symlinkSync(managed.at("cst/skills"), managed.at("ws/.claude/skills"));
    await managed.open();
    await expect(remove("theirs")).rejects.toMatchObject({ code: "denied" });
    expect(managed.tree("cst")["skills/theirs/SKILL.md"]).toContain("About theirs.");
  });
});
