import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSkills, type Skills } from "./skills.ts";
import { rule, SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
beforeEach(() => {
  world = new SkillWorld();
});
afterEach(() => world.remove());

async function listed(): Promise<Skills> {
  const skills = createSkills(world.options());
  await skills.reload();
  return skills;
}
const indexFile = (): string => {
  const folder = world.at("home", "cache", "skills");
  return `${folder}/${fs.readdirSync(folder)[0]}`;
};

test("an index that is saved before the first look has ended forgets nothing", async () => {
  world.skill(".agent/skills/pdf", { name: "pdf", description: "Reads PDFs." });
  const first = await listed();
  await first.saveIndex();
  const before = fs.readFileSync(indexFile(), "utf8");
  const second = createSkills(world.options());
  const looking = second.reload();
  await second.saveIndex();
  expect(fs.readFileSync(indexFile(), "utf8")).toBe(before);
  await looking;
});
test("a file of the same size and time, but another one, is read again", async () => {
  const file = world.skill(".agent/skills/pdf", { name: "pdf", description: "Reads PDFs." });
  const time = new Date("2026-01-01");
  fs.utimesSync(file, time, time);
  await (await listed()).saveIndex();
  const text = fs.readFileSync(file, "utf8").replace("Reads", "Makes");
  const other = world.write(world.at("other.md"), text);
  fs.utimesSync(other, time, time);
  fs.renameSync(other, file);
  expect((await listed()).rows()[0]?.description).toBe("Makes PDFs.");
});
test.each([
  ["rubbish", () => "not an index"],
  ["another version", (text: string) => text.replace(/^.*\n/, '"0.0.0/0"\n')],
  ["wrong types", (text: string) => text.replace("Reads PDFs.", '","name":{}')],
  [
    "a head that says nothing",
    (text: string) => text.replace(/"[^"]*\|pdf\|[^"]*"/, '{"kind":"fields","findings":[{}]}'),
  ],
  [
    "prototype keys",
    (text: string) => text.replace(/"[^"]*\|pdf\|[^"]*"/, '{"__proto__":{"kind":"fields"}}'),
  ],
])("an index of %s changes nothing of what is listed", async (_, damage) => {
  world.skill(".agent/skills/pdf", { name: "pdf", description: "Reads PDFs." });
  await (await listed()).saveIndex();
  const text = fs.readFileSync(indexFile(), "utf8");
  const damaged = damage(text);
  expect(damaged).not.toBe(text);
  fs.writeFileSync(indexFile(), damaged);
  const skills = await listed();
  expect(skills.rows().map(({ name, description, state }) => [name, description, state])).toEqual([
    ["pdf", "Reads PDFs.", "on"],
  ]);
});

test("a pinned skill is the one that is listed, offered and loaded", async () => {
  world.skill(".agent/skills/pdf", { name: "pdf", description: "Near." });
  world.skill(".claude/skills/pdf", { name: "pdf", description: "Far." }, "Far body.");
  const skills = await listed();
  const loaded = async (): Promise<string | undefined> => (await skills.registry.get("pdf"))?.description;
  expect(await loaded()).toBe("Near.");
  const pin = "pin:skill:project-claude/pdf";
  await world.switches.set(pin, true);
  expect(skills.rows().map(({ source, state, pinned }) => [source, state, pinned])).toEqual([
    ["project-nacre", "shadowed", undefined],
    ["project-claude", "on", true],
  ]);
  expect(await loaded()).toBe("Far.");
  expect((await skills.registry.list()).map(({ description }) => description)).toEqual(["Far."]);
  expect(skills.catalog().text).toContain("Far.");
  await world.switches.set("skill:project-claude/pdf", false);
  expect(await loaded()).toBe("Near.");
  await world.switches.set("skill:project-claude/pdf", true);
  await world.switches.set(pin, false);
  expect(await loaded()).toBe("Near.");
});
test("a root that is switched off is not looked into", async () => {
  world.skill(".agent/skills/pdf", { name: "pdf", description: "Reads PDFs." });
  world.skill(".claude/skills/docx", { name: "docx", description: "Reads texts." });
  const skills = await listed();
  await world.switches.set("skills:project-claude", false);
  await skills.settled();
  expect(skills.rows().map(({ name }) => name)).toEqual(["pdf"]);
  expect(skills.look().scans.map(({ root }) => root.source)).not.toContain("project-claude");
});
test("each of two skills of one name in one root has a switch of its own", async () => {
  world.skill(".agent/skills/one", { name: "pdf", description: "One." });
  world.skill(".agent/skills/two", { name: "pdf", description: "Two." });
  const skills = await listed();
  const ids = skills.rows().map(({ id }) => id);
  expect(ids).toEqual(["skill:project-nacre/pdf", "skill:project-nacre/pdf~1"]);
  await world.switches.set(ids[0] ?? "", false);
  expect(skills.rows().map(({ state }) => state)).toEqual(["off", "on"]);
  expect((await skills.registry.get("pdf"))?.description).toBe("Two.");
});
test("answers by several sets of rules are kept side by side", async () => {
  world.skill(".agent/skills/pdf", { name: "pdf", description: "Reads PDFs." });
  const skills = await listed();
  world.roleRules = { reader: [rule("*", "deny")] };
  const [all, reader] = [skills.look().resolved, skills.look("reader").resolved];
  expect(reader[0]?.state).toBe("denied");
  expect(skills.look().resolved).toBe(all);
  expect(skills.look("reader").resolved).toBe(reader);
});
