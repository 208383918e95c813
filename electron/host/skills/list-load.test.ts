import fs from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSkills, type Skills } from "./skills.ts";
import { SkillWorld } from "./world.testkit.ts";

let worlds: readonly SkillWorld[];
beforeEach(() => {
  worlds = [new SkillWorld(), new SkillWorld()];
});
afterEach(() => {
  for (const world of worlds) world.remove();
});

interface Said {
  readonly state: string;
  readonly name: string;
  readonly description: string;
  readonly codes: readonly string[];
}
type Looked = ReadonlyMap<string, { readonly list: Said; readonly load: unknown }>;
/** What the list says of each file, and what loading it by its id says. */
async function look(skills: Skills): Promise<Looked> {
  const found = new Map<string, { readonly list: Said; readonly load: unknown }>();
  for (const { entry, state } of skills.look().resolved) {
    const { id, name, description, valid, diagnostics } = entry;
    const load: unknown = await skills.reader.load(entry).then(
      (skill) => ({ name: skill.name, description: skill.description, body: skill.content }),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    // What a model gets by the name is what the list shows to be on.
    if (state === "on")
      expect(await skills.registry.get(name)).toMatchObject({ name, description, path: entry.path });
    const codes = diagnostics.map(({ code, line }) => `${code} ${line ?? ""}`);
    found.set(id, { list: { state: valid ? "loads" : "invalid", name, description, codes }, load });
  }
  return found;
}
function expectAgreement(found: Looked): void {
  for (const [id, { list, load }] of found)
    if (list.state === "loads")
      expect([id, load]).toMatchObject([id, { name: list.name, description: list.description }]);
    else expect([id, typeof load]).toEqual([id, "string"]);
}

/** What other people wrote, and what tools made of it. */
const nasty: readonly (string | Buffer)[] = [
  "",
  "# Only a title\n",
  "Just text\n",
  "---\nname: NAME\ndescription: D.\n---\nBody",
  "---\r\nname: NAME\r\ndescription: D.\r\n---\r\n\r\nBody\r\n",
  "---\rname: NAME\rdescription: D.\r---\rBody\r",
  "---\nname: NAME\r\ndescription: D.\r---\n\r\nBody",
  "\uFEFF---\nname: NAME\ndescription: D.\n---\n\uFEFFBody",
  "\uFEFF\uFEFF---\nname: NAME\ndescription: D.\n---\n",
  "<!-- generated -->\n---\nname: NAME\ndescription: D.\n---\nBody",
  "\n\n---\nname: NAME\ndescription: D.\n---\nBody",
  "# made by a tool\n---\nname: NAME\ndescription: D.\n---\nBody",
  "  ---\n  name: NAME\n  description: D.\n  ---\nBody",
  "---\nname: NAME\ndescription: Does it. Use when: asked.\n---\nBody",
  "---\nname: NAME\ndescription: D.\nargument-hint: [a] [b: c, d: e]\n---\nBody",
  "---\nname: NAME\ndescription: |\n  Two\n  lines\n---\nBody",
  "---\nname: NAME\ndescription: D.\n---\n# A\n---\n# B\n---\nend",
  "---\nname: 3000\ndescription: Port.\n---\nBody",
  "---\nname: NAME\ndescription: 1.0\n---\nBody",
  "---\nname: other-name\ndescription: D.\n---\nBody",
  "---\ndescription: No name.\n---\nBody",
  "---\nname: Not A Name\ndescription: D.\n---\nBody",
  "---\nname: 小说\ndescription: D.\n---\nBody",
  "---\nname: NAME\n---\nBody",
  `---\nname: NAME\ndescription: ${"长".repeat(1025)}\n---\nBody`,
  "---\nname: [NAME\ndescription: D.\n---\nBody",
  "---\nname: NAME\ndescription: D.\nname: twice\n---\nBody",
  "---\nname: NAME\ndescription: D.\nx: 1\nx: 2\n---\nBody",
  "---\nname: NAME\n\tdescription: D.\n---\nBody",
  "---\nname: NAME\ndescription: D.\nmetadata:\n\ta: b\n---\nBody",
  "---js\n({name: 'NAME', description: 'D.'})\n---\nBody",
  '---json\n{"name": "NAME", "description": "D."}\n---\nBody',
  ";;;\n{}\n;;;\nBody",
  "---\nname: NAME\ndescription: D.\n\nnever closed",
  "----\nname: NAME\n----\n",
  "---\nname: NAME\ndescription: D.\ndisable-model-invocation: perhaps\n---\nBody",
  "---\n- a\n- b\n---\n",
  `---\nname: NAME\ndescription: D.\nx: ${"y".repeat(70_000)}\n---\nBody`,
  `---\nname: NAME\ndescription: D.\nx: ${"[".repeat(5000)}\n---\nBody`,
  Buffer.from("---\nname: NAME\ndescription: caf\xe9\n---\n", "latin1"),
  Buffer.from("\uFEFF---\nname: NAME\ndescription: D.\n---\n", "utf16le"),
  "---\nname: NAME\ndescription: a\0b\n---\n",
  "---\nname: NAME\ndescription: D.\n---\nBody\0\n",
  '---\nname: NAME\ndescription: "Foo" helper. Use when: x\n---\nBody',
  "---\nname: NAME\ndescription: D.\nallowed-tools: *\n---\nBody",
];
const named = (content: string | Buffer, name: string): string | Buffer =>
  typeof content === "string" ? content.replaceAll("NAME", name) : content;
const roots = [".agent/skills", ".agents/skills", ".claude/skills", ".dropstone/skills", ".kairox/skills"];

test("list and load agree on every file, in two workspaces, after a reload and from the index", async () => {
  for (const world of worlds)
    for (const root of roots)
      for (const [index, content] of nasty.entries()) {
        const file = world.write(`${root}/skill-${index}/SKILL.md`, "");
        fs.writeFileSync(file, named(content, `skill-${index}`));
      }
  const looks: Looked[] = [];
  for (const world of worlds) {
    const skills = createSkills(world.options());
    await skills.reload();
    const first = await look(skills);
    expectAgreement(first);
    expect(first.size).toBe(nasty.length * roots.length);
    const loading = [...first.values()].filter(({ list }) => list.state === "loads").length;
    expect([loading > 80, first.size - loading > 80]).toEqual([true, true]);
    await skills.reload();
    expect(await look(skills)).toEqual(first);
    await skills.saveIndex();
    const later = createSkills(world.options());
    await later.reload();
    expect(await look(later)).toEqual(first);
    looks.push(first);
    skills.stop();
    later.stop();
  }
  // Messages name the files; everything else is the same.
  const without = (found: Looked | undefined): unknown =>
    [...(found ?? [])].map(([id, { list, load }]) => [id, list, typeof load === "string" ? "" : load]);
  expect(without(looks[1])).toEqual(without(looks[0]));
});

test("whatever a file holds, what is listed is what loads", async () => {
  const [world] = worlds;
  if (!world) throw new Error("no world");
  const piece = fc.constantFrom(
    "---",
    "\n",
    "\r\n",
    "\r",
    "name: pieces\n",
    "name: Pieces\n",
    "description: D.\n",
    "description: a: b\n",
    "description: |\n  x\n",
    "x: [a] [b]\n",
    "<!-- c -->\n",
    "# t\n",
    "\uFEFF",
    "\t",
    "text",
    "license: 1.0\n",
    "disable-model-invocation: x\n",
  );
  const skills = createSkills(world.options());
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 9 }),
      fc.boolean(),
      fc.constantFrom(...roots),
      async (pieces, fenced, root) => {
        fs.rmSync(world.at("project", ".agent"), { recursive: true, force: true });
        for (const other of roots) fs.rmSync(world.at("project", other), { recursive: true, force: true });
        const text = fenced ? `---\nname: pieces\n${pieces.join("")}\n---\nBody` : pieces.join("");
        world.write(`${root}/pieces/SKILL.md`, text);
        await skills.reload();
        const first = await look(skills);
        expect(first.size).toBe(1);
        expectAgreement(first);
        await skills.reload();
        expect(await look(skills)).toEqual(first);
      },
    ),
    { numRuns: 150 },
  );
  skills.stop();
});
