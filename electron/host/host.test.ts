import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../e2e/fixtures/model-server.mjs";
import type { AppEvent } from "../../shared/workspace.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";

let world: World;
let host: Host | undefined;
let server: ModelServer | undefined;
const signal = new AbortController().signal;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await host?.stop();
  await server?.stop();
  [host, server] = [undefined, undefined];
  world.remove();
});
async function open(steps: ScriptStep[] = []): Promise<Host> {
  server = await startModelServer({ steps });
  const settings = {
    model: "test/any",
    models: { providers: { test: { kind: "openai-compatible", baseUrl: server.url } } },
  };
  world.write("config/settings.json", JSON.stringify(settings));
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
  });
  return host;
}
const sessionsFolder = (): string => path.join(world.workspace, ".agent", "sessions");

test("a task that a person calls outside of any conversation is done and leaves no session", async () => {
  const opened = await open([{ text: "All is well." }]);
  const result = await opened.callTool("task", { description: "look", prompt: "Look around." }, signal);
  expect(result).toMatchObject({ isError: false, output: "All is well." });
  expect(fs.existsSync(sessionsFolder())).toBe(false);
});
test("sub-agents of one step have a transcript each, and their calls stand in the session's one trace", async () => {
  const task = (id: string, prompt: string) => ({
    id,
    name: "task",
    input: { description: "look", prompt, agent: "explore" },
  });
  const opened = await open([
    { when: { lastUser: "go", lastRole: "user" }, toolCalls: [task("a", "left"), task("b", "right")] },
    { when: { lastUser: "left" }, text: "left is fine" },
    { when: { lastUser: "right" }, text: "right is fine" },
    { text: "done" },
  ]);
  const session = opened.chats.create();
  const { turn } = await session.send("go");
  expect(await turn).toMatchObject({ stopReason: "end", text: "done" });
  const files = fs.readdirSync(path.join(sessionsFolder(), session.id));
  expect(files).toEqual(expect.arrayContaining(["sub-1.jsonl", "sub-2.jsonl", "trace.jsonl"]));
  const { answer } = await opened.topics.subscribe(`trace:${session.id}`, undefined, () => undefined);
  expect("snapshot" in answer && answer.snapshot).toMatchObject({
    rows: expect.arrayContaining([expect.objectContaining({ title: "task" })]),
  });
});
test("a conversation that is put away keeps no topic, but what the user allowed for the session holds until the app ends", async () => {
  const opened = await open([{ text: "hello", repeat: true }]);
  const session = opened.chats.create();
  const { turn } = await session.send("go");
  await turn;
  const { stop } = await opened.topics.subscribe(`session:${session.id}`, undefined, () => undefined);
  await stop();
  opened.broker.openFolders(session.id, [world.top]);
  await opened.chats.close();
  expect(opened.topics.has(`session:${session.id}`)).toBe(false);
  expect(opened.broker.openedFolders(session.id)).toEqual([world.top]);
  await opened.stop();
  host = undefined;
  expect(opened.broker.openedFolders(session.id)).toEqual([]);
});
test("a topic of a session that is not there is refused and not kept", async () => {
  const opened = await open();
  for (const name of ["session:nothing", "trace:nothing"]) {
    await expect(opened.topics.subscribe(name, undefined, () => undefined)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(opened.topics.has(name)).toBe(false);
  }
});
test("a window hears of a folder that became a recent one", async () => {
  const opened = await open();
  const heard: AppEvent[] = [];
  await opened.topics.subscribe("app", undefined, (_, event) => heard.push(event as AppEvent));
  await opened.changeSettings({ theme: "dark" }, { sessionId: null, signal });
  expect(heard).toEqual([]);
  await opened.rememberFolder();
  await vi.waitFor(() => expect(heard.map(({ app }) => app.recent)).toEqual([[world.workspace]]));
});
