import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appPaths } from "../config/paths.ts";
import { Emitter } from "../kit/emitter.ts";
import { realPath } from "../kit/files.ts";
import { Roles } from "./roles.ts";

let folder: string;
const off = new Set<string>();
const changed = new Emitter<unknown>();
beforeEach(() => {
  folder = realPath(mkdtempSync(path.join(os.tmpdir(), "nacre-roles-")));
  off.clear();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): string {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}
async function load(): Promise<Roles> {
  const env = { NACRE_CACHE_DIR: path.join(folder, "cache"), NACRE_CONFIG_DIR: path.join(folder, "config") };
  const roles = new Roles({
    workspace: path.join(folder, "ws"),
    paths: appPaths(env, path.join(folder, "home"), "linux"),
    switches: {
      isOn: (id) => !off.has(id),
      set: async (id, on) => void (on ? off.delete(id) : off.add(id)),
      onChange: changed,
    },
    isTool: (name) => ["read_file", "run_shell", "write_file"].includes(name),
  });
  await roles.reload();
  return roles;
}
const file = (name: string, more = ""): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nYou do.\n`;

test("the nearest source wins a name, the loser is shown as shadowed, and a switch brings it forward", async () => {
  write("ws/.agent/agents/reviewer.md", file("reviewer", "readonly: true\n"));
  write("config/agents/reviewer.md", file("reviewer"));
  const roles = await load();
  const states = (): string[] =>
    roles.rows().flatMap(({ name, source, state }) => (name === "reviewer" ? [`${source} ${state}`] : []));
  expect(states()).toEqual(["project-nacre on", "user-nacre shadowed"]);
  off.add("agent:project-nacre/reviewer");
  expect(states()).toEqual(["project-nacre off", "user-nacre on"]);
  expect(roles.get("reviewer").source).toBe("user-nacre");
});
test("a file replaces a built-in role of its name", async () => {
  write("home/.claude/agents/explore.md", file("explore"));
  const roles = await load();
  expect(roles.get("explore")).toMatchObject({ source: "user-claude", readonly: false });
  expect(roles.get("plan")).toMatchObject({ source: "bundled", readonly: true });
});
test("Claude's and Hermit's spellings are read: comma lists, other tool names, inherit, maxTurns", async () => {
  write(
    "ws/.claude/agents/a.md",
    file("a", "tools: Read, Bash(git diff:*), mcp__git__*\nmodel: inherit\nmaxTurns: 7\n"),
  );
  write(
    "ws/.agent/agents/b.md",
    file("b", "tools:\n  write_file: false\n  skill: false\nmax_steps: 12\nmodel: small\n"),
  );
  const roles = await load();
  expect(roles.get("a")).toMatchObject({
    tools: { allow: ["read_file", "run_shell", "mcp__git__*"], deny: [] },
    maxSteps: 7,
  });
  expect(roles.get("a").model).toBeUndefined();
  expect(roles.get("b")).toMatchObject({
    tools: { allow: null, deny: ["write_file", "skill"] },
    maxSteps: 12,
    model: "small",
  });
});
test("names of tools that there are not are told and left out; what may come later is not", async () => {
  write(
    "ws/.agent/agents/a.md",
    file("a", "tools: Read, TodoWrite, WebSearch, mcp__git__log, lsp.ts.hover, x_*\n"),
  );
  const roles = await load();
  expect(roles.get("a").tools.allow).toContain("TodoWrite");
  expect(roles.rows().find(({ name }) => name === "a")?.diagnostics).toMatchObject([
    {
      code: "role-tool-unknown",
      severity: "warning",
      line: 4,
      message: "a names TodoWrite, WebSearch, which are no tools here; it goes without",
    },
  ]);
});
test("what is no role is listed with the line and the fix, and hides nothing", async () => {
  const broken = write("ws/.agent/agents/broken.md", "---\nname: [\n---\nx\n");
  write("ws/.agent/agents/silent.md", "---\nname: silent\n---\nx\n");
  write("ws/.agent/agents/README.md", "about this folder\n");
  write("ws/.agent/agents/fine.md", file("fine"));
  const roles = await load();
  const invalid = roles.rows().filter(({ state }) => state === "invalid");
  expect(invalid.map(({ name }) => name)).toEqual(["broken", "silent"]);
  expect(invalid[0]?.diagnostics[0]).toMatchObject({ severity: "error", path: broken });
  expect(invalid[1]?.diagnostics[0]).toMatchObject({ code: "role-no-description" });
  expect(roles.get("fine").prompt).toBe("You do.");
  expect(() => roles.get("silent")).toThrow(/there are explore, fine, general, plan/);
});
test("one file that cannot be reached or is too large stops nothing", async () => {
  write("ws/.agent/agents/fine.md", file("fine"));
  write("ws/.agent/agents/huge.md", `---\ndescription: d\n---\n${"x".repeat(1024 * 1024)}`);
  mkdirSync(path.join(folder, "ws/.agent/agents/folder.md"));
  symlinkSync("loop.md", path.join(folder, "ws/.agent/agents/loop.md"));
  symlinkSync("nowhere.md", path.join(folder, "ws/.agent/agents/gone.md"));
  const roles = await load();
  expect(roles.get("fine").path).toBe(path.join(folder, "ws/.agent/agents/fine.md"));
  expect(roles.diagnostics().map(({ code, path: at }) => `${code} ${path.basename(at ?? "")}`)).toEqual([
    "role-unreadable huge.md",
    "role-unreadable gone.md",
    "role-unreadable loop.md",
  ]);
});
test("instructions: the body, else the key prompt, else it is no role", async () => {
  write("ws/.agent/agents/body.md", "---\ndescription: d\nprompt: not this\n---\nThe body.\n");
  write("ws/.agent/agents/key.md", "---\ndescription: d\nprompt: Quote verbatim.\n---\n\n");
  write("ws/.agent/agents/none.md", "---\ndescription: d\n---\n\n");
  const roles = await load();
  expect(roles.get("body").prompt).toBe("The body.");
  expect(roles.get("key").prompt).toBe("Quote verbatim.");
  expect(roles.rows().find(({ name }) => name === "none")).toMatchObject({
    state: "invalid",
    diagnostics: [{ code: "role-no-instructions" }],
  });
});
test("the second folder of a source has ids of its own; files of the workspace are known as such", async () => {
  write("ws/.dropstone/agents/one.md", file("one"));
  write("ws/.dropstone/agent/one.md", file("one"));
  write("home/.config/dropstone/agent/two.md", file("two"));
  const roles = await load();
  const ids = roles
    .rows()
    .flatMap(({ id, source, state }) => (source === "bundled" ? [] : [`${id} ${state}`]));
  expect(ids).toEqual([
    "agent:project-dropstone/one on",
    "agent:project-dropstone~1/one shadowed",
    "agent:user-dropstone~1/two on",
  ]);
  expect([roles.get("one").inWorkspace, roles.get("two").inWorkspace]).toEqual([true, false]);
});
test("a role reached by two paths is one role", async () => {
  write("ws/.agent/agents/one.md", file("one"));
  mkdirSync(path.join(folder, "ws/.claude"), { recursive: true });
  symlinkSync(path.join(folder, "ws/.agent/agents"), path.join(folder, "ws/.claude/agents"));
  const roles = await load();
  expect(roles.rows().filter(({ name }) => name === "one")).toHaveLength(1);
});
test("the index gives the same roles as the files", async () => {
  const one = write("ws/.agent/agents/one.md", file("one"));
  const first = await load();
  await new Promise((resolve) => setTimeout(resolve, 80));
  await first.reload();
  await first.saveIndex();
  const second = await load();
  expect(second.get("one")).toEqual(first.get("one"));
  writeFileSync(one, file("one", "max_steps: 3\n"));
  await second.reload();
  expect(second.get("one").maxSteps).toBe(3);
});
