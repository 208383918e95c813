import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer, type ModelServer, type RequestBody } from "../../e2e/fixtures/model-server.mjs";
import { createWorld, type World } from "./config/world.testkit.ts";
import { isOverShare } from "./deferred-tools.ts";
import { createHost, type Host } from "./host.ts";
import { fixture } from "./mcp/mcp.testkit.ts";
import type { Tool } from "./tools/types.ts";

let world: World;
let host: Host;
let server: ModelServer;
const finds = (when: object): object => ({
  when,
  toolCalls: [{ id: "f", name: "find_tools", input: { query: "send a letter" } }],
});
const steps = [
  finds({ lastUser: "find", lastRole: "user" }),
  {
    when: { lastUser: "by name", lastRole: "user" },
    toolCalls: [{ id: "n", name: "mcp__big__tool_7", input: {} }],
  },
  {
    when: { lastUser: "hidden", lastRole: "user" },
    toolCalls: [{ id: "h", name: "mcp__big__for_app", input: {} }],
  },
  {
    when: { lastUser: "delegate", lastRole: "user" },
    toolCalls: [{ id: "t", name: "task", input: { description: "x", prompt: "find", agent: "general" } }],
  },
  { text: "done", repeat: true },
];
beforeEach(async () => {
  world = createWorld();
  server = await startModelServer({ steps });
  const file = path.join(world.top, "tools.json");
  const tool = (name: string, description: string, meta = {}): object => ({
    name,
    description,
    inputSchema: { type: "object" },
    _meta: meta,
  });
  const tools = [
    ...Array.from({ length: 20 }, (_, at) => tool(`tool_${at}`, `does thing ${at}. ${"x".repeat(3_000)}`)),
    tool("send_letter", "Sends a letter to somebody"),
    tool("for_app", "for the app", { ui: { visibility: ["app"] } }),
  ];
  fs.writeFileSync(file, JSON.stringify(tools));
  world.write(
    "config/mcp.json",
    JSON.stringify({
      mcpServers: {
        big: { command: process.execPath, args: [fixture("changing.mjs"), file], autoApprove: true },
      },
    }),
  );
});
afterEach(async () => {
  await host.stop();
  await server.stop();
  world.remove();
});
async function open(settings: object = {}, role?: string): Promise<void> {
  world.write(
    "config/settings.json",
    JSON.stringify({
      model: "test/any",
      models: { providers: { test: { baseUrl: server.url } } },
      ...settings,
    }),
  );
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
    ...(role === undefined ? {} : { role }),
  });
  await host.start();
  await host.settled(20_000);
}
async function say(prompt: string, id?: string): Promise<string> {
  const session = id === undefined ? host.chats.create() : host.chats.open(id);
  const { turn } = await session.send(prompt);
  expect(await turn).toMatchObject({ stopReason: "end" });
  return session.row.id;
}
const toolsOf = (body: RequestBody | undefined): string[] =>
  (body?.tools ?? []).map((tool) => tool.function.name);
const ofServer = (at: number): string[] =>
  toolsOf(server.requests.at(at)).filter((name) => name.startsWith("mcp__"));

test("above the share a model finds tools, has them from the next step on, and again when the session is resumed", async () => {
  await open();
  const id = await say("find");
  expect(ofServer(0)).toEqual([]);
  const finder = server.requests[0]?.tools?.find((tool) => tool.function.name === "find_tools");
  expect(finder?.function.description).toContain("big (21 tools)");
  expect(ofServer(1)).toEqual(["mcp__big__send_letter"]);
  // What comes later stands at the end: the cached part stays as it was.
  expect(toolsOf(server.requests[1]).slice(0, -1)).toEqual(toolsOf(server.requests[0]));
  await say("by name", id);
  expect(ofServer(2)).toEqual(["mcp__big__send_letter"]);
  expect(ofServer(3)).toEqual(["mcp__big__send_letter", "mcp__big__tool_7"]);
  expect(JSON.stringify(server.requests[3])).toContain("called tool_7");
  await host.stop();
  await open();
  await say("more", id);
  expect(ofServer(-1)).toEqual(["mcp__big__send_letter", "mcp__big__tool_7"]);
});

test("below the share, or where it is never wanted, all are offered but those for an app alone, which no model may call", async () => {
  await open({ mcp: { deferAbove: 100 } });
  await say("hidden");
  expect(ofServer(0)).toHaveLength(21);
  expect(toolsOf(server.requests[0])).not.toContain("find_tools");
  expect(ofServer(0)).not.toContain("mcp__big__for_app");
  expect(JSON.stringify(server.requests[1])).toContain("is not offered here");
});

test("a role has the tools that it names, and a sub-agent finds its own", async () => {
  world.write(
    "ws/.agent/agents/poster.md",
    "---\nname: poster\ndescription: Posts.\ntools: [read_file, task, mcp__big__send_letter, 'mcp__big__tool_1*']\n---\nPost.\n",
  );
  await open({ mcp: { deferAbove: 0 } }, "poster");
  await say("hello");
  expect(toolsOf(server.requests[0])).toEqual(["find_tools", "read_file", "task", "mcp__big__send_letter"]);
  await say("delegate");
  const [, , agent, afterwards] = server.requests;
  expect(toolsOf(agent)).toContain("find_tools");
  expect(JSON.stringify(afterwards?.messages)).toContain("mcp__big__send_letter");
});

const tool = (at: number, more: Partial<Tool> = {}): Tool => ({
  name: `mcp__s__${at}`,
  title: `mcp.s.${at}`,
  description: "",
  perm: "net",
  origin: { kind: "mcp", owner: "s" },
  inputSchema: {},
  run: () => Promise.reject(new Error("not here")),
  ...more,
});
test("few tools are offered as they are, with 0 percent none, and more than 128 never", () => {
  const few = [tool(1), tool(2, { origin: { kind: "builtin", owner: "nacre" } })];
  expect(isOverShare(few, 10)).toBe(false);
  expect(isOverShare(few, 0)).toBe(true);
  const many = Array.from({ length: 129 }, (_, at) => tool(at));
  expect(isOverShare(many, 10)).toBe(true);
  expect(isOverShare(many, 100)).toBe(false);
  expect(isOverShare([tool(1, { description: "x".repeat(60_000) })], 10)).toBe(true);
  expect(isOverShare(few.slice(1), 0)).toBe(false);
});
