import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../e2e/fixtures/model-server.mjs";
import type { ChatSession } from "./chat/session.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";
import { isRunning } from "./kit/process-table.ts";

let world: World;
let host: Host;
let server: ModelServer;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await host.stop();
  await server.stop();
  world.remove();
});
async function open(steps: ScriptStep[]): Promise<ChatSession> {
  server = await startModelServer({ steps });
  const settings = {
    model: "test/any",
    models: { providers: { test: { kind: "openai-compatible", baseUrl: server.url } } },
  };
  world.write("config/settings.json", JSON.stringify(settings));
  host = await createHost({
    workspace: world.workspace,
    env: { PATH: process.env["PATH"] },
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
    policy: { approval: "on_request", sandbox: "full_access", allow: [] },
  });
  return host.chats.create();
}
const patient = { timeout: 10_000 };
/** Says its process id and ignores every polite request to end. */
const stubborn = "trap '' TERM; echo here; echo $$ > pid; while :; do sleep 0.1; done";
const shell = (id: string, command: string) => ({ id, name: "run_shell", input: { command } });
async function startedPid(): Promise<number> {
  const file = path.join(world.workspace, "pid");
  return vi.waitFor(() => {
    const pid = Number(fs.readFileSync(file, "utf8"));
    expect(pid).toBeGreaterThan(1);
    return pid;
  }, patient);
}
const recorded = (session: ChatSession): Record<string, unknown>[] =>
  fs
    .readFileSync(path.join(world.workspace, ".agent", "sessions", session.id, "main.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("stop ends the turn while a command that ignores TERM still runs, with what it wrote in the record", async () => {
  const session = await open([{ toolCalls: [shell("a", stubborn)] }, { text: "on" }]);
  const heard: string[] = [];
  session.turnEvents.on((event) => void (event.type === "tool_output" && heard.push(event.text)));
  const { turn } = await session.send("go");
  const pid = await startedPid();
  await vi.waitFor(() => expect(heard.join("")).toBe("here\n"), patient);
  await session.stop();
  expect(isRunning(pid)).toBe(true);
  expect(session.view()).toMatchObject({ running: false, row: { state: "idle" } });
  expect((await turn).stopReason).toBe("stopped");
  const result = recorded(session).find(({ type }) => type === "tool_result");
  expect(result).toMatchObject({ isError: true, output: { text: "here\n\nstopped by the user" } });
  expect(recorded(session).at(-1)).toMatchObject({ type: "turn_end", stopReason: "stopped" });
});
test("the turn after a stop begins when what was stopped is gone, and waits in the queue until then", async () => {
  const session = await open([{ toolCalls: [shell("a", stubborn)] }, { text: "on" }]);
  await session.send("go");
  const pid = await startedPid();
  await session.stop();
  const alive = new Set<boolean>();
  session.events.on((event) => {
    if (event.type === "running" && event.running) alive.add(isRunning(pid));
  });
  const { queued, turn } = await session.send("next");
  expect(queued).toBe(true);
  expect(session.view()).toMatchObject({ running: false, queued: ["next"] });
  expect(await turn).toMatchObject({ stopReason: "end", text: "on" });
  expect([...alive]).toEqual([false]);
  expect(isRunning(pid)).toBe(false);
});
test("a message that waits for the end of what was stopped can be taken back, and a second stop does no harm", async () => {
  const session = await open([{ toolCalls: [shell("a", stubborn)] }, { text: "on" }]);
  await session.send("go");
  await startedPid();
  await session.stop();
  const { turn } = await session.send("next");
  session.unqueue(0);
  await session.stop();
  expect(await turn).toMatchObject({ stopReason: "stopped", steps: 0 });
  expect(session.view().queued).toEqual([]);
});
test("closing a conversation or the host waits until what a stopped turn left behind is gone", async () => {
  const session = await open([{ toolCalls: [shell("a", stubborn)] }]);
  await session.send("go");
  const pid = await startedPid();
  await session.stop();
  expect(isRunning(pid)).toBe(true);
  await host.stop();
  expect(isRunning(pid)).toBe(false);
  const trace = fs.readFileSync(
    path.join(world.workspace, ".agent", "sessions", session.id, "trace.jsonl"),
    "utf8",
  );
  expect(trace).toContain("stopped by the user");
});
test("stop ends the whole tree of a sub-agent at once, and the next turn waits for its command too", async () => {
  const task = {
    id: "t",
    name: "task",
    input: { description: "run it", prompt: "in the sub-agent", agent: "general" },
  };
  const session = await open([
    { when: { lastUser: "go", lastRole: "user" }, toolCalls: [task] },
    { when: { lastUser: "in the sub-agent" }, toolCalls: [shell("a", stubborn)] },
    { text: "on", repeat: true },
  ]);
  await session.send("go");
  const pid = await startedPid();
  await session.stop();
  expect(isRunning(pid)).toBe(true);
  expect(recorded(session).at(-1)).toMatchObject({ type: "turn_end", stopReason: "stopped" });
  const { turn } = await session.send("next");
  expect((await turn).text).toBe("on");
  expect(isRunning(pid)).toBe(false);
});
test("stop takes back an open approval and an open question, and nothing of them runs afterwards", async () => {
  const session = await open([
    { toolCalls: [shell("a", "rm -rf /nowhere && touch ran")] },
    { toolCalls: [{ id: "b", name: "ask_user", input: { question: "Which one?" } }] },
  ]);
  await session.send("first");
  await vi.waitFor(() => expect(host.broker.pending()).toHaveLength(1), patient);
  await session.stop();
  expect(host.broker.pending()).toEqual([]);
  await session.send("second");
  await vi.waitFor(() => expect(host.questions.open()).toHaveLength(1), patient);
  await session.stop();
  expect(host.questions.open()).toEqual([]);
  expect(fs.existsSync(path.join(world.workspace, "ran"))).toBe(false);
  expect(recorded(session).filter(({ type }) => type === "turn_end")).toMatchObject([
    { stopReason: "stopped" },
    { stopReason: "stopped" },
  ]);
});
