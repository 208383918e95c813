import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { createSkills, type Skills } from "./skills.ts";
import { instructionsOf, rule, SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
let skills: Skills;
beforeEach(async () => {
  world = new SkillWorld();
  world.skill(".agents/skills/pdf", { name: "pdf", description: "Of the workspace." }, "Of the workspace.");
  skills = createSkills(world.options());
  await skills.reload();
});
afterEach(() => {
  skills.stop();
  world.remove();
});

const text = (name: string, description: string, body = description): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
const create = async (sessionId: string, name: string, description: string): Promise<string> => {
  const id = await skills.sessions.create(sessionId, name);
  await skills.sessions.write(id, text(name, description));
  return id;
};
const catalogOf = (sessionId?: string): string[] =>
  skills.offer(world.rules, sessionId).catalog.text.match(/^- .*$/gm) ?? [];
const used = (name: string, sessionId: string | null): Promise<string> =>
  instructionsOf(skills, name, sessionId);
const rowOf = (id: string): SkillRow | undefined => skills.rows().find((row) => row.id === id);

test("one is its conversation's first of the name; others, and whoever is in none, see the file", async () => {
  await create("one", "pdf", "Of this talk.");
  expect(catalogOf("one")).toEqual(["- pdf: Of this talk."]);
  expect(catalogOf("two")).toEqual(["- pdf: Of the workspace."]);
  expect(catalogOf()).toEqual(["- pdf: Of the workspace."]);
  const get = async (sessionId?: string): Promise<unknown> =>
    (await skills.registry.get("pdf", { cwd: world.workspace, sessionId }))?.description;
  expect([await get("one"), await get("two"), await get()]).toEqual([
    "Of this talk.",
    "Of the workspace.",
    "Of the workspace.",
  ]);
  const asked = (sessionId: string | null = null): Promise<string> => used("pdf", sessionId);
  expect([await asked("one"), await asked("two"), await asked()]).toEqual([
    "Of this talk.",
    "Of the workspace.",
    "Of the workspace.",
  ]);
});
test("is listed at once with its conversation, nowhere on a disk, and takes no name from others' lists", async () => {
  const id = await create("one", "pdf", "Of this talk.");
  expect(id).toBe("skill:session/pdf");
  expect(rowOf(id)).toMatchObject({
    name: "pdf",
    description: "Of this talk.",
    source: "session",
    scope: "session",
    path: "",
    rank: 0,
    trusted: true,
    sessionId: "one",
    state: "on",
  });
  expect(rowOf("skill:project-agents/pdf")).toMatchObject({ state: "on" });
});
test("two conversations have skills of one name beside each other, with ids of their own", async () => {
  const first = await create("one", "note", "First.");
  const second = await create("two", "note", "Second.");
  expect([first, second]).toEqual(["skill:session/note", "skill:session~1/note"]);
  expect(catalogOf("one")).toContain("- note: First.");
  expect(catalogOf("two")).toContain("- note: Second.");
  expect(catalogOf()).toEqual(["- pdf: Of the workspace."]);
});
test("a begun one can be loaded as it is; what is written is read as a file is", async () => {
  const id = await skills.sessions.create("one", "plan");
  expect(skills.sessions.find(id)?.draft.text).toMatch(/^---\nname: plan\ndescription: /);
  expect(rowOf(id)).toMatchObject({ state: "on", diagnostics: [] });
  await skills.sessions.write(
    id,
    "---\nname: plan\ndescription: Use when: planning\narguments: [goal]\n---\nDo $goal.",
  );
  expect(rowOf(id)).toMatchObject({
    description: "Use when: planning",
    takesArguments: true,
    diagnostics: [{ severity: "warning", line: 3 }],
  });
  await skills.sessions.write(id, "---\nname: plan\n---\nNo description.");
  expect(rowOf(id)).toMatchObject({
    state: "invalid",
    diagnostics: [{ code: "skill-description-missing", severity: "error" }],
  });
  expect(catalogOf("one")).toEqual(["- pdf: Of the workspace."]);
  await expect(used("plan", "one")).rejects.toThrow("description is missing");
});
test("a new name in its text is its name; the id stays", async () => {
  const id = await create("one", "draft", "D.");
  await skills.sessions.write(id, text("final", "D."));
  expect(rowOf(id)).toMatchObject({ id: "skill:session/draft", name: "final", diagnostics: [] });
  expect(await used("final", "one")).toBe("D.");
  await expect(skills.sessions.create("one", "final")).rejects.toMatchObject({ code: "already_exists" });
});
test("names are checked, and two creations of one name at once make one", async () => {
  await expect(skills.sessions.create("one", "Not A Name")).rejects.toThrow("not-a-name would be one");
  const both = await Promise.allSettled([
    skills.sessions.create("one", "same"),
    skills.sessions.create("one", "same"),
  ]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});
test("what is removed while it is written stays removed", async () => {
  const id = await create("one", "note", "D.");
  const writing = skills.sessions.write(id, text("note", "Again."));
  skills.sessions.remove(id);
  await expect(writing).rejects.toMatchObject({ code: "not_found" });
  expect(rowOf(id)).toBeUndefined();
  expect(() => skills.sessions.remove(id)).toThrow("gone");
});
test("goes with its conversation, and with nobody else's", async () => {
  await create("one", "note", "First.");
  const other = await create("two", "note", "Second.");
  skills.sessions.end("one");
  expect(skills.sessions.all().map(({ entry }) => entry.id)).toEqual([other]);
  expect(catalogOf("one")).toEqual(["- pdf: Of the workspace."]);
  // Made again it has nothing of the old one, its id neither.
  expect(await skills.sessions.create("one", "note")).toBe("skill:session~2/note");
});
test("is switched in memory: settings never hear of it, and the file comes forward", async () => {
  const id = await create("one", "pdf", "Of this talk.");
  expect(skills.sessions.setEnabled(id, false)).toBe(true);
  expect(rowOf(id)?.state).toBe("off");
  expect(catalogOf("one")).toEqual(["- pdf: Of the workspace."]);
  expect(world.switches.all.size).toBe(0);
  expect(skills.sessions.setEnabled("skill:project-agents/pdf", false)).toBe(false);
  skills.sessions.setEnabled(id, true);
  expect(catalogOf("one")).toEqual(["- pdf: Of this talk."]);
});
test("rules hold for it as for every other", async () => {
  const id = await create("one", "secret", "D.");
  world.rules = [rule("secret", "deny")];
  expect(rowOf(id)?.state).toBe("denied");
  expect(catalogOf("one")).toEqual(["- pdf: Of the workspace."]);
  await expect(used("secret", "one")).rejects.toThrow('"secret": "deny"');
});
test("the row of the table that is switched off lists none", async () => {
  const id = await create("one", "pdf", "Of this talk.");
  await world.switches.set("skills:session", false);
  await skills.settled();
  expect(rowOf(id)).toBeUndefined();
  expect(catalogOf("one")).toEqual(["- pdf: Of the workspace."]);
});
describe("changes", () => {
  test("are told of, and no file is read for them", async () => {
    let told = 0;
    skills.onChange.on(() => void told++);
    const look = skills.look().scans;
    await create("one", "note", "D.");
    await skills.settled();
    expect(told).toBeGreaterThan(0);
    expect(skills.look().scans).toBe(look);
  });
  test("a workspace without a skill has the tool in the conversation that made one, and there alone", async () => {
    const empty = new SkillWorld();
    const room = createSkills(empty.options());
    await room.reload();
    expect(room.tool).toBeUndefined();
    await room.sessions.create("one", "note");
    await room.settled();
    expect(room.tool).toBeDefined();
    expect(room.offer([], "one").tool).toBeDefined();
    expect(room.offer([], "two").tool).toBeUndefined();
    expect(room.offer([]).tool).toBeUndefined();
    empty.remove();
  });
});
