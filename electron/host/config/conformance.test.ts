import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  agents,
  declaring,
  isToml,
  mcpFiles,
  rules,
  servers,
  userMcp,
  userToml,
  workspaceToml,
} from "./source-files.testkit.ts";
import { ConfigStore } from "./store.ts";
import type { Config } from "./types.ts";
import { createWorld, type World } from "./world.testkit.ts";

/**
 * Spec 2's table of files, row by row, each with the example of the page that its format comes from. The project root is
 * `project`, the workspace two folders further in.
 */
let world: World;
beforeEach(() => {
  world = createWorld();
  fs.mkdirSync(path.join(world.top, "project/.git"), { recursive: true });
  fs.mkdirSync(path.join(world.top, "project/apps/web"), { recursive: true });
});
afterEach(() => world.remove());
const open = async (): Promise<Config> =>
  (await ConfigStore.open({ workspace: path.join(world.top, "project/apps/web"), paths: world.paths }))
    .current;
const at = (file: string): string => path.join(world.top, file);

describe("MCP servers", () => {
  test("the page's mcp.json, in each of its four places", async () => {
    // systems/hermit.md
    const page = `{
      "mcpServers": {
        "filesystem": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] },
        "github": {
          "command": "github-mcp-server", "args": ["stdio"],
          "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "\${GITHUB_TOKEN}"},
          "autoApprove": ["get_issue", "search_code"]
        },
        "old": {"command": "foo", "disabled": true}
      }
    }`;
    for (const file of [...mcpFiles, ...userMcp]) {
      world.write(file, page);
      const config = await open();
      expect(config.diagnostics).toEqual([]);
      expect(
        config.mcp.filter((one) => one.file === at(file)).map(({ name, config: server }) => [name, server]),
      ).toMatchObject([
        ["filesystem", { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] }],
        [
          "github",
          {
            env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${GITHUB_TOKEN}" },
            autoApprove: ["get_issue", "search_code"],
            autoRestart: false,
          },
        ],
        ["old", { disabled: true }],
      ]);
    }
  });
  test("the page's TOML, in each of its places", async () => {
    // systems/kairox.md
    const page = `
[mcp_servers.git]
type = "stdio"
command = "npx"
args = ["-y", "@modelcontextprotocol/server-git", "--repository", "."]

[mcp_servers.github]
type = "stdio"
command = "npx"
args = ["-y", "@modelcontextprotocol/server-github"]
env = { GITHUB_PERSONAL_ACCESS_TOKEN = "" }

[mcp_servers.search]
type = "sse"
url = "https://example.com/mcp"
headers = { Authorization = "Bearer \${SEARCH_TOKEN}" }

[mcp_servers.remote-http]
type = "streamable_http"
url = "https://example.com/mcp"
api_key_env = "MCP_API_TOKEN"

[lsp_servers.rust-analyzer]
command = "rust-analyzer"
args = []
languages = ["rust"]
file_patterns = ["*.rs"]

[dap_servers.codelldb]
command = "codelldb"
args = ["--port", "0"]
languages = ["rust", "c", "cpp"]

[features]
hooks = true
[hooks.PreToolUse.guard]
matcher = "shell.exec"
command = "guard"
timeout_secs = 5
`;
    for (const file of [...workspaceToml, ...userToml]) {
      world.write(file, page);
      const config = await open();
      expect(config.diagnostics).toEqual([]);
      const own = config.mcp.filter((one) => one.file === at(file));
      expect(own.map(({ name, config: server }) => [name, server])).toMatchObject([
        ["git", { type: "stdio", command: "npx", autoRestart: true, maxRestartAttempts: 3 }],
        ["github", { env: { GITHUB_PERSONAL_ACCESS_TOKEN: "" } }],
        ["search", { type: "sse", headers: { Authorization: "Bearer ${SEARCH_TOKEN}" } }],
        ["remote-http", { type: "streamable_http", apiKeyEnv: "MCP_API_TOKEN" }],
      ]);
      expect(
        config.others.filter((one) => one.file === at(file)).map(({ kind, name, raw }) => [kind, name, raw]),
      ).toMatchObject([
        ["lsp", "rust-analyzer", { file_patterns: ["*.rs"] }],
        ["dap", "codelldb", { args: ["--port", "0"] }],
        ["hook", "PreToolUse.guard", { matcher: "shell.exec", timeout_secs: 5 }],
      ]);
    }
  });
  test("one name in every file: workspace before user, then the order of the table; every loser is kept", async () => {
    for (const file of servers) world.write(file, declaring(file, "same"));
    const { mcp } = await open();
    expect(mcp.map(({ file }) => path.relative(world.top, file))).toEqual(servers);
    expect(mcp.map(({ config }) => config.command)).toEqual(servers);
    // No two have one id, and the user's keep theirs whatever a workspace declares.
    const ids = mcp.map(({ owner, name }) => `${owner}/${name}`);
    expect(new Set(ids).size).toBe(servers.length);
    expect(ids.slice(-4)).toEqual(["user/same", "cst/same", "kairox/same", "kairox~1/same"]);
  });
  test("each file alone is read, and each is the workspace's or the user's", async () => {
    for (const file of servers) {
      const written = world.write(file, declaring(file, "one"));
      const { mcp, diagnostics } = await open();
      expect(mcp.map(({ name, scope }) => [name, scope])).toEqual([
        ["one", file.startsWith("project") ? "workspace" : "user"],
      ]);
      expect(diagnostics).toEqual([]);
      fs.rmSync(written);
    }
  });
});

