import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { McpImportRow } from "../../../../shared/mcp.ts";
import { declare } from "../mcp.testkit.ts";
import { importables, type Importable, maskedCommand } from "./importable.ts";
import { importPlaces, type Machine } from "./places.ts";

let home: string;
let machine: Machine;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-import-"));
  machine = { platform: "linux", home, env: {}, workspace: path.join(home, "ws") };
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));
function write(file: string, content: unknown): void {
  const where = path.join(home, file);
  fs.mkdirSync(path.dirname(where), { recursive: true });
  fs.writeFileSync(where, typeof content === "string" ? content : JSON.stringify(content));
}
async function found(name: string, present: Parameters<typeof importables>[1] = []): Promise<Importable> {
  const { all } = await importables(machine, present);
  const entry = all.find(({ row }) => row.name === name);
  if (!entry) throw new Error(`no ${name} among ${all.map(({ row }) => row.name).join(", ")}`);
  return entry;
}

describe("where clients keep their servers", () => {
  test.each<[NodeJS.Platform, string, string[]]>([
    [
      "linux",
      "/home/u",
      [
        "/home/u/.config/Claude/claude_desktop_config.json",
        "/home/u/.claude.json",
        "/home/u/.cursor/mcp.json",
        "/home/u/.config/Code/User/mcp.json",
        "/home/u/.codex/config.toml",
        "/home/u/.gemini/settings.json",
        "/home/u/.config/opencode/opencode.jsonc",
      ],
    ],
    [
      "darwin",
      "/Users/u",
      [
        "/Users/u/Library/Application Support/Claude/claude_desktop_config.json",
        "/Users/u/Library/Application Support/Code/User/mcp.json",
        "/Users/u/.config/opencode/opencode.json",
      ],
    ],
    [
      "win32",
      "C:\\Users\\u",
      [
        "C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
        "C:\\Users\\u\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json",
        "C:\\Users\\u\\AppData\\Roaming\\Code\\User\\mcp.json",
        "C:\\Users\\u\\.cursor\\mcp.json",
        "C:\\Users\\u\\.codex\\config.toml",
      ],
    ],
  ])("%s", (platform, where, files) => {
    const places = importPlaces({ platform, home: where, env: {}, workspace: where }).map(({ file }) => file);
    for (const file of files) expect(places).toContain(file);
  });
  test("variables move them", () => {
    const env = { XDG_CONFIG_HOME: "/x", CODEX_HOME: "/codex", CLAUDE_CONFIG_DIR: "/claude" };
    const places = importPlaces({ ...machine, env }).map(({ file }) => file);
    for (const file of ["/x/Claude/claude_desktop_config.json", "/codex/config.toml", "/claude/.claude.json"])
      expect(places).toContain(file);
  });
});

