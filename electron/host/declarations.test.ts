import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseMcpServers } from "./config/mcp-declaration.ts";
import { ConfigStore } from "./config/store.ts";
import type { McpDeclaration } from "./config/types.ts";
import { approvable, mcpDigest, mcpRun, workspaceDeclarations } from "./declarations.ts";
import { realPath } from "./kit/files.ts";

let workspace: string;
beforeEach(() => (workspace = realPath(mkdtempSync(path.join(os.tmpdir(), "nacre-declared-")))));
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function declare(server: object, scope: "workspace" | "user" = "workspace"): McpDeclaration {
  const { declarations } = parseMcpServers(
    { mcpServers: { one: server } },
    { owner: scope, scope, file: path.join(workspace, "mcp.json"), base: workspace },
  );
  const [declaration] = declarations;
  if (!declaration) throw new Error("no server");
  return declaration;
}
const digest = (server: object, env: NodeJS.ProcessEnv = {}): string =>
  mcpDigest(declare(server), { workspace, env });

test("any change of what starts changes the digest: arguments, environment, url, the file that is run", () => {
  writeFileSync(path.join(workspace, "server.js"), "1");
  const base = { command: "node", args: ["server.js"] };
  const first = digest(base);
  expect(digest({ ...base })).toBe(first);
  const others = [
    { ...base, args: ["server.js", "--unsafe"] },
    { ...base, env: { A: "1" } },
    { ...base, cwd: "sub" },
    { ...base, autoApprove: true },
    { url: "https://example.com/mcp" },
  ];
  for (const other of others) expect(digest(other)).not.toBe(first);
  writeFileSync(path.join(workspace, "server.js"), "2");
  expect(digest(base)).not.toBe(first);
});
test("a first review tells everything that an entry says beside its command: nothing that steers it is out of sight", () => {
  const entry = {
    command: "node",
    args: ["server.js"],
    env: { NODE_OPTIONS: "--require ./x.js" },
    headers: { Authorization: "Bearer ${SECRET}" },
    autoApprove: ["create_entities"],
    cwd: "sub",
  };
  expect(mcpRun(declare(entry))).toEqual({
    what: "",
    command: ["node", "server.js"],
    settings: [
      { name: "env.NODE_OPTIONS", value: "--require ./x.js" },
      { name: "headers.Authorization", value: "Bearer ${SECRET}" },
      { name: "autoApprove", value: '["create_entities"]' },
      { name: "cwd", value: "sub" },
    ],
  });
});
test("a file that is named through a variable counts like any other", () => {
  writeFileSync(path.join(workspace, "server.js"), "1");
  const server = { command: "node", args: ["${ROOT}/server.js"] };
  const before = digest(server, { ROOT: workspace });
  writeFileSync(path.join(workspace, "server.js"), "2");
  expect(digest(server, { ROOT: workspace })).not.toBe(before);
});
const trustThat = (trusted: boolean, approved: Readonly<Record<string, string>> = {}, given = true) => ({
  isTrusted: () => trusted,
  hasApprovals: () => given,
  stateOf: ({ id, digest: now }: { id: string; digest: string }) =>
    !trusted
      ? ("untrusted" as const)
      : approved[id] === now
        ? ("approved" as const)
        : ("needs_approval" as const),
});
const nothing = { mcp: [], others: [], plugins: [], ruleFiles: [] };
const hook = {
  kind: "hook" as const,
  name: "SessionStart.a",
  owner: "kairox",
  scope: "workspace" as const,
  file: "/x",
  raw: { command: "touch y" },
};
test("the user's own declarations are not asked about; the workspace's are, with what trust says", () => {
  const mcp = [declare({ command: "node" }), declare({ command: "node" }, "user")];
  const rows = (trust: ReturnType<typeof trustThat>) =>
    workspaceDeclarations({ ...nothing, mcp, others: [hook] }, { workspace, env: {} }, trust);
  const [server] = rows(trustThat(true));
  expect(
    rows(trustThat(true, { "mcp:workspace/one": server?.digest ?? "" })).map(
      ({ row: { id, runs }, state }) => [id, runs[0]?.command, state],
    ),
  ).toEqual([
    ["mcp:workspace/one", ["node"], "approved"],
    ["hook:kairox/SessionStart.a", ["touch y"], "needs_approval"],
  ]);
  expect(rows(trustThat(false)).map(({ state }) => state)).toEqual(["untrusted", "untrusted"]);
});
test("what cannot be read whole waits, is approved by nobody and breaks no list", () => {
  const file = path.join(workspace, "server.js");
  writeFileSync(file, "");
  truncateSync(file, 300 * 1024 * 1024);
  const mcp = [declare({ command: "node", args: ["server.js"] })];
  const [row] = workspaceDeclarations({ ...nothing, mcp }, { workspace, env: {} }, trustThat(true));
  expect(row?.state).toBe("needs_approval");
  expect(row ? approvable([row]) : undefined).toEqual([]);
});
test("a file of rules is asked about where it allows something, for anybody or for a role", async () => {
  const rulesIn = async (text: string) => {
    const file = path.join(workspace, "dropstone.json");
    writeFileSync(file, text);
    const paths = { home: workspace, config: workspace, data: workspace, cache: workspace, cst: workspace };
    const { current } = await ConfigStore.open({ workspace, paths });
    return (trust: ReturnType<typeof trustThat>) =>
      workspaceDeclarations({ ...nothing, ruleFiles: current.ruleFiles }, { workspace, env: {} }, trust);
  };
  for (const narrow of [
    "{}",
    '{"permission": {"run_shell": "deny", "*": "ask"}}',
    '{"agent": {"x": {"tools": {"skill": false}}}}',
  ])
    expect((await rulesIn(narrow))(trustThat(true)), narrow).toEqual([]);
  const digests = new Set<string>();
  for (const wide of [
    '{"permission": {"run_shell": {"git *": "allow", "*": "deny"}}}',
    '{"permission": {"run_shell": {"*": "deny", "git *": "allow"}}}',
    '{"permission": "allow"}',
    '{"agent": {"plan": {"permission": {"run_shell": "allow"}}}}',
    '{"agent": {"plan": {"tools": {"run_shell": true}}}}',
  ]) {
    const rows = (await rulesIn(wide))(trustThat(true));
    expect(
      rows.map(({ row: { id, kind, state } }) => [id, kind, state]),
      wide,
    ).toEqual([["rules:project/dropstone.json", "rules", "needs_approval"]]);
    expect(rows[0]?.row.runs.flatMap(({ command }) => command)).toHaveLength(1);
    digests.add(rows[0]?.digest ?? "");
  }
  expect(digests.size, "the order of rules is their meaning").toBe(5);
  const all = await rulesIn('{"permission": "allow"}');
  expect(all(trustThat(false))[0]?.state).toBe("untrusted");
  expect(all(trustThat(true, {}, false))[0]?.state, "a path written by hand").toBe("approved");
});
test("a program beside the declaration counts where cwd lies elsewhere, and files named inside an argument or a variable", () => {
  const cases: readonly [object, string][] = [
    [{ command: "./run.js", cwd: "sub" }, "run.js"],
    [{ command: "sh", args: ["-c", "exec node s.js"] }, "s.js"],
    [{ command: "node", args: ["x"], env: { NODE_OPTIONS: "--require ./pre.js" } }, "pre.js"],
  ];
  for (const [server, file] of cases) {
    writeFileSync(path.join(workspace, file), "1");
    const before = digest(server);
    writeFileSync(path.join(workspace, file), "2");
    expect(digest(server), file).not.toBe(before);
  }
});