describe("permission", () => {
  test("the page's dropstone.json, in each of its places", async () => {
    // systems/dropstone.md
    const page = `{
      "$schema": "https://dropstone.dev/config.json", "theme": "dark",
      "permission": {
        "skill": { "*": "allow", "pr-review": "allow", "internal-*": "deny", "experimental-*": "ask" }
      },
      "agent": {
        "plan": { "permission": { "skill": { "internal-*": "allow" } }, "tools": { "skill": false } }
      }
    }`;
    for (const file of rules.slice(1)) {
      const written = world.write(file, page);
      const config = await open();
      expect(config.diagnostics).toEqual([]);
      expect(config.rules.map(({ tool, pattern, answer }) => `${tool} ${pattern} ${answer}`)).toEqual([
        "skill * allow",
        "skill pr-review allow",
        "skill internal-* deny",
        "skill experimental-* ask",
      ]);
      expect(config.agents["plan"]).toMatchObject({
        rules: [{ pattern: "internal-*", answer: "allow", trusted: !file.startsWith("project") }],
        tools: { skill: false },
      });
      fs.rmSync(written);
    }
  });
  test("rules join in the order settings, user, project from the root down; roles alike", async () => {
    for (const file of rules)
      world.write(
        file,
        JSON.stringify({
          permission: { skill: { [file]: "deny" } },
          agent: { plan: { permission: { skill: { [`plan ${file}`]: "deny" } }, tools: { [file]: false } } },
        }),
      );
    const config = await open();
    expect(config.diagnostics).toEqual([]);
    expect(config.rules.map(({ pattern }) => pattern)).toEqual(rules);
    expect(config.agents["plan"]?.rules.map(({ pattern }) => pattern)).toEqual(
      rules.map((file) => `plan ${file}`),
    );
    expect(Object.keys(config.agents["plan"]?.tools ?? {})).toEqual(rules);
  });
});

test("settings.json: the keys of the table", async () => {
  world.write(
    "config/settings.json",
    `{
      // a comment
      "model": "local/m",
      "models": {"providers": {"local": {"baseUrl": "http://127.0.0.1:1/v1", "apiKey": "\${KEY}"}}},
      "policy": {"approval": "auto", "sandbox": "read_only", "writable_roots": ["~/out"], "network_access": false},
      "permission": {"run_shell": {"git status*": "allow"}, "fetch_url": {"*.example.com": "allow"}, "write_file": {"docs/**": "allow"}},
      "agent": {"explore": {"tools": {"grep": false}}},
      "trusted_workspaces": ["/somewhere"],
      "switches": {"mcp:user/github": false},
      "appearance": {"theme": "dark"},
    }`,
  );
  const config = await open();
  expect(config.diagnostics).toEqual([]);
  expect(config.settings).toMatchObject({
    model: "local/m",
    policy: { approval: "on_request", sandbox: "read_only" },
    trustedWorkspaces: ["/somewhere"],
    switches: { "mcp:user/github": false },
    appearance: { theme: "dark" },
  });
  expect(config.rules.map(({ tool, pattern }) => `${tool} ${pattern}`)).toEqual([
    "run_shell git status*",
    "fetch_url *.example.com",
    "write_file docs/**",
  ]);
  expect(config.agents["explore"]?.tools).toEqual({ grep: false });
});
test("keybinds.json", async () => {
  world.write(
    "config/keybinds.json",
    `{
  // mine
  "palette": "ctrl+k",
  "new-session": ["ctrl+x n", "F2"],
  "stop": false,
  "bad": "hyper+q",
  "half": ["ctrl+s", 3],
}`,
  );
  const { keybinds, diagnostics } = await open();
  expect(keybinds).toEqual({
    palette: ["ctrl+k"],
    "new-session": ["ctrl+x n", "F2"],
    stop: [],
    half: ["ctrl+s"],
  });
  expect(diagnostics.map(({ code, path: file, line }) => [code, file, line])).toEqual([
    ["keybinds-invalid", at("config/keybinds.json"), 6],
    ["keybinds-invalid", at("config/keybinds.json"), 7],
  ]);
});
test("instructions: AGENTS.md and every TOML file, outermost first", async () => {
  for (const file of agents) world.write(file, file);
  for (const file of [...workspaceToml, ...userToml]) world.write(file, `instructions = "${file}"\n`);
  const { instructions, diagnostics } = await open();
  expect(diagnostics).toEqual([]);
  expect(instructions.map(({ text }) => text)).toEqual([
    ...userToml.toReversed(),
    ...agents,
    ...workspaceToml.toReversed(),
  ]);
});

