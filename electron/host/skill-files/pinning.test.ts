import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ManagedWorld } from "./world.testkit.ts";

let managed: ManagedWorld;
beforeEach(() => (managed = new ManagedWorld()));
afterEach(() => managed.close());

test("which one of a name is pinned is known, also while it is off or broken", async () => {
  managed.skill("pdf");
  const users = managed.skill("pdf", { root: "config/skills" });
  await managed.open();
  const manager = await managed.host.skillManager();
  expect(manager.pinnedOf("pdf")).toBeUndefined();
  const id = managed.id("pdf", "user-nacre");
  await managed.call("skills.pin", { id, pinned: true });
  expect(manager.pinnedOf("pdf")).toBe(id);
  await managed.host.setSwitch(id, false);
  expect(manager.pinnedOf("pdf")).toBe(id);
  await managed.host.setSwitch(id, true);
  fs.writeFileSync(users, "---\nname: pdf\n---\n");
  await managed.host.reload("skills");
  expect(manager.pinnedOf("pdf")).toBe(id);
  expect(manager.pinnedOf("other")).toBeUndefined();
});
test("a pin makes the loser of a name win it, one of a name at a time, and undoing it gives it back", async () => {
  managed.skill("pdf");
  managed.skill("pdf", { root: "ws/.claude/skills" });
  managed.skill("pdf", { root: "config/skills" });
  await managed.open();
  const winner = () => managed.host.skills.rows().find(({ state }) => state === "on")?.source;
  await managed.call("skills.pin", { id: managed.id("pdf", "user-nacre"), pinned: true });
  expect(winner()).toBe("user-nacre");
  await managed.call("skills.pin", { id: managed.id("pdf", "project-claude"), pinned: true });
  expect(winner()).toBe("project-claude");
  expect(managed.host.skills.rows().filter(({ pinned }) => pinned)).toHaveLength(1);
  await managed.open();
  expect(winner()).toBe("project-claude");
  await managed.call("skills.pin", { id: managed.id("pdf", "project-claude"), pinned: false });
  expect(winner()).toBe("project-nacre");
});