test.each([
  [
    "the program itself, found along a declared PATH",
    { command: "tool", env: { PATH: "bin:${PATH}" } },
    "bin/tool",
  ],
  [
    "a program of a shell's line, along a declared PATH",
    { command: "sh", args: ["-c", "tool --x"], env: { PATH: "${WS}/bin" } },
    "bin/tool",
  ],
  [
    "a script below the folder that a shell goes to",
    { command: "sh", args: ["-c", "cd sub && sh a.sh"] },
    "sub/a.sh",
  ],
  [
    "a script two folders further",
    { command: "sh", args: ["-c", "cd sub; cd deep; ./a.sh"] },
    "sub/deep/a.sh",
  ],
  [
    "a module of PYTHONPATH",
    { command: "python3", args: ["-m", "m"], env: { PYTHONPATH: "lib" } },
    "lib/m.py",
  ],
  [
    "a package of NODE_PATH",
    { command: "node", args: ["-r", "m", "x"], env: { NODE_PATH: "lib" } },
    "lib/m.js",
  ],
  ["make's file", { command: "make", args: ["serve"] }, "Makefile"],
  ["make's file in the folder of -C", { command: "make", args: ["-C", "sub", "serve"] }, "sub/makefile"],
  ["just's file", { command: "sh", args: ["-c", "just serve"] }, "justfile"],
  ["task's file", { command: "task", args: ["serve"] }, "Taskfile.yml"],
])("what runs without being named by its path counts: %s", (_what, server, file) => {
  const written = path.join(workspace, file);
  mkdirSync(path.dirname(written), { recursive: true });
  writeFileSync(written, "1");
  const env = { WS: workspace, PATH: "/usr/bin" };
  const before = digest(server, env);
  writeFileSync(written, "2");
  expect(digest(server, env)).not.toBe(before);
});
test("a command that names many folders is taken apart in bounded time, and none outside of the workspace", () => {
  for (let index = 0; index < 60; index++) mkdirSync(path.join(workspace, `d${index}`));
  writeFileSync(path.join(workspace, "d1/x.sh"), "1");
  const words = Array.from({ length: 60 }, (_, index) => `d${index}`).join(" ");
  const server = {
    command: "sh",
    args: ["-c", `ls ${words} x.sh / /usr/bin ..`],
    env: { PATH: "/usr/bin:/bin" },
  };
  const before = digest(server);
  writeFileSync(path.join(workspace, "d1/x.sh"), "2");
  expect(digest(server)).not.toBe(before);
});
