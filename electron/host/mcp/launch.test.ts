import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  declaredCommand,
  declaredSecrets,
  declaredTransport,
  planLaunch,
  idleTimeoutMs,
  startupTimeoutMs,
  toolTimeoutMs,
} from "./launch.ts";
import { declare } from "./mcp.testkit.ts";

const base = path.resolve("/ws");
const env: Record<string, string> = { TOKEN: "t0ken", URLHOST: "example.test", DIR: "sub" };
const sources = {
  variable: (name: string) => env[name],
  secret: (name: string) => (name === "gh" ? "s3cret" : undefined),
};
const plan = (config: Parameters<typeof declare>[1], more: Parameters<typeof declare>[2] = {}) =>
  planLaunch(declare("s", config, { base, ...more }), sources);

describe("launch", () => {
  it("resolves a stdio server against its base", () => {
    expect(
      plan({
        command: "./bin/server",
        args: ["--k=${TOKEN}", "a b"],
        cwd: "${DIR}",
        env: { TOKEN: "", PLAIN: "x", D: "${NO:-d}" },
      }),
    ).toEqual({
      kind: "launch",
      launch: {
        kind: "stdio",
        command: path.resolve(base, "bin/server"),
        args: ["--k=t0ken", "a b"],
        cwd: path.resolve(base, "sub"),
        env: { TOKEN: "t0ken", PLAIN: "x", D: "d" },
      },
      secrets: ["t0ken", "t0ken", "t0ken"],
    });
    expect(plan({ command: "npx" })).toMatchObject({ launch: { command: "npx", cwd: base, args: [] } });
  });
  it("knows the declaration's own variables first", () => {
    const variables = { CLAUDE_PLUGIN_ROOT: "/plugins/p", TOKEN: "own" };
    expect(plan({ command: "${CLAUDE_PLUGIN_ROOT}/x", args: ["${TOKEN}"] }, { variables })).toMatchObject({
      launch: { command: path.resolve("/plugins/p/x"), args: ["own"] },
    });
  });
  it("resolves remote servers", () => {
    expect(plan({ url: "https://${URLHOST}/mcp", headers: { "X-Key": "${secret:gh}" } })).toMatchObject({
      launch: { kind: "http", headers: { "X-Key": "s3cret" }, transport: null },
    });
    expect(
      plan({ url: "http://h/mcp", type: "http", apiKeyEnv: "TOKEN", headers: { authorization: "x" } }),
    ).toMatchObject({ launch: { transport: "streamable_http", headers: { Authorization: "Bearer t0ken" } } });
    expect(plan({ url: "http://h/sse", type: "sse" })).toMatchObject({ launch: { transport: "sse" } });
  });
  it("names what is missing, in every string", () => {
    expect(plan({ command: "${A}", args: ["${B}"], cwd: "${C}", env: { D: "", E: "${secret:e}" } })).toEqual({
      kind: "needs_setup",
      missing: ["A", "D", "secret:e", "B", "C"],
    });
    expect(plan({ url: "${A}", headers: { h: "${B}" }, apiKeyEnv: "C" })).toEqual({
      kind: "needs_setup",
      missing: ["A", "B", "C"],
    });
  });
  it.each([
    [{ command: "x", url: "http://h" }, "both command and url"],
    [{}, "neither command nor url"],
    [{ command: " " }, "command is empty"],
    [{ command: "x", type: "ws" }, '"ws" is unknown'],
    [{ command: "x", type: "sse" }, "needs a url"],
    [{ url: "http://h", type: "stdio" }, "needs a command"],
    [{ url: "not a url" }, "is no url"],
    [{ url: "file:///etc/passwd" }, "neither http nor https"],
  ])("refuses %j", (config, reason) => {
    expect(plan(config)).toMatchObject({ kind: "invalid", reason: expect.stringContaining(reason) });
  });
  it("passes on what the file's reader found", () => {
    const diagnostics = [{ code: "mcp-args", severity: "error", message: "args must be a list" }] as const;
    expect(plan({ command: "x" }, { diagnostics })).toEqual({
      kind: "invalid",
      reason: "args must be a list",
    });
  });
  it("tells transport, command and timeouts as declared", () => {
    expect(declaredTransport(declare("s", { url: "http://h", type: "SSE" }).config)).toBe("sse");
    expect(declaredTransport(declare("s", { url: "http://h" }).config)).toBe("streamable_http");
    expect(declaredTransport(declare("s", { command: "x" }).config)).toBe("stdio");
    expect(declaredCommand(declare("s", { command: "x", args: ["${T}"] }).config)).toEqual(["x", "${T}"]);
    expect(startupTimeoutMs(declare("s", { command: "npx" }).config)).toBe(60_000);
    expect(startupTimeoutMs(declare("s", { command: "C:\\n\\uvx.exe" }).config)).toBe(60_000);
    expect(startupTimeoutMs(declare("s", { command: "npx", startupTimeoutSec: 5 }).config)).toBe(5000);
    expect(startupTimeoutMs(declare("s", { command: "node" }).config)).toBe(30_000);
    expect(toolTimeoutMs(declare("s", { toolTimeoutSec: 1e9 }).config)).toBe(2 ** 31 - 1);
    expect(idleTimeoutMs(declare("s", { idleTimeoutSecs: 2 }).config)).toBe(2000);
    expect(idleTimeoutMs(declare("s", { idleTimeoutSecs: 2, keepAlive: true }).config)).toBeUndefined();
    expect(
      declaredSecrets(declare("s", { command: "${secret:a}", env: { B: "${secret:a}${secret:b}" } })),
    ).toEqual(["a", "b"]);
  });
});
