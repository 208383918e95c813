import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { SkillRow } from "../shared/extension-rows.ts";
import { atTerminal, noTerminal } from "./support/terminal.ts";
import { createWorld, root, type World } from "./support/world.ts";

let world: World;
test.beforeEach(async () => {
  world = await createWorld({ steps: [] });
});
test.afterEach(() => world.stop());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
/** `nacre skills …` of the built command line, without a terminal. */
async function skills(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), "skills", ...args], {
    cwd: world.workspace,
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout, stderr };
}
const json = async (...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await skills(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};
const rows = async (): Promise<readonly SkillRow[]> => (await json("list")) as readonly SkillRow[];
function skill(folder: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "SKILL.md"), text);
  return path.join(folder, "SKILL.md");
}
const own = (name: string): string => path.join(world.workspace, ".agent/skills", name);
const users = (name: string): string => path.join(world.config, "skills", name);

test("list tells of every skill, loadable or not, and people's table says what is wrong with one", async () => {
  const file = skill(own("broken"), "---\nname: broken\n---\n");
  skill(users("pdf"), '---\nname: pdf\ndescription: "Fills \\e[31mforms."\n---\n');
  const row = (await rows()).find(({ name }) => name === "broken");
  expect(row).toMatchObject({
    source: "project-nacre",
    scope: "workspace",
    path: file,
    state: "invalid",
    trusted: false,
    diagnostics: [{ code: "skill-description-missing", severity: "error", path: file }],
  });
  const { stdout } = await skills("list");
  expect(stdout).toMatch(/^invalid +project-nacre +broken +the description is missing/m);
  expect(stdout).toMatch(/^on +user-nacre +pdf +Fills/m);
  expect(stdout).not.toContain("\u001b");
});
test("doctor without a name tells the roots and everything that is wrong, and ends with 0", async () => {
  const file = skill(own("demo"), "---\nname: demo\ndescription: Use when: you need it.\n---\n");
  const report = (await json("doctor")) as {
    roots: readonly { source: string; path: string; exists: boolean; count: number }[];
    diagnostics: readonly unknown[];
  };
  expect(report.roots).toContainEqual(
    expect.objectContaining({
      source: "user-nacre",
      path: path.join(world.config, "skills"),
      exists: false,
      count: 0,
    }),
  );
  expect(report.diagnostics).toContainEqual(
    expect.objectContaining({ path: file, line: 3, severity: "warning" }),
  );
  const { code, stdout } = await skills("doctor");
  expect(code).toBe(0);
  expect(stdout).toContain(`${file}:3`);
  expect(stdout).toMatch(/\d+ skills? on.*; 0 errors, 1 warning\n$/);
});
test("doctor with a name says why it is or is not offered", async () => {
  const winner = skill(own("pdf"), "---\nname: pdf\ndescription: The workspace's.\n---\n");
  skill(users("pdf"), "---\nname: pdf\ndescription: The user's.\n---\n");
  skill(users("secret"), "---\nname: secret\ndescription: D.\n---\n");
  writeFileSync(path.join(world.config, "settings.json"), '{"permission": {"skill": {"s*": "deny"}}}');
  expect(await json("doctor", "pdf")).toMatchObject({
    skills: [
      {
        row: { source: "project-nacre" },
        offered: true,
        reasons: [{ code: "on" }, { code: "workspace_untrusted" }],
      },
      { row: { source: "user-nacre" }, offered: false, reasons: [{ code: "shadowed", detail: winner }] },
    ],
  });
  const { stdout } = await skills("doctor", "pdf");
  expect(stdout).toContain(`it is shadowed by ${winner}`);
  // All places stand there for who looks for a skill, not for who has found it.
  expect(stdout).not.toMatch(/^user-dsh/m);
  expect((await skills("doctor", "secret")).stdout).toContain("the rule s*: deny denies it (settings.json)");
  const unknown = await skills("doctor", "sceret");
  expect(unknown).toMatchObject({ code: 0 });
  expect(unknown.stdout).toContain("there is no skill sceret; did you mean secret?");
  expect(unknown.stdout).toMatch(/^user-dsh/m);
});
test("new, enable and disable answer with the row, and what is taken or no name ends with 1", async () => {
  expect(await json("new", "notes", "--scope", "user")).toMatchObject({
    name: "notes",
    path: path.join(users("notes"), "SKILL.md"),
    state: "on",
  });
  expect(await json("disable", "notes")).toMatchObject({ state: "off" });
  expect(await json("enable", "notes", "--source", "user-nacre")).toMatchObject({ state: "on" });
  expect((await skills("new", "notes", "--scope", "user")).code).toBe(1);
  expect((await skills("new", "../notes")).code).toBe(1);
  expect((await skills("new", "other", "--scope", "session")).code).toBe(2);
  expect((await skills("enable", "nobody")).code).toBe(1);
});
test("new, enable and disable tell people in a sentence what is done and what to edit next", async () => {
  const file = path.join(own("notes"), "SKILL.md");
  expect((await skills("new", "notes")).stdout).toContain(`made notes: say in ${file}`);
  expect((await skills("disable", "notes")).stdout).toBe("notes of project-nacre is off\n");
  expect((await skills("enable", "notes")).stdout).toBe("notes of project-nacre is on\n");
});
test("a repair after which a skill does not load says what is left, listed or not", async () => {
  const text = "---\nname: My Demo\n---\nBody.\n";
  skill(own("my-demo"), text);
  const elsewhere = skill(path.join(world.folder, "elsewhere/my-demo"), text);
  for (const what of ["my-demo", path.dirname(elsewhere)]) {
    const { code, stdout } = await skills("repair", what, "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("in part: the skill is still not offered");
    expect(stdout).toContain("error skill-description-missing");
  }
});
test("of several skills of a name none is removed until the source says which; the next of the name is told", async () => {
  const mine = skill(own("pdf"), "---\nname: pdf\ndescription: D.\n---\n");
  const other = skill(users("pdf"), "---\nname: pdf\ndescription: E.\n---\n");
  const unsaid = await skills("remove", "pdf");
  expect(unsaid.code).toBe(2);
  expect(unsaid.stderr).toContain("--source says which pdf is meant");
  expect(unsaid.stderr).toContain(other);
  expect(existsSync(mine)).toBe(true);
  const { code, stdout } = await skills("remove", "pdf", "--source", "project-nacre");
  expect(code).toBe(0);
  expect(stdout).toContain(`removed pdf of project-nacre, ${mine};`);
  expect(stdout).toContain(`pdf of user-nacre takes its place: ${other}`);
});
test("validate is strict: a warning elsewhere is an error and ends with 1", async () => {
  const file = skill(own("folder"), "---\nname: another\ndescription: D.\n---\n");
  const { code, stdout } = await skills("validate", own("folder"), "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([
    { code: "skill-name-differs", severity: "error", path: file, line: 2 },
  ]);
});
test("repair shows the difference and writes nothing where nobody agrees, and with --yes it repairs", async () => {
  const text = "---\nname: demo\ndescription: Use when: you need it.\n---\nBody.\n";
  const file = skill(own("demo"), text);
  const asked = await skills("repair", "demo");
  expect(asked.code).toBe(3);
  expect(asked.stderr).toContain("-description: Use when: you need it.");
  expect(asked.stderr).toContain("--yes answers the question");
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(await skills("repair", "demo", "--yes")).toMatchObject({ code: 0, stdout: `repaired ${file}\n` });
  expect(readFileSync(file, "utf8")).toBe(
    "---\nname: demo\ndescription: 'Use when: you need it.'\n---\nBody.\n",
  );
  expect((await skills("repair", "demo", "--yes")).code).toBe(1);
});
test("repair takes the path of a file that no list has", async () => {
  const file = skill(path.join(world.folder, "elsewhere/demo"), "---\nname: demo\ndescription: a: b\n---\n");
  expect((await skills("repair", path.dirname(file), "--yes")).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("---\nname: demo\ndescription: 'a: b'\n---\n");
});
test("remove tells how to undo it, and restore does", async () => {
  const file = skill(users("pdf"), "---\nname: pdf\ndescription: D.\n---\n");
  const { code, stdout } = await skills("remove", "pdf");
  expect(code).toBe(0);
  expect(existsSync(path.dirname(file))).toBe(false);
  const undo = /nacre skills restore ([0-9a-f]{32})/.exec(stdout)?.[1] ?? "";
  expect(await json("restore")).toMatchObject([{ undo, name: "pdf", path: path.dirname(file) }]);
  expect((await skills("restore", undo)).code).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("name: pdf");
  expect((await skills("restore", undo)).code).toBe(1);
  expect((await skills("restore", "../../config")).code).toBe(1);
});
test("of a linked skill only the link is removed, and that is said", async () => {
  const file = skill(path.join(world.folder, "store/tool"), "---\nname: tool\ndescription: D.\n---\n");
  mkdirSync(path.join(world.config, "skills"), { recursive: true });
  symlinkSync(path.dirname(file), users("tool"));
  const { stderr } = await skills("remove", "tool");
  expect(stderr).toContain(`${path.dirname(file)} stays where it is`);
  expect(existsSync(file)).toBe(true);
  expect(lstatSync(users("tool"), { throwIfNoEntry: false })).toBeUndefined();
});
test("pin makes the loser of a name win it, unpin gives it back", async () => {
  skill(own("pdf"), "---\nname: pdf\ndescription: D.\n---\n");
  skill(users("pdf"), "---\nname: pdf\ndescription: D.\n---\n");
  const winner = async (): Promise<string | undefined> =>
    (await rows()).find(({ name, state }) => name === "pdf" && state === "on")?.source;
  expect((await skills("pin", "pdf")).code).toBe(2);
  expect(await json("pin", "pdf", "--source", "user-nacre")).toMatchObject({ state: "on", pinned: true });
  expect(await winner()).toBe("user-nacre");
  expect((await skills("unpin", "pdf")).code).toBe(0);
  expect(await winner()).toBe("project-nacre");
  await skills("pin", "pdf", "--source", "user-nacre");
  await skills("disable", "pdf", "--source", "user-nacre");
  expect((await skills("unpin", "pdf")).stdout).toBe("pdf of user-nacre is no longer pinned: off\n");
});

test.describe("at a terminal", () => {
  const missing = noTerminal();
  test.skip(missing !== undefined, missing);
  /** Whatever steers a terminal, but what the line editor itself sends. */
  const steers = (screen: string): boolean =>
    /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}/u.test(
      screen.replaceAll(/\p{Cc}(?:\[\d*[GJKm]|\[\?2004[hl])/gu, ""),
    );

  test("descriptions are cut to its width, and nothing of a skill's text steers it", async () => {
    const long = "word ".repeat(100).trim();
    skill(
      users("long"),
      `---\nname: long\ndescription: ${long}\n---\nBody \u001B]0;title\u0007 \u202Eback\u009B31m.\n`,
    );
    const list = await atTerminal(world, ["skills", "list"], { columns: 100 });
    expect(await list.ended).toMatchObject({ code: 0 });
    const line =
      list
        .screen()
        .split(/\r?\n/)
        .find((text) => text.includes(" long ")) ?? "";
    expect(line).toHaveLength(100);
    expect(line.endsWith("…")).toBe(true);
    const show = await atTerminal(world, ["skills", "show", "long"]);
    await show.ended;
    expect(show.screen()).toContain("Body");
    expect(steers(show.screen())).toBe(false);
    // What goes to a file is the text as it is.
    expect((await skills("show", "long")).stdout).toContain("\u001B]0;title\u0007");
  });
  test("repair asks, and no is an answer", async () => {
    const text = "---\nname: demo\ndescription: a: b\n---\n";
    const file = skill(own("demo"), text);
    const no = await atTerminal(world, ["skills", "repair", "demo"]);
    await no.shows("Repair it? [y/N]");
    await no.press("n\r", 0);
    expect(await no.ended).toMatchObject({ code: 3, usual: true });
    expect(readFileSync(file, "utf8")).toBe(text);
    const yes = await atTerminal(world, ["skills", "repair", "demo"]);
    await yes.shows("Repair it? [y/N]");
    await yes.press("y\r", 0);
    expect(await yes.ended).toMatchObject({ code: 0, usual: true });
    expect(readFileSync(file, "utf8")).toContain("description: 'a: b'");
  });
});
