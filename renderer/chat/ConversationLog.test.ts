import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextTick } from "vue";
import type { Entry } from "../../shared/session.ts";
import { sessionView, toolCall } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import ConversationLog from "./ConversationLog.vue";
import { segments } from "./segments.ts";
import { useChat } from "./store.ts";

vi.mock("./segments.ts", async (original) => {
  const real = await original<typeof import("./segments.ts")>();
  return { ...real, segments: vi.fn(real.segments) };
});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.unstubAllGlobals());

const tool = (id: string): Entry => ({
  type: "tool",
  id,
  t: 0,
  call: toolCall({ name: "run_shell", state: "running", durationMs: null }),
});
const showFrame = async () => {
  vi.advanceTimersToNextFrame();
  await nextTick();
};

test("a delta draws its entry and groups nothing anew; a new entry does", async () => {
  const { rpc, wrapper } = mountApp(ConversationLog);
  useChat().open("s1");
  rpc.snapshot("session:s1", sessionView({ entries: [tool("a"), tool("b")] }));
  await nextTick();
  const before = vi.mocked(segments).mock.calls.length;
  rpc.event("session:s1", { type: "delta", entryId: "b", field: "output", at: 0, text: "built" });
  await showFrame();
  expect(wrapper.text()).toContain("built");
  expect(vi.mocked(segments).mock.calls.length).toBe(before);
  rpc.event("session:s1", { type: "entry", entry: tool("c") });
  await showFrame();
  expect(vi.mocked(segments).mock.calls.length).toBe(before + 1);
  expect(wrapper.findAll(".calls [role=group]")).toHaveLength(3);
});

test("what grows between a step to the end and its scroll event leaves the log at its end; a person who goes up leaves it", async () => {
  const observed: (() => void)[] = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(seen: () => void) {
        observed.push(seen);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  const { rpc, wrapper } = mountApp(ConversationLog);
  useChat().open("s1");
  rpc.snapshot("session:s1", sessionView({ entries: [tool("a")] }));
  await nextTick();
  const log = wrapper.get<HTMLElement>(".log").element;
  let height = 1000;
  let top = 0;
  Object.defineProperties(log, {
    clientHeight: { get: () => 400 },
    scrollHeight: { get: () => height },
    scrollTop: {
      get: () => top,
      set(wanted: number) {
        top = Math.min(wanted, height - 400);
      },
    },
  });
  const grow = () => observed.forEach((seen) => seen());
  const scroll = () => log.dispatchEvent(new Event("scroll"));
  grow();
  height = 1500;
  scroll();
  grow();
  expect(top).toBe(1100);
  scroll();
  top = 700;
  scroll();
  height = 2000;
  grow();
  expect(top).toBe(700);
});
