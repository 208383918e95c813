import { createPinia } from "pinia";
import { beforeEach, expect, test, vi } from "vitest";
import { createApp } from "vue";
import type { Entry } from "../../shared/session.ts";
import { sessionRow, sessionView } from "../fixtures.testing.ts";
import { rpcKey } from "../rpc.ts";
import { memoryRpc } from "../rpc.testing.ts";
import { useChat } from "./store.ts";

const entry = (id: string, text = id): Entry => ({
  type: "assistant",
  id,
  t: 0,
  text,
  reasoning: "",
  done: true,
});
const frame = () => vi.advanceTimersToNextFrame();

function setUp(rpc = memoryRpc()) {
  const pinia = createPinia();
  createApp({}).provide(rpcKey, rpc).use(pinia);
  return { rpc, chat: useChat(pinia) };
}
beforeEach(() => void vi.useFakeTimers());

test("opening subscribes to the session and shows its snapshot", () => {
  const { rpc, chat } = setUp();
  chat.open("s1");
  rpc.snapshot("session:s1", sessionView({ entries: [entry("a"), entry("b")], before: "z" }));
  expect(chat.order).toEqual(["a", "b"]);
  expect(chat.entry("b")).toEqual(entry("b"));
  chat.open("s2");
  expect([...rpc.topics]).toEqual(["session:s2"]);
  expect(chat.order).toEqual([]);
});

test("what comes within a frame is shown in that frame, deltas in order", () => {
  const { rpc, chat } = setUp();
  chat.open("s1");
  rpc.snapshot("session:s1", sessionView());
  rpc.event("session:s1", { type: "entry", entry: entry("a", "") });
  for (const [at, text] of ["He", "ll", "o"].map((text, index) => [index * 2, text] as const))
    rpc.event("session:s1", { type: "delta", entryId: "a", field: "text", at, text });
  expect(chat.order).toEqual([]);
  frame();
  expect(chat.order).toEqual(["a"]);
  expect(chat.entry("a")).toMatchObject({ text: "Hello" });
});

test("a delta leaves the order alone, so that nothing else is drawn", () => {
  const { rpc, chat } = setUp();
  chat.open("s1");
  rpc.snapshot("session:s1", sessionView({ entries: [entry("a", "x")] }));
  const { order } = chat;
  rpc.event("session:s1", { type: "delta", entryId: "a", field: "text", at: 1, text: "y" });
  frame();
  expect(chat.order).toBe(order);
  expect(chat.entry("a")).toMatchObject({ text: "xy" });
});

test("a message without an open chat makes one", async () => {
  const { rpc, chat } = setUp(memoryRpc({ "chat.create": () => sessionRow({ id: "new" }) }));
  await chat.send("hello");
  expect(chat.sessionId).toBe("new");
  expect(location.hash).toBe("#/chat/new");
  expect(rpc.calls.at(-1)).toEqual({ method: "chat.send", input: { sessionId: "new", text: "hello" } });
});

test("older entries come before the known ones, a page at a time", async () => {
  const { rpc, chat } = setUp(
    memoryRpc({
      "chat.page": () => ({ entries: [entry("x"), entry("y"), entry("a", "old")], before: null }),
    }),
  );
  chat.open("s1");
  rpc.snapshot("session:s1", sessionView({ entries: [entry("a", "new")], before: "y" }));
  await Promise.all([chat.loadOlder(), chat.loadOlder()]);
  await chat.loadOlder();
  expect(chat.order).toEqual(["x", "y", "a"]);
  expect(chat.entry("a")).toMatchObject({ text: "new" });
  expect(rpc.calls).toEqual([{ method: "chat.page", input: { sessionId: "s1", before: "y" } }]);
});
