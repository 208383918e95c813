import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../e2e/fixtures/model-server.mjs";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createFoundation, type Foundation } from "./foundation.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import { createUserTrust } from "./user-trust.ts";

let world: World;
let server: ModelServer;
let foundation: Foundation;
let rooms: Rooms;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await Promise.all([rooms.mcp.stop(), rooms.plugins.stop()]);
  await rooms.executor.stop();
  await foundation.disposables.dispose();
  foundation.log.close();
  await server.stop();
  world.remove();
});
const settings = (more: object): string =>
  world.write(
    "config/settings.json",
    JSON.stringify({
      model: "test/any",
      models: { providers: { test: { kind: "openai-compatible", baseUrl: server.url } } },
      ...more,
    }),
  );
const writes = (name: string): ScriptStep => ({
  toolCalls: [{ name: "write_file", input: { path: name, content: "x" } }],
});

/** A turn whose first call asks; meanwhile the settings change, and the answer is yes. Gives what was written. */
async function written(bySubAgent: boolean, before: object, after: object): Promise<string[]> {
  const task = { name: "task", input: { description: "write", prompt: "write", agent: "general" } };
  server = await startModelServer({
    steps: [
      ...(bySubAgent ? [{ toolCalls: [task] }] : []),
      writes("../outside.txt"),
      writes("b.txt"),
      { text: "done", repeat: true },
    ],
  });
  settings(before);
  foundation = await createFoundation({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
  });
  const { broker, config } = foundation;
  rooms = createRooms(foundation, await createUserTrust(foundation), {
    onTrace: () => undefined,
    changeSettings: async () => undefined,
  });
  await rooms.ready;
  const asked = new Promise<void>((resolve) => {
    broker.onChange.on((pending) => {
      if (pending.length > 0) resolve();
    });
  });
  const { turn } = await rooms.chats.create().send("go");
  await asked;
  settings(after);
  await config.reload();
  for (const { id, digest } of broker.pending()) broker.answer(id, digest, { choice: "once" });
  expect(await turn).toMatchObject({ stopReason: "end" });
  return ["ws/b.txt", "outside.txt"].filter((name) => fs.existsSync(path.join(world.top, name)));
}

const deny = { permission: { write_file: { "b.txt": "deny" } } };
describe.each([
  ["the model's", false],
  ["a sub-agent's", true],
])("what changes while a turn runs holds for %s next call", (_whose, bySubAgent) => {
  test("nothing changed: both are written", async () => {
    expect(await written(bySubAgent, {}, {})).toEqual(["ws/b.txt", "outside.txt"]);
  });
  test("a deny rule is added", async () => {
    expect(await written(bySubAgent, {}, deny)).toEqual(["outside.txt"]);
  });
  test("a deny rule is removed", async () => {
    expect(await written(bySubAgent, deny, {})).toEqual(["ws/b.txt", "outside.txt"]);
  });
  test("the sandbox is narrowed, and what was being asked about is not done either", async () => {
    expect(await written(bySubAgent, {}, { policy: { sandbox: "read_only" } })).toEqual([]);
  });
  test("what is being asked about is denied meanwhile", async () => {
    const all = { permission: { write_file: "deny" } };
    expect(await written(bySubAgent, {}, all)).toEqual([]);
  });
  test.runIf(bySubAgent)("a rule of the role itself is added", async () => {
    expect(await written(true, {}, { agent: { general: deny } })).toEqual(["outside.txt"]);
  });
});
