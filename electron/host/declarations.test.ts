import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseMcpServers } from "./config/mcp-declaration.ts";
import type { McpDeclaration } from "./config/types.ts";
import { mcpDigest, workspaceDeclarations } from "./declarations.ts";
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
test("a file that is named through a variable counts like any other", () => {
  writeFileSync(path.join(workspace, "server.js"), "1");
  const server = { command: "node", args: ["${ROOT}/server.js"] };
  const before = digest(server, { ROOT: workspace });
  writeFileSync(path.join(workspace, "server.js"), "2");
  expect(digest(server, { ROOT: workspace })).not.toBe(before);
});
test("the user's own declarations are not asked about; the workspace's are, with what trust says", () => {
  const rows = workspaceDeclarations(
    {
      mcp: [declare({ command: "node" }), declare({ command: "node" }, "user")],
      others: [
        {
          kind: "hook",
          name: "SessionStart.a",
          owner: "kairox",
          scope: "workspace",
          file: "/x",
          raw: { command: "touch y" },
        },
      ],
      plugins: [],
    },
    { workspace, env: {} },
    ({ id }) => (id.startsWith("hook") ? "needs_approval" : "untrusted"),
  );
  expect(rows.map(({ id, runs, state }) => [id, runs[0]?.command, state])).toEqual([
    ["mcp:workspace/one", ["node"], "untrusted"],
    ["hook:kairox/SessionStart.a", ["touch y"], "needs_approval"],
  ]);
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