describe("an entry of each client", () => {
  test("Claude Desktop, with comments and a byte order mark", async () => {
    write(
      ".config/Claude/claude_desktop_config.json",
      `\uFEFF{ // mine\n "mcpServers": { "files": { "command": "npx", "args": ["-y", "x"], "env": {"A_TOKEN": "v"}, }, } }`,
    );
    const { row, raw } = await found("files");
    expect(row).toMatchObject({
      client: "claude-desktop",
      clientName: "Claude Desktop",
      state: "new",
      transport: "stdio",
      command: ["npx", "-y", "x"],
      brings: ["A_TOKEN"],
      notes: [],
      as: "files",
    });
    expect(raw).toEqual({ command: "npx", args: ["-y", "x"], env: { A_TOKEN: "v" } });
    expect(JSON.stringify(row)).not.toContain('"v"');
  });
  test("Claude Code, everywhere and for one project", async () => {
    write(".claude.json", {
      mcpServers: { all: { type: "http", url: "https://x.test/mcp" } },
      projects: { "/p": { mcpServers: { own: { type: "stdio", command: "srv" } } }, "/q": 1 },
    });
    expect((await found("all")).row).toMatchObject({ transport: "streamable_http", client: "claude-code" });
    expect((await found("own")).row).toMatchObject({
      project: "/p",
      notes: ["it counted in /p alone; here it counts in every folder"],
    });
  });
  test("VS Code, with what it asks for", async () => {
    write(".config/Code/User/mcp.json", {
      inputs: [
        { id: "gh-token", type: "promptString", description: "GitHub token", password: true },
        { id: "region", type: "promptString", default: "eu" },
      ],
      servers: {
        gh: {
          type: "stdio",
          command: "${workspaceFolder}/srv",
          args: ["--region", "${input:region}", "${command:pick}"],
          env: { TOKEN: "${input:gh-token}", HOME2: "${userHome}/x", E: "${env:E}" },
          envFile: ".env",
        },
      },
    });
    const { row, raw } = await found("gh");
    expect(raw).toEqual({
      type: "stdio",
      command: "./srv",
      args: ["--region", "${REGION:-eu}", "${command:pick}"],
      env: { TOKEN: "${GH_TOKEN}", HOME2: "${HOME}/x", E: "${E}" },
    });
    const notes = row.notes.join("\n");
    for (const part of ["“GitHub token”: set the variable GH_TOKEN", "${command:pick} is not known", ".env"])
      expect(notes).toContain(part);
  });
  test("Codex", async () => {
    write(
      ".codex/config.toml",
      '[mcp_servers.a]\ncommand = "srv"\nenv_vars = ["KEY"]\nstartup_timeout_ms = 5000\nenabled = false\n' +
        '[mcp_servers.b]\nurl = "https://x.test"\nbearer_token_env_var = "T"\nenv_http_headers = { "X-A" = "AV" }\n',
    );
    expect((await found("a")).raw).toEqual({
      command: "srv",
      env: { KEY: "" },
      startup_timeout_sec: 5,
      disabled: true,
    });
    expect((await found("b")).raw).toEqual({
      url: "https://x.test",
      api_key_env: "T",
      headers: { "X-A": "${AV}" },
    });
  });
  test("Gemini", async () => {
    write(".gemini/settings.json", {
      theme: "x",
      mcpServers: {
        a: { httpUrl: "https://x.test/mcp", headers: { A: "$TOKEN" }, trust: true, includeTools: ["t"] },
        b: { url: "https://x.test/sse", timeout: 5000 },
      },
    });
    const { row, raw } = await found("a");
    expect(raw).toEqual({
      headers: { A: "${TOKEN}" },
      url: "https://x.test/mcp",
      type: "streamable_http",
      enabled_tools: ["t"],
    });
    expect(row.notes).toEqual(["trust is left out: nothing is approved by an import"]);
    expect((await found("b")).raw).toEqual({ url: "https://x.test/sse", type: "sse", timeout: 5000 });
  });
  test("opencode", async () => {
    write(
      ".config/opencode/opencode.jsonc",
      `{ /* x */ "mcp": { "l": { "type": "local", "command": ["bun", "x", "srv"], "environment": {"K": "{env:K}"}, "enabled": false },
         "r": { "type": "remote", "url": "https://x.test", "headers": {"A": "Bearer {file:~/.tok}"} } } }`,
    );
    expect((await found("l")).raw).toEqual({
      command: "bun",
      args: ["x", "srv"],
      env: { K: "${K}" },
      disabled: true,
    });
    const { row, raw } = await found("r");
    expect(raw).toEqual({ url: "https://x.test", headers: { A: "Bearer ${_TOK}" } });
    expect(row.notes).toEqual(["reads ~/.tok: put what it holds into the variable _TOK"]);
  });
});

test("what is here already, what takes a name, and what cannot be used is told; a broken file costs no other", async () => {
  write(".cursor/mcp.json", {
    mcpServers: {
      same: { command: "srv" },
      taken: { command: "other" },
      "we/ird": { command: "w" },
      nothing: {},
      both: { command: "x", url: "https://x.test" },
      ws: { type: "ws", url: "wss://x.test" },
      text: "srv",
    },
  });
  write(".gemini/settings.json", "{ broken");
  write(".codex/config.toml", "= 1");
  const present = [declare("other-name", { command: "srv" }), declare("taken", { command: "mine" })];
  const { all, files } = await importables(machine, present);
  const states = Object.fromEntries(
    all.map(({ row }): [string, McpImportRow["state"]] => [row.name, row.state]),
  );
  expect(states).toEqual({
    same: "present",
    taken: "renamed",
    "we/ird": "renamed",
    nothing: "unusable",
    both: "unusable",
    ws: "unusable",
    text: "unusable",
  });
  expect((await found("taken", present)).row.as).toBe("taken-cursor");
  expect((await found("we/ird")).row.as).toBe("we_ird");
  expect(all.filter(({ row }) => row.state === "unusable").every(({ row }) => row.notes.length > 0)).toBe(
    true,
  );
  expect(files.filter(({ error }) => error !== undefined)).toHaveLength(2);
});

test.each<[object, string[]]>([
  [
    { command: "x", args: ["--api-key", "abc", "--token=abc", "--port=1"] },
    ["x", "--api-key", "***", "--token=***", "--port=1"],
  ],
  [
    { command: "x", args: ["--header", "Authorization: Bearer abcdefghijk"] },
    ["x", "--header", "Authorization: ***"],
  ],
  [
    { command: "x", args: ["ghp_abcdefghijkl", "${MY_KEY}", "TOKEN=${T}"] },
    ["x", "***", "${MY_KEY}", "TOKEN=${T}"],
  ],
  [{ url: "https://u:pw@x.test/mcp?api_key=abc&q=1" }, ["https://u:***@x.test/mcp?api_key=***&q=1"]],
  [{ url: "https://x.test/s/1b4c9a8d7e6f5a4b3c2d1e0f9a8b7c6d/mcp" }, ["https://x.test/s/***/mcp"]],
  [{ url: "https://${HOST}/mcp?token=abc" }, ["https://${HOST}/mcp?token=***"]],
])("secrets on a command line are masked: %j", (raw, words) => {
  expect(maskedCommand({ ...raw })).toEqual(words);
});
