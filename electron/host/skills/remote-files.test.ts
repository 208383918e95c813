import fs from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SkillFiles } from "./files.ts";
import type { SkillRoot } from "./roots.ts";
import { FoundSkill } from "./found-skill.ts";
import type { RootScan } from "./scan.ts";
import { createSkills, type Skills } from "./skills.ts";
import { SkillWorld } from "./world.testkit.ts";

/** A machine far away: folders and files by path, and what was asked of it. */
class FarMachine implements SkillFiles {
  readonly texts = new Map<string, string>();
  readonly asked: string[] = [];
  git = "/far/repo";
  failing: Error | undefined;

  async projectRoot(cwd: string): Promise<string> {
    this.#ask(`git ${cwd}`);
    return cwd.startsWith(this.git) ? this.git : cwd;
  }
  async scan(roots: readonly SkillRoot[]): Promise<readonly RootScan[]> {
    this.#ask("scan");
    return roots.map((root) => {
      const found = [...this.texts].flatMap(([path, text]): FoundSkill[] => {
        const name = new RegExp(`^${root.path}/([^/]+)/SKILL\\.md$`).exec(path)?.[1];
        if (name === undefined) return [];
        const stamp = { size: text.length, mtimeMs: 1, ctimeMs: 1, ino: 1 };
        return [new FoundSkill({ root, real: root.path }, "directory", name, stamp)];
      });
      return { root, exists: found.length > 0, real: root.path, found, others: [], diagnostics: [] };
    });
  }
  async read({ path }: { readonly path: string }) {
    this.#ask(`read ${path}`);
    return this.#text(path);
  }
  async readHeads(files: readonly { readonly path: string }[]) {
    this.#ask(`read ${files.map(({ path }) => path).join(" ")}`);
    return files.map(({ path }) => this.#text(path));
  }
  #text(path: string) {
    const text = this.texts.get(path);
    return text === undefined ? undefined : { text, inside: true };
  }
  async resources(folder: string) {
    this.#ask(`resources ${folder}`);
    return { files: ["far.md"], more: 0, whole: true, problems: [] };
  }
  async resource(folder: string, file: string): Promise<string> {
    this.#ask(`resource ${folder} ${file}`);
    return "far text";
  }
  #ask(what: string): void {
    this.asked.push(what);
    if (this.failing) throw this.failing;
  }
}
const text = (name: string): string =>
  `---\nname: ${name}\ndescription: Far ${name}.\n---\nBody of ${name}.\n`;

let world: SkillWorld;
let far: FarMachine;
let warnings: unknown[];
let skills: Skills;
beforeEach(() => {
  world = new SkillWorld();
  far = new FarMachine();
  far.texts.set("/far/repo/apps/.agents/skills/near/SKILL.md", text("near"));
  far.texts.set("/far/repo/.agents/skills/shared/SKILL.md", text("shared"));
  far.texts.set("/far/repo/.dsh/skills/dsh/SKILL.md", text("dsh"));
  warnings = [];
  const options = world.options();
  skills = createSkills({
    ...options,
    workspace: "/far/repo/apps",
    files: far,
    log: { ...options.log, warn: (message, data) => void warnings.push(data ?? message) },
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  world.remove();
});
const names = (): string[] => skills.rows().map(({ id }) => id);

test("a remote workspace is found, listed, loaded and its project root told by its own machine; nothing here is touched", async () => {
  const calls = (
    ["readdirSync", "statSync", "lstatSync", "openSync", "existsSync", "readFileSync"] as const
  ).map((name) => vi.spyOn(fs, name));
  await skills.reload();
  expect(names()).toEqual([
    "skill:project-dsh/dsh",
    "skill:project-agents/near",
    "skill:project-agents~1/shared",
  ]);
  const { reader } = skills;
  const shared = await reader.load(reader.find("shared").entry);
  expect(shared.content).toBe("Body of shared.\n");
  expect(await reader.content(shared)).toContain("\n- far.md\n");
  expect(await reader.file(shared, "far.md")).toBe("far text");
  const touched = calls.flatMap((spy) => spy.mock.calls.map(([at]) => String(at)));
  expect(touched.filter((at) => at.startsWith("/far") || at.includes(".git"))).toEqual([]);
  // A whole pass is three requests, however many skills and roots there are.
  expect(far.asked.slice(0, 3)).toEqual([
    "git /far/repo/apps",
    "scan",
    expect.stringMatching(/^read .*dsh.*near.*shared/),
  ]);
});
test("another machine's project root decides how far up is looked", async () => {
  far.git = "/far/repo/apps";
  await skills.reload();
  expect(names()).toEqual(["skill:project-agents/near"]);
});
test("only what is new or changed is read again", async () => {
  await skills.reload();
  far.asked.length = 0;
  far.texts.set("/far/repo/.agents/skills/more/SKILL.md", text("more"));
  await skills.reload();
  expect(far.asked).toEqual(["git /far/repo/apps", "scan", "read /far/repo/.agents/skills/more/SKILL.md"]);
});
test("a machine that does not answer is logged and left out, and nothing of it is kept: the next look asks again", async () => {
  far.failing = new Error("connection lost");
  await skills.reload();
  expect(names()).toEqual([]);
  expect(warnings).toMatchObject([{ provider: "local", error: expect.stringContaining("connection lost") }]);
  far.failing = undefined;
  const listed = await skills.registry.list({ cwd: "/far/repo/apps" });
  expect(listed.map(({ name }) => name)).toEqual(["dsh", "near", "shared"]);
});
test("a skill that is gone between listing and reading is told, with the others there", async () => {
  const read = far.readHeads.bind(far);
  vi.spyOn(far, "readHeads").mockImplementation((files) => {
    far.texts.delete("/far/repo/.agents/skills/shared/SKILL.md");
    return read(files);
  });
  await skills.reload();
  expect(names()).toEqual(["skill:project-dsh/dsh", "skill:project-agents/near"]);
  expect(skills.diagnostics()).toMatchObject([
    {
      code: "skill-unreadable",
      message: expect.stringContaining("ENOENT"),
      path: expect.stringContaining("shared"),
    },
  ]);
});
test("a folder of skills.dirs that does not exist is told with the setting's name", async () => {
  world.settings = { ...world.settings, dirs: ["/far/none"] };
  await skills.reload();
  expect(skills.diagnostics()).toMatchObject([
    { code: "skills-root-missing", path: "/far/none", message: expect.stringContaining("skills.dirs") },
  ]);
});
