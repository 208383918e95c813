import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../e2e/fixtures/model-server.mjs";
import type { WorkspaceEvent, WorkspaceView } from "../../shared/workspace.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";
import { isRunning } from "./kit/process-table.ts";

let world: World;
let host: Host;
let server: ModelServer;
const { signal } = new AbortController();
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await host.stop();
  await server.stop();
  world.remove();
});
async function open(steps: ScriptStep[], minimal = false): Promise<Host> {
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
    minimal,
    policy: { approval: "on_request", sandbox: "full_access", allow: [] },
  });
  return host;
}
const service = "echo ready; echo $$ > pid; while :; do sleep 0.1; done";
const started = { id: "a", name: "run_shell", input: { command: service, background: true } };
const pidOf = (): number => Number(fs.readFileSync(path.join(world.workspace, "pid"), "utf8"));

test("a command whose end cannot be written down is told of, and the app goes on", async () => {
  await open([{ toolCalls: [started] }, { text: "it runs" }]);
  const session = host.chats.create();
  // A folder in the file's place: nobody can write to it.
  const trace = path.join(world.workspace, ".agent", "sessions", session.id, "trace.jsonl");
  fs.mkdirSync(trace, { recursive: true });
  const sent = await session.send("start it");
  expect((await sent.turn).toolCalls[0]?.isError).toBe(false);
  await host.background.stop("shell-1");
  await vi.waitFor(async () => {
    const { answer } = await host.topics.subscribe("workspace", undefined, () => undefined);
    const { diagnostics } = ("snapshot" in answer ? answer.snapshot : {}) as WorkspaceView;
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: "trace-not-written" }));
  });
});
test("a command goes on behind its call and its turn, is read in the next one and ends by shell_stop", async () => {
  const output = { id: "b", name: "shell_output", input: { id: "shell-1" } };
  const stop = { id: "c", name: "shell_stop", input: { id: "shell-1" } };
  await open([
    { toolCalls: [started] },
    { text: "it runs" },
    { toolCalls: [output, stop] },
    { text: "ended" },
  ]);
  const session = host.chats.create();
  const first = await (await session.send("start it")).turn;
  expect(first).toMatchObject({ stopReason: "end", text: "it runs" });
  expect(first.toolCalls[0]?.output).toContain("shell-1 runs in the background");
  expect(isRunning(pidOf())).toBe(true);
  await vi.waitFor(() => expect(session.busy).toBe(false));
  const second = await (await session.send("end it")).turn;
  expect(second.toolCalls.map((call) => [call.name, call.isError, call.decision])).toEqual([
    ["shell_output", false, "allow"],
    ["shell_stop", false, "allow"],
  ]);
  expect(second.toolCalls[0]?.output).toMatch(/^shell-1 has run for \d+ s\n/);
  expect(second.toolCalls[1]?.output).toBe("shell-1 was stopped");
  expect(isRunning(pidOf())).toBe(false);
  const { answer } = await host.topics.subscribe(`trace:${session.id}`, undefined, () => undefined);
  expect("snapshot" in answer && answer.snapshot).toMatchObject({
    rows: expect.arrayContaining([
      expect.objectContaining({ title: "run_shell shell-1", status: "completed", sandboxed: false }),
    ]),
  });
});
test("stopping the turn leaves it running; closing the host ends it", async () => {
  await open([{ toolCalls: [started] }, { text: "…", hangAfter: 0 }]);
  const session = host.chats.create();
  const { turn } = await session.send("start it");
  await vi.waitFor(() => expect(server.exchanges.length).toBeGreaterThan(1), { timeout: 10_000 });
  await session.stop();
  expect((await turn).stopReason).toBe("stopped");
  const pid = pidOf();
  expect(isRunning(pid)).toBe(true);
  await host.stop();
  expect(isRunning(pid)).toBe(false);
});
test("what a sub-agent started ends with it", async () => {
  const task = { id: "t", name: "task", input: { description: "run", prompt: "in the sub-agent" } };
  await open([
    { when: { lastUser: "go", lastRole: "user" }, toolCalls: [task] },
    { when: { lastUser: "in the sub-agent", lastRole: "user" }, toolCalls: [started] },
    { text: "done", repeat: true },
  ]);
  const { turn } = await host.chats.create().send("go");
  expect((await turn).text).toBe("done");
  expect(isRunning(pidOf())).toBe(false);
  expect(host.background.rows()).toMatchObject([{ state: "stopped" }]);
});
test("a window sees it run, reads its output and ends it", async () => {
  await open([{ toolCalls: [started] }, { text: "it runs" }]);
  const heard: WorkspaceEvent[] = [];
  await host.topics.subscribe("workspace", undefined, (_, event) => heard.push(event as WorkspaceEvent));
  const session = host.chats.create();
  await (
    await session.send("start it")
  ).turn;
  const slices = () =>
    heard.flatMap((event) => (event.type === "slice" ? (event.slice.background ?? []) : []));
  await vi.waitFor(
    () =>
      expect(slices().at(-1)).toMatchObject({
        id: "shell-1",
        callId: "a",
        sessionId: session.id,
        command: service,
        state: "running",
        lastLine: "ready",
      }),
    { timeout: 10_000 },
  );
  expect(await host.handlers["background.output"]({ id: "shell-1", lines: 9 }, signal)).toEqual({
    output: "ready",
  });
  await host.handlers["background.stop"]({ id: "shell-1" }, signal);
  expect(isRunning(pidOf())).toBe(false);
  await vi.waitFor(() => expect(slices().at(-1)).toMatchObject({ state: "stopped" }), { timeout: 10_000 });
  await expect(
    (async () => host.handlers["background.stop"]({ id: "shell-9" }, signal))(),
  ).rejects.toMatchObject({ code: "not_found" });
});
test("--tools minimal offers it with run_shell", async () => {
  await open([], true);
  expect(host.toolRows().map(({ name }) => name)).toEqual(
    expect.arrayContaining(["run_shell", "shell_output", "shell_stop"]),
  );
});
