import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ManagedWorld } from "./world.testkit.ts";

let managed: ManagedWorld;
beforeEach(() => (managed = new ManagedWorld()));
afterEach(() => managed.close());
const colon =
  "---\r\nname: demo\r\ndescription: Use when: you need it.\r\n---\r\nBody: as it is.\r\n\r\n---\r\nend";
const broken = (text: string): string => managed.world.write("ws/.agent/skills/demo/SKILL.md", text);

test("a repair is shown with what it changes, and changes nothing before it is agreed to", async () => {
  const file = broken(colon);
  await managed.open();
  const id = managed.id("demo");
  expect(await managed.call("skills.show", { id })).toMatchObject({ repairable: true });
  const { before, after, changes, path } = await managed.call("skills.repair", { id });
  expect({ before, path }).toEqual({ before: colon, path: file });
  expect(after).toContain("description: 'Use when: you need it.'");
  expect(changes).toHaveLength(1);
  expect(fs.readFileSync(file, "utf8")).toBe(colon);
});
test("what was shown is what is written: the body and the line ends stay to the byte, and the warning is gone", async () => {
  const file = broken(colon);
  await managed.open();
  const id = managed.id("demo");
  const { after, digest } = await managed.call("skills.repair", { id });
  expect(await managed.call("skills.applyRepair", { id, digest })).toMatchObject({
    state: "on",
    description: "Use when: you need it.",
    diagnostics: [],
  });
  expect(fs.readFileSync(file, "utf8")).toBe(after);
  expect(after.slice(after.indexOf("Body"))).toBe(colon.slice(colon.indexOf("Body")));
  expect(await managed.call("skills.show", { id })).toMatchObject({ repairable: false });
});
test("a file that changed since it was shown is not repaired, nor is one for a digest of nobody", async () => {
  const file = broken(colon);
  await managed.open();
  const id = managed.id("demo");
  const { digest } = await managed.call("skills.repair", { id });
  fs.appendFileSync(file, "more");
  for (const guess of [digest, "guess"])
    await expect(managed.call("skills.applyRepair", { id, digest: guess })).rejects.toMatchObject({
      code: "denied",
    });
  expect(fs.readFileSync(file, "utf8")).toBe(`${colon}more`);
});
test("what leaves a doubt about what was meant, or needs nothing, is not repaired", async () => {
  managed.skill("fine");
  broken("---\nname: demo\ndescription: [a, {b\n---\n");
  await managed.open();
  for (const name of ["demo", "fine"]) {
    expect(await managed.call("skills.show", { id: managed.id(name) })).toMatchObject({ repairable: false });
    await expect(managed.call("skills.repair", { id: managed.id(name) })).rejects.toMatchObject({
      code: "invalid_input",
    });
  }
});
test("a plugin's file is not repaired: it counts as it was approved", async () => {
  managed.world.write("config/plugins/docs/plugin.json", '{"name": "docs", "skills": "skills"}');
  const file = managed.world.write("config/plugins/docs/skills/demo/SKILL.md", colon);
  await managed.open();
  const id = managed.id("docs:demo");
  expect(await managed.call("skills.show", { id })).toMatchObject({ repairable: false, editable: false });
  const { digest } = await managed.call("skills.repair", { id });
  await expect(managed.call("skills.applyRepair", { id, digest })).rejects.toMatchObject({ code: "denied" });
  expect(fs.readFileSync(file, "utf8")).toBe(colon);
});

test("a file that a person names is left as it is where a listed one would be, whatever way leads to it", async () => {
  const hermits = managed.world.write("cst/skills/hm/SKILL.md", colon);
  managed.world.write("config/plugins/docs/plugin.json", '{"name": "docs", "skills": "skills"}');
  const plugins = managed.world.write("config/plugins/docs/skills/demo/SKILL.md", colon);
  const victim = managed.world.write("victim.md", colon);
  const fixed = managed.world.write("fixed/SKILL.md", colon);
  fs.chmodSync(fixed, 0o444);
  fs.symlinkSync(managed.at("cst/skills/hm"), managed.at("to-hermit"));
  fs.symlinkSync(managed.at("config/plugins/docs/skills/demo"), managed.at("to-plugin"));
  fs.mkdirSync(managed.at("linked"));
  fs.symlinkSync(victim, managed.at("linked/SKILL.md"));
  managed.world.write("config/settings.json", '{"switches": {"skills:user-cst-agent": false}}');
  await managed.open();
  const manager = await managed.host.skillManager();
  for (const at of [hermits, managed.at("to-hermit"), plugins, managed.at("to-plugin"), managed.at("linked")])
    await expect(manager.repairFile(at)).rejects.toMatchObject({ code: "denied" });
  await expect(manager.repairFile(fixed)).rejects.toMatchObject({ code: "io" });
  const own = managed.world.write("own/SKILL.md", colon);
  const { digest, after } = await manager.repairFile(own);
  fs.rmSync(managed.at("own"), { recursive: true });
  fs.symlinkSync(managed.at("cst/skills/hm"), managed.at("own"));
  await expect(manager.applyFileRepair(own, digest)).rejects.toMatchObject({ code: "denied" });
  for (const file of [hermits, plugins, victim, fixed]) expect(fs.readFileSync(file, "utf8")).toBe(colon);
  fs.unlinkSync(managed.at("own"));
  managed.world.write("own/SKILL.md", colon);
  await manager.applyFileRepair(own, digest);
  expect(fs.readFileSync(own, "utf8")).toBe(after);
});
test("a skill that a link of one's own leads to Hermit's folder is shown and never written", async () => {
  const hermits = managed.world.write("cst/skills/demo/SKILL.md", colon);
  fs.mkdirSync(managed.at("ws/.agent/skills"), { recursive: true });
  fs.symlinkSync(managed.at("cst/skills/demo"), managed.at("ws/.agent/skills/demo"));
  await managed.open();
  const { id, digest, editable } = await managed.call("skills.show", { id: managed.id("demo") });
  expect(editable).toBe(false);
  await expect(managed.call("skills.write", { id, text: "x", digest })).rejects.toMatchObject({
    code: "denied",
  });
  expect(fs.readFileSync(hermits, "utf8")).toBe(colon);
});