describe("a broken file", () => {
  const jsonc = [...mcpFiles, ...userMcp, ...rules, "config/keybinds.json"];
  const toml = [...workspaceToml, ...userToml];
  test.each([...jsonc, ...toml])(
    "is named with path, line, message and fix, and takes nothing with it: %s",
    async (file) => {
      for (const other of servers) if (other !== file) world.write(other, declaring(other, "kept"));
      for (const other of rules) if (other !== file) world.write(other, '{"permission": {"skill": "ask"}}');
      world.write(
        file,
        isToml(file) ? '# one\nx = 1\n[mcp_servers.a\ncommand = "x"\n' : '{\n  "a": 1,\n  "b" 2\n}',
      );
      const config = await open();
      const broken = config.diagnostics.filter(({ code }) => code === "file-broken");
      expect(broken).toEqual([
        {
          code: "file-broken",
          severity: "error",
          path: at(file),
          line: 3,
          message: expect.stringMatching(/ does not parse: .+; nothing of it counts$/),
          fix: "mend this line",
        },
      ]);
      expect(config.mcp).toHaveLength(servers.filter((other) => other !== file).length);
      expect(config.rules).toHaveLength(rules.filter((other) => other !== file).length);
    },
  );
  test.each([
    ["project/kairox.toml", '# x\n[mcp_servers.a]\ncommand = "x"\nargs = 1\n', "mcp-invalid", 4],
    ["project/kairox.toml", 'a.b = 1\n[lsp_servers]\nrust = "ra"\n', "toml-invalid", 3],
    ["config/nacre.toml", 'x = """\n[hooks.Stop]\nhooks = 1\n"""\nhooks = 3\n', "toml-invalid", 5],
    ["config/nacre.toml", 'disabled_mcp_servers = "a"\n', "toml-invalid", 1],
    ["config/nacre.toml", 'x = 1\n[mcp_server.a]\ncommand = "x"\n', "toml-invalid", 2],
    ["config/nacre.toml", "\ninstructions = 3\n", "toml-invalid", 2],
    ["project/dropstone.json", '{\n "agent": {\n  "plan": 1}}', "agent-invalid", 3],
    ["project/dropstone.json", '{\n "agent": {"plan":\n {"tools": {"x": "perhaps"}}}}', "agent-invalid", 3],
    ["project/dropstone.json", '{\n "permision": {}}', "agent-invalid", 2],
    ["config/mcp.json", "[]", "mcp-invalid", undefined],
    ["config/mcp.json", '{\n"mcpServers": {\n"a": {"command": "x", "url": "http://x"}}}', "mcp-invalid", 3],
    ["config/keybinds.json", "[]", "keybinds-invalid", undefined],
    [
      "project/apps/web/.mcp.json",
      '{"mcpServers": {"a": {"command": "x"},\n"a": {"command": "y"}}}',
      "key-twice",
      2,
    ],
  ])("a wrong value is named with its place: %s %j", async (file, text, code, line) => {
    world.write(file, text);
    const { diagnostics } = await open();
    expect(diagnostics.map((one) => [one.code, one.path, one.line])).toEqual([[code, at(file), line]]);
    expect(diagnostics[0]?.fix).toBeTruthy();
  });
});

test("names of the language are names like any other in every file, and nothing of the language changes", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const members = (value: string): string =>
    names.map((name) => `${JSON.stringify(name)}: ${value}`).join(", ");
  world.write(
    "config/mcp.json",
    `{"mcpServers": {${members('{"command": "x", "env": {"__proto__": "y"}}')}}}`,
  );
  world.write(
    "project/kairox.toml",
    names
      .flatMap((name) => [`[mcp_servers.${name}]\ncommand = "x"`, `[lsp_servers.${name}]\ncommand = "x"`])
      .join("\n"),
  );
  world.write(
    "project/dropstone.json",
    `{"permission": {${members(`{${members('"deny"')}}`)}}, "agent": {${members('{"permission": "ask", "tools": {"__proto__": false}}')}}, "__proto__": {"permission": "allow"}}`,
  );
  world.write("config/keybinds.json", `{${members('"f2"')}}`);
  world.write(
    "config/settings.json",
    `{"switches": {${members("false")}}, "__proto__": {"model": "evil/x"}}`,
  );
  const config = await open();
  expect(config.mcp.map(({ name }) => name)).toEqual([...names, ...names]);
  expect(Object.entries(config.mcp.at(-1)?.config.env ?? {})).toEqual([["__proto__", "y"]]);
  expect(config.others.map(({ name }) => name)).toEqual(names);
  expect(config.rules).toHaveLength(names.length ** 2);
  expect(Object.keys(config.agents)).toEqual(names);
  for (const name of names) expect(config.agents[name]?.rules).toHaveLength(1);
  expect(Object.keys(config.keybinds)).toEqual(names);
  expect(Object.keys(config.settings.switches)).toEqual(names);
  expect(config.settings.model).toBeNull();
  for (const word of ["permission", "model", "command", "tools"]) expect({}).not.toHaveProperty(word);
});
