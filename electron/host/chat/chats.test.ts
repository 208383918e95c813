import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SessionRow } from "../../../shared/session.ts";
import { Chats } from "./chats.ts";
import { clock, folder, host, ids, serve, server, store } from "./session.testkit.ts";
import { testResult } from "./turn.testkit.ts";

let chats: Chats;
afterEach(() => chats.close());
const make = (keepIdle = 16): Chats => {
  chats = new Chats({
    store: store(),
    host: host(),
    workspace: folder,
    version: "test",
    clock,
    ids,
    keepIdle,
  });
  return chats;
};
const say = async (id: string, text: string) => (await chats.open(id).send(text)).turn;

describe("Chats", () => {
  it("opens each session once, and lists those that were used with what they do now", async () => {
    await serve([{ text: "a", repeat: true, firstDelayMs: 20 }]);
    make();
    const first = chats.create();
    const second = chats.create();
    expect(chats.open(first.id)).toBe(first);
    expect(chats.list()).toEqual([]);
    await say(first.id, "one");
    const running = await second.send("two");
    const states = Object.fromEntries(chats.list().map(({ title, state }) => [title, state]));
    expect(states).toEqual({ one: "idle", two: "running" });
    await running.turn;
    expect(() => chats.open("nothing")).toThrow(/no session nothing/);
  });

  it("tells the rows that change and the events of every session", async () => {
    await serve([{ text: "hello" }]);
    make();
    const rows: SessionRow[] = [];
    const events: string[] = [];
    chats.onRow.on((row) => rows.push(row));
    chats.onEvent.on(({ id, event }) => events.push(`${id} ${event.type}`));
    const { id } = chats.create();
    await say(id, "hi");
    expect(rows.map(({ state, turns }) => `${state} ${turns}`)).toEqual(["running 1", "idle 1"]);
    expect(events).toContain(`${id} entry`);
    await chats.rename(id, "Greeting");
    expect(rows.at(-1)).toMatchObject({ id, title: "Greeting" });
    expect(chats.list()[0]?.title).toBe("Greeting");
  });

  it("closes idle sessions, the one used longest ago first, and opens them again with all they hold", async () => {
    await serve([{ text: "answer", repeat: true }]);
    make(2);
    const made = ["one", "two", "three"].map(() => chats.create());
    for (const session of made) await say(session.id, `to ${session.id}`);
    const [first, second, third] = made;
    if (!first || !second || !third) throw new Error("three sessions");
    chats.open(first.id);
    chats.create();
    expect(chats.open(first.id)).toBe(first);
    expect(chats.open(third.id)).toBe(third);
    const again = chats.open(second.id);
    expect(again).not.toBe(second);
    expect(again.view().entries.map((entry) => entry.type)).toEqual(["user", "assistant", "turn_end"]);
    expect((await say(second.id, "more")).text).toBe("answer");
  });

  it("tells of each session that it closes, when nothing of it runs any more", async () => {
    await serve([{ text: "answer", repeat: true }]);
    make(1);
    const closed: string[] = [];
    chats.onClose.on((id) => closed.push(id));
    const first = chats.create();
    await say(first.id, "one");
    const second = chats.create();
    await say(second.id, "two");
    const third = chats.create();
    await vi.waitFor(() => expect(closed).toEqual([first.id]));
    await chats.close();
    expect(closed.toSorted()).toEqual([first.id, second.id, third.id].toSorted());
  });

  it("reads a session whole, without opening it for writing", async () => {
    await serve([{ toolCalls: [{ name: "read_file" }] }, { text: "ok" }]);
    const output = "line\n".repeat(40_000);
    chats = new Chats({
      store: store(),
      host: host({ execute: async (call) => testResult(call, { output }) }),
      workspace: folder,
      version: "test",
      clock,
      ids,
    });
    const { id } = chats.create();
    await say(id, "go");
    await chats.close();
    make();
    const { row, entries } = chats.read(id);
    expect(row).toMatchObject({ id, title: "go", state: "idle" });
    expect(entries.find((entry) => entry.type === "tool")).toMatchObject({ call: { output } });
    expect(chats.open(id).output("call_1")).toBe(output);
  });

  it("stops what runs when it closes, and leaves no lock", async () => {
    await serve([{ text: "never ends", hangAfter: 1 }]);
    make();
    const session = chats.create();
    const sent = await session.send("go");
    await server.arrived(1);
    await chats.close();
    expect(await sent.turn).toMatchObject({ stopReason: "stopped" });
    const files = fs.readdirSync(path.join(folder, ".agent", "sessions", session.id)).sort();
    expect(files).toEqual(["main.jsonl", "meta.json"]);
  });

  it("marks a session that waits for an answer, also a sub-agent's", async () => {
    await serve([{ text: "hm", hangAfter: 1 }]);
    make();
    const session = chats.create();
    await session.send("go");
    chats.setQuestionsOpen(new Set([session.id]));
    expect(chats.list()[0]?.state).toBe("waiting");
    chats.setQuestionsOpen(new Set());
    expect(chats.list()[0]?.state).toBe("running");
    await session.stop();
    expect(session.row.state).toBe("idle");
  });
});
