import { expect, test } from "vitest";
import { parseMcpServers } from "./mcp-declaration.ts";
import type { McpServerConfig } from "./types.ts";

const source = { owner: "user", scope: "user", file: "/c/mcp.json", base: "/ws" } as const;
const read = (servers: unknown) => parseMcpServers({ mcpServers: servers }, source);
const one = (server: unknown): McpServerConfig => {
  const config = read({ s: server }).declarations[0]?.config;
  if (!config) throw new Error("no declaration");
  return config;
};
const defaults = {
  args: [],
  env: {},
  headers: {},
  disabled: false,
  autoApprove: [],
  disabledTools: [],
  keepAlive: false,
  autoRestart: false,
  maxRestartAttempts: 3,
  start: "eager",
  sandbox: false,
};

test("the smallest server has every default", () => {
  expect(one({ command: "npx" })).toEqual({ ...defaults, command: "npx" });
});
test.each([
  [{ type: "http" }, "streamable_http"],
  [{ type: "streamable-http" }, "streamable_http"],
  [{ type: "sse" }, "sse"],
  [{ type: "carrier_pigeon" }, "carrier_pigeon"],
])("type %j is %s", (server, type) => {
  expect(one({ url: "http://x.test", ...server }).type).toBe(type);
});
test("snake and camel case say the same", () => {
  const values = {
    startup_timeout_sec: 5,
    tool_timeout_sec: 6,
    enabled_tools: ["a"],
    disabled_tools: ["b"],
    keep_alive: true,
    idle_timeout_secs: 7,
    auto_restart: true,
    max_restart_attempts: 1,
    api_key_env: "KEY",
    auto_approve: ["t"],
  };
  const camel = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.replaceAll(/_(.)/g, (_m, c: string) => c.toUpperCase()),
      value,
    ]),
  );
  expect(one({ command: "x", ...camel })).toEqual(one({ command: "x", ...values }));
  expect(one({ command: "x", ...values })).toMatchObject({
    startupTimeoutSec: 5,
    toolTimeoutSec: 6,
    enabledTools: ["a"],
    autoApprove: ["t"],
    apiKeyEnv: "KEY",
  });
});
test("Claude's timeout is milliseconds, and the longer name wins", () => {
  expect(one({ command: "x", timeout: 1500 }).toolTimeoutSec).toBe(1.5);
  expect(one({ command: "x", timeout: 1500, tool_timeout_sec: 9 }).toolTimeoutSec).toBe(9);
});
test("autoApprove is true, names, or nothing", () => {
  expect(one({ command: "x", autoApprove: true }).autoApprove).toBe(true);
  expect(one({ command: "x", autoApprove: false }).autoApprove).toEqual([]);
  expect(one({ command: "x", autoApprove: "all" }).autoApprove).toEqual([]);
});
test("a switch that is no boolean counts as the stricter one", () => {
  expect(one({ command: "x", disabled: "perhaps" }).disabled).toBe(true);
  expect(one({ command: "x", disabled: null }).disabled).toBe(true);
  expect(one({ command: "x", sandbox: {} }).sandbox).toBe(true);
  expect(one({ command: "x", enabled: "perhaps" }).disabled).toBe(true);
  expect(one({ command: "x", enabled: false }).disabled).toBe(true);
});
test("a switch may be written in any of its words", () => {
  expect(one({ command: "x", disabled: "no" }).disabled).toBe(false);
  expect(one({ command: "x", disabled: "on" }).disabled).toBe(true);
  expect(one({ command: "x", sandbox: 1 }).sandbox).toBe(true);
  expect(one({ command: "x", enabled: "off" }).disabled).toBe(true);
});
test("a misspelt key is named with the known one; keys of other programs are not spoken of", () => {
  const { diagnostics } = read({
    a: { command: "x", disbled: true, startupTimeout: 3, description: "mine" },
  });
  expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    "warning: mcpServers.a.disbled is no known key; did you mean mcpServers.a.disabled?",
  ]);
});
test("a number that is read as text is not shown: it may be a secret", () => {
  const { diagnostics } = read({ a: { command: "x", env: { PIN: 4711 } } });
  expect(diagnostics).toHaveLength(1);
  expect(JSON.stringify(diagnostics)).not.toContain("4711");
});
test("one bad entry takes no other with it, and stays with its reason", () => {
  const { declarations, diagnostics } = read({ ok: { command: "node" }, bad: { args: "oops" }, worse: 42 });
  expect(declarations.map(({ name, diagnostics: own }) => [name, own.map(({ message }) => message)])).toEqual(
    [
      ["ok", []],
      ["bad", ["mcpServers.bad has neither command nor url", "mcpServers.bad.args must be a list of texts"]],
      ["worse", ["mcpServers.worse is no object"]],
    ],
  );
  expect(diagnostics.every(({ severity, path }) => severity === "error" && path === "/c/mcp.json")).toBe(
    true,
  );
});
test("arguments that stand in the command are arguments, before those of args", () => {
  expect(one({ command: "npx -y server", args: ["--flag"] })).toMatchObject({
    command: "npx",
    args: ["-y", "server", "--flag"],
  });
});
test("command and url together are kept, with an error", () => {
  const { declarations } = read({ both: { command: "x", url: "http://x.test" } });
  expect(declarations[0]).toMatchObject({
    config: { command: "x", url: "http://x.test" },
    diagnostics: [{ severity: "error", message: "mcpServers.both has both command and url" }],
  });
});
test("numbers in env become text, with a note", () => {
  const { declarations } = read({ s: { command: "x", env: { N: 8, EMPTY: "", LIST: [] } } });
  expect(declarations[0]?.config.env).toEqual({ N: "8", EMPTY: "" });
  expect(declarations[0]?.diagnostics.map(({ severity }) => severity)).toEqual(["info", "error"]);
});
test("without the wrapper only what looks like a server is one", () => {
  const { declarations } = parseMcpServers(
    { $schema: "x", inputs: [], a: { command: "x" }, b: { url: "u" } },
    source,
  );
  expect(declarations.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(parseMcpServers({ mcpServers: [] }, source).diagnostics).toMatchObject([{ code: "mcp-invalid" }]);
  expect(parseMcpServers(undefined, source)).toEqual({ declarations: [], diagnostics: [] });
});
test("names that JavaScript knows are names like others", () => {
  const raw: unknown = JSON.parse(
    '{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}}',
  );
  expect(parseMcpServers(raw, source).declarations.map(({ name }) => name)).toEqual([
    "__proto__",
    "constructor",
  ]);
});
