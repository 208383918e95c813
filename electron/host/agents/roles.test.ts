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
