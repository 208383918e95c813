import { describe, expect, it } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import type { McpServerDetails, McpServerRow } from "../../../shared/mcp.ts";
import { mcpCommands } from "./commands.ts";

const row = (name: string, more: Partial<McpServerRow> = {}): McpServerRow => ({
  id: `mcp:user/${name}`,
  name,
  transport: "stdio",
  state: "ready",
  toolCount: 1,
  tools: ["a"],
  origin: "user",
  scope: "user",
  command: [],
  enabled: true,
  ...more,
});
let details: McpServerDetails;
const changed = (digest: string): void => {
  const tool = { name: "search", description: "Finds.", state: "changed" as const, switchId: "x", tokens: 5 };
  details = {
    protocol: "",
    title: "",
    version: "",
    instructions: "",
    capabilities: [],
    tools: [{ ...tool, change: { digest, before: "old", after: `new ${digest}` } }],
    resources: [],
    templates: [],
    prompts: [],
    problems: [],
  };
};
function command(rows: readonly McpServerRow[]) {
  const done: string[] = [];
  const note = (verb: string) => (name: string) => {
    if (name === "gone")
      return Promise.reject(new NacreError("not_found", `there is no MCP server "${name}"`));
    return Promise.resolve(void done.push(`${verb} ${name}`));
  };
  const [mcp] = mcpCommands(
    {
      rows: () => rows.filter(({ shadowedBy }) => shadowedBy === undefined),
      shadowedRows: () => rows.filter(({ shadowedBy }) => shadowedBy !== undefined),
      restartAll: () => Promise.resolve(void done.push("reload")),
      startServer: note("start"),
      stopServer: note("stop"),
      restartServer: note("restart"),
      details: () => details,
      approveTools: (name, tools) =>
        Promise.resolve(
          void done.push(`approve ${name} ${tools.map((one) => `${one.name}=${one.digest}`).join()}`),
        ),
      logs: (name) => (name === "quiet" ? [] : Array.from({ length: 300 }, (_, n) => `line ${n}`)),
    },
    (name, on) => note(on ? "enable" : "disable")(name),
  );
  const context = { sessionId: null, onOutput: () => undefined, signal: new AbortController().signal };
  return { done, mcp, run: async (args: string) => mcp?.run(args, context) };
}

describe("/mcp", () => {
  it("lists", async () => {
    const { run, mcp } = command([
      row("a"),
      row("a", { id: "mcp:cst/a", state: "stopped", origin: "user (cst)", shadowedBy: "user" }),
      row("b c", { state: "failed", toolCount: 0, error: "exited with code 3", stderr: "boom" }),
    ]);
    const list = [
      "a  ready  1 tool  stdio  user",
      "b c  failed  0 tools  stdio  user  exited with code 3: boom",
      "a  stopped  1 tool  stdio  user (cst)  shadowed by user",
    ].join("\n");
    expect(await run("")).toEqual({ kind: "text", text: list });
    expect(await run("list")).toEqual({ kind: "text", text: list });
    expect(mcp?.name).toBe("mcp");
    expect(await command([]).run("list")).toEqual({ kind: "text", text: "no MCP servers" });
  });
  it("acts on a server and shows it", async () => {
    const { run, done } = command([row("a"), row("b c")]);
    for (const verb of ["start", "stop", "restart", "enable", "disable"])
      expect(await run(`${verb}  b c `)).toMatchObject({ text: expect.stringMatching(/^b c {2}ready/) });
    expect(done).toEqual(["start b c", "stop b c", "restart b c", "enable b c", "disable b c"]);
    await run("reload");
    expect(done.at(-1)).toBe("reload");
  });
  it("shows the last lines of a log", async () => {
    const { run } = command([]);
    const result = await run("logs a");
    expect(result?.kind === "text" && result.text.split("\n")).toHaveLength(200);
    expect(await run("logs quiet")).toMatchObject({ text: "the log is empty" });
  });
  it.each([
    ["restart", "needs a server's name"],
    ["logs", "needs a server's name"],
    ["dance a", "/mcp knows: list | reload"],
    ["constructor a", "/mcp knows"],
    ["stop gone", 'there is no MCP server "gone"'],
  ])("explains what is wrong with %j", async (args, text) => {
    expect(await command([]).run(args)).toEqual({
      kind: "text",
      text: expect.stringContaining(text),
      isError: true,
    });
  });
  it("shows changed tools, and approves them when it is said again, unless they changed once more", async () => {
    changed("d1");
    const { done, run } = command([row("my server", { changedTools: 1 })]);
    expect(await run("list")).toMatchObject({
      text: expect.stringContaining("1 changed, held back") as unknown,
    });
    expect(await run("tools my server")).toMatchObject({ text: "search  changed  5 tokens  Finds." });
    expect(await run("approve my server")).toMatchObject({
      text: expect.stringContaining("+new d1") as unknown,
    });
    changed("d2");
    expect(await run("approve my server")).toMatchObject({
      text: expect.stringContaining("+new d2") as unknown,
    });
    expect(done).toEqual([]);
    expect(await run("approve my server")).toMatchObject({ text: "approved: search" });
    expect(await run("approve my server search")).toMatchObject({
      text: expect.stringContaining("+new") as unknown,
    });
    expect(await run("approve my server other")).toMatchObject({ isError: true });
    expect(done).toEqual(["approve my server search=d2"]);
  });
});
