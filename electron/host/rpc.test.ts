import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ToWindow } from "../../shared/topic.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";
import { bindChannel, type Channel, type ShellPorts } from "./rpc.ts";

let world: World;
let host: Host;
beforeEach(async () => {
  world = createWorld();
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "0",
    shell: "browser",
    canAsk: true,
    built: world.top,
  });
});
afterEach(async () => {
  await host.stop();
  world.remove();
});
const nothing: ShellPorts = {
  pickFolder: () => Promise.resolve(null),
  openFolder: (path) => Promise.resolve({ path, reload: false }),
  openLink: () => Promise.resolve(),
};
/** What a window that says this is told. */
async function told(message: unknown): Promise<ToWindow[]> {
  let say: (message: unknown) => void = () => undefined;
  const sent: ToWindow[] = [];
  const channel: Channel = {
    send: (one) => void sent.push(one),
    onMessage(listener) {
      say = listener;
      return () => undefined;
    },
    unsent: () => 0,
    onClose: () => () => undefined,
  };
  const stop = bindChannel(channel, host, nothing);
  say(message);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await stop();
  return sent;
}

test.each([
  ["without an input", { id: 7, method: "chat.send" }],
  ["with an input of another kind", { id: 7, method: "chat.send", input: 3 }],
  ["without a method", { id: 7 }],
  ["with a method that is no text", { id: 7, method: 1, input: {} }],
])("a message %s is answered: nobody waits for ever", async (_what, message) => {
  expect(await told(message)).toMatchObject([
    { id: 7, result: { ok: false, error: { code: "invalid_input" } } },
  ]);
});
