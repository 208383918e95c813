import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../shared/session.ts";
import type { ChatSession } from "./session.ts";
import {
  folder,
  host,
  lineTypes,
  mainFile,
  open,
  reported,
  say,
  serve,
  server,
  setup,
  store,
  traced,
} from "./session.testkit.ts";
import { gate, testResult } from "./turn.testkit.ts";

const listen = (session: ChatSession): SessionEvent[] => {
  const events: SessionEvent[] = [];
  session.events.on((event) => events.push(event));
  return events;
};

describe("ChatSession", () => {
  it("answers, records every line and reports the turn", async () => {
    await serve([
      { text: "Reading.", toolCalls: [{ id: "c1", name: "read_file", input: { path: "a" } }] },
      { text: "Done." },
    ]);
    const session = open(host());
    expect(session.empty).toBe(true);
    expect(fs.existsSync(path.join(folder, ".agent"))).toBe(false);
    const report = await say(session, "please read\nthe file");
    expect(report).toMatchObject({
      session: session.id,
      text: "Done.",
      steps: 2,
      usage: { inputTokens: 20, outputTokens: 10 },
      stopReason: "end",
      toolCalls: [{ id: "c1", name: "read_file", output: "result of read_file", decision: "allow" }],
    });
    expect(lineTypes(session)).toEqual([
      "session",
      "user",
      "assistant",
      "tool_call",
      "tool_result",
      "assistant",
      "turn_end",
    ]);
    expect(session.row).toMatchObject({ title: "please read", turns: 1, state: "idle" });
    expect(traced).toMatchObject([
      { kind: "model", title: "test/any", status: "completed" },
      { kind: "model", status: "completed" },
    ]);
    await session.close();
    expect(store().list()).toMatchObject([{ id: session.id, title: "please read", turns: 1, state: "idle" }]);
    expect(fs.readdirSync(path.dirname(mainFile(session))).sort()).toEqual(["main.jsonl", "meta.json"]);
  });

  it("writes each line before its event, and a call before it runs", async () => {
    await serve([{ text: "Hm", toolCalls: [{ name: "write_file" }] }, { text: "Done." }]);
    const ran: string[][] = [];
    const session: ChatSession = open(
      host({
        execute: async (call) => {
          ran.push(lineTypes(session));
          return testResult(call);
        },
      }),
    );
    const behind: string[] = [];
    session.events.on((event) => {
      if (event.type !== "entry" || (event.entry.type === "assistant" && !event.entry.done)) return;
      const { id, type } = event.entry;
      if (!fs.readFileSync(mainFile(session), "utf8").includes(id)) behind.push(type);
    });
    await say(session, "go");
    expect(behind).toEqual([]);
    expect(ran).toEqual([["session", "user", "assistant", "tool_call"]]);
  });

  it("tells deltas that give the answer whatever is applied twice", async () => {
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(20);
    await serve([{ text, reasoning: "Let me think.", chunkSize: 3 }]);
    const session = open(host());
    const seen = { text: "", reasoning: "" };
    let deltas = 0;
    session.events.on((event) => {
      if (event.type !== "delta" || event.field === "output") return;
      deltas += 1;
      for (const _twice of [1, 2]) if (seen[event.field].length === event.at) seen[event.field] += event.text;
    });
    await say(session, "go");
    expect(seen).toEqual({ text, reasoning: "Let me think." });
    expect(deltas).toBeLessThan(text.length / 3);
    expect(session.view().entries.find((entry) => entry.type === "assistant")).toMatchObject({
      text,
      done: true,
    });
  });

  it("gives a view in the middle that the later events complete", async () => {
    await serve([{ text: "one two three four", chunkSize: 4, delayMs: 5 }]);
    const session = open(host());
    let view: ReturnType<ChatSession["view"]> | undefined;
    let text = "";
    session.events.on((event) => {
      if (event.type !== "delta") return;
      if (view === undefined) {
        view = session.view();
        const entry = view.entries.find((one) => one.type === "assistant");
        text = entry?.type === "assistant" ? entry.text : "";
      }
      if (event.at <= text.length)
        text = text.slice(0, event.at) + event.text + text.slice(event.at + event.text.length);
    });
    await say(session, "go");
    expect(view).toMatchObject({ running: true, step: 1, queued: [] });
    expect(text).toBe("one two three four");
  });

  it("queues messages while it works, and lets them be taken back", async () => {
    await serve([
      { when: { lastUser: "first" }, text: "1", firstDelayMs: 50 },
      { when: { lastUser: "third" }, text: "3" },
    ]);
    const session = open(host());
    const first = await session.send("first");
    const second = await session.send("second");
    const third = await session.send("third");
    expect([first.queued, second.queued, third.queued]).toEqual([false, true, true]);
    expect(session.view().queued).toEqual(["second", "third"]);
    session.unqueue(0);
    expect(session.view().queued).toEqual(["third"]);
    expect(await second.turn).toMatchObject({ stopReason: "stopped", steps: 0 });
    expect((await first.turn).text).toBe("1");
    expect((await third.turn).text).toBe("3");
    expect(server.requests).toHaveLength(2);
    expect(session.view()).toMatchObject({ running: false, queued: [] });
  });

  it("stops a running answer, keeps what came, and goes on with the next message", async () => {
    await serve([{ text: "one two three", chunkSize: 4, hangAfter: 2 }, { text: "next" }]);
    const session = open(host());
    const sent = await session.send("go");
    await new Promise<void>((resolve) => {
      session.turnEvents.on((event) => void (event.type === "text" && event.text === "two " && resolve()));
    });
    await session.stop();
    expect(await sent.turn).toMatchObject({ stopReason: "stopped", text: "one two " });
    expect(lineTypes(session)).toEqual(["session", "user", "assistant", "turn_end"]);
    expect((await say(session, "and now?")).text).toBe("next");
    expect(server.requests[1]?.messages.map((message) => message.content)).toEqual([
      "Help.",
      "go",
      "one two ",
      "and now?",
    ]);
  });

  it("stops a call that does not listen, and its history is whole", async () => {
    await serve([
      {
        toolCalls: [
          { id: "c1", name: "write_file" },
          { id: "c2", name: "write_file" },
        ],
      },
      { text: "ok" },
    ]);
    const started = gate();
    const session = open(
      host({
        execute: () => {
          started.open();
          return new Promise(() => {});
        },
      }),
    );
    const sent = await session.send("go");
    await started.opened;
    await session.stop();
    expect(await sent.turn).toMatchObject({
      stopReason: "stopped",
      toolCalls: [
        { id: "c1", isError: true },
        { id: "c2", isError: true },
      ],
    });
    await say(session, "again");
    expect(server.requests[1]?.messages.slice(2)).toMatchObject([
      { role: "assistant", tool_calls: [{ id: "c1" }, { id: "c2" }] },
      { role: "tool", tool_call_id: "c1", content: "stopped by the user" },
      { role: "tool", tool_call_id: "c2", content: "stopped by the user before it began" },
      { role: "user", content: "again" },
    ]);
  });

  it("runs reads of one step beside each other", async () => {
    await serve([{ toolCalls: [{ name: "read_file" }, { name: "read_file" }] }, { text: "ok" }]);
    const both = gate();
    let running = 0;
    const session = open(
      host({
        execute: async (call) => {
          running += 1;
          if (running === 2) both.open();
          await both.opened;
          return testResult(call);
        },
      }),
    );
    expect((await say(session, "go")).toolCalls).toHaveLength(2);
  });

  it("shows a broken stream as an error, keeps its text and holds what waits", async () => {
    await serve([{ text: "half of it", chunkSize: 4, breakAfter: 2 }, { text: "second" }, { text: "third" }]);
    const session = open(host());
    const sent = await session.send("go");
    const waiting = await session.send("later");
    expect(await sent.turn).toMatchObject({
      stopReason: "error",
      text: "half of ",
      error: { code: "network" },
    });
    expect(session.view()).toMatchObject({ running: false, queued: ["later"], row: { state: "failed" } });
    expect(session.view().entries.map((entry) => entry.type)).toEqual([
      "user",
      "assistant",
      "notice",
      "turn_end",
    ]);
    const more = await session.send("more");
    expect((await waiting.turn).text).toBe("second");
    expect((await more.turn).text).toBe("third");
    expect(session.row.state).toBe("idle");
  });

  it("says that the model cannot be had, and asks nobody", async () => {
    await serve([]);
    const session = open(host({}, { setup: () => Promise.reject(new Error("no key")) }));
    expect(await say(session, "go")).toMatchObject({
      stopReason: "error",
      steps: 0,
      error: { message: "no key" },
    });
    expect(server.requests).toHaveLength(0);
  });

  it("sends a reminder in the first step, and again only when it changed", async () => {
    await serve([{ text: "a", repeat: true }]);
    let reminder = "one";
    const session = open(host({}, { setup: async () => setup({ reminder }) }));
    await say(session, "first");
    await say(session, "second");
    reminder = "two";
    await say(session, "third");
    const users = server.requests.map((body) =>
      body.messages.filter((message) => message.role === "user").map((message) => message.content),
    );
    const tag = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;
    expect(users).toEqual([
      [tag("one"), "first"],
      [tag("one"), "first", "second"],
      [tag("one"), "first", "second", tag("two"), "third"],
    ]);
    expect(session.view().entries.some((entry) => JSON.stringify(entry).includes("system-reminder"))).toBe(
      false,
    );
  });

  it("goes on after a crash: a torn line is dropped, an open call is answered", async () => {
    await serve([{ text: "Reading.", toolCalls: [{ id: "c1", name: "read_file" }] }, { text: "Done." }]);
    const first = open(host());
    await say(first, "go");
    await first.close();
    const lines = fs.readFileSync(mainFile(first), "utf8").split("\n");
    const cut = lines.findIndex((line) => line.includes('"tool_result"'));
    fs.writeFileSync(mainFile(first), `${lines.slice(0, cut).join("\n")}\n${lines[cut]?.slice(0, 40) ?? ""}`);

    const again = open(host(), first.id);
    expect(again.row.state).toBe("failed");
    expect(again.view().entries.map((entry) => entry.type)).toEqual(["user", "assistant", "tool"]);
    expect(again.view().entries[2]).toMatchObject({ call: { state: "failed" } });
    server.push({ text: "Going on." });
    expect((await say(again, "go on")).text).toBe("Going on.");
    expect(server.requests.at(-1)?.messages.slice(1)).toMatchObject([
      { role: "user", content: "go" },
      { role: "assistant", content: "Reading.", tool_calls: [{ id: "c1" }] },
      { role: "tool", tool_call_id: "c1" },
      { role: "user", content: "go on" },
    ]);
    expect(() => lineTypes(again)).not.toThrow();
  });

  it("refuses a message while another host has the session, and names the holder", async () => {
    await serve([{ text: "one", firstDelayMs: 100 }, { text: "two" }]);
    const first = open(host());
    const sent = await first.send("go");
    const second = open(host(), first.id);
    await expect(second.send("me too")).rejects.toMatchObject({ code: "locked" });
    expect((await sent.turn).text).toBe("one");
    await first.close();
    const events = listen(second);
    expect(await say(second, "now")).toMatchObject({ text: "two" });
    expect(server.requests.at(-1)?.messages.map((message) => message.content)).toEqual([
      "Help.",
      "go",
      "one",
      "now",
    ]);
    const told = events.flatMap((event) =>
      event.type === "entry" && event.entry.type === "user" ? [event.entry.text] : [],
    );
    expect(told).toContain("now");
  });

  it("waits in its row while a call waits for a person", async () => {
    await serve([{ toolCalls: [{ id: "c1", name: "write_file" }] }, { text: "ok" }]);
    const answered = gate();
    const session = open(
      host({
        execute: async (call, hooks) => {
          hooks.onState?.("waiting");
          await answered.opened;
          hooks.onState?.("running");
          return testResult(call);
        },
      }),
    );
    const states: string[] = [];
    session.events.on((event) => {
      if (event.type === "row" && states.at(-1) !== event.row.state) states.push(event.row.state);
      if (event.type === "row" && event.row.state === "waiting") answered.open();
    });
    await say(session, "go");
    expect(states).toEqual(["running", "waiting", "running", "idle"]);
  });

  it("gives the whole output of a call, of which the view shows the start", async () => {
    await serve([{ toolCalls: [{ id: "c1", name: "read_file" }] }, { text: "ok" }]);
    const output = "line\n".repeat(40_000);
    const session = open(host({ execute: async (call) => testResult(call, { output }) }));
    await say(session, "go");
    expect(session.output("c1")).toBe(output);
    expect(JSON.stringify(session.view()).length).toBeLessThan(20_000);
    expect(server.requests[1]?.messages.at(-1)?.content).toBe(output);
    expect(() => session.output("none")).toThrow(/no result of the call none/);
    // The next turn reads it back from the record, whole.
    server.push({ text: "again" });
    await say(session, "more");
    expect(server.requests[2]?.messages.at(-3)?.content).toBe(output);
  });

  it("keeps a new title through turns and reopening", async () => {
    await serve([{ text: "a", repeat: true }]);
    const session = open(host());
    await session.rename(" My title ");
    await say(session, "something else");
    expect(session.row.title).toBe("My title");
    await session.close();
    expect(open(host(), session.id).row.title).toBe("My title");
    expect(store().list()[0]?.title).toBe("My title");
  });

  it("ends the turn with an error where a line of it cannot be written, and stops what runs", async () => {
    await serve([{ toolCalls: [{ name: "read_file" }, { name: "read_file" }] }]);
    let stopped = false;
    const session: ChatSession = open(
      host({
        execute: async (call, _hooks, signal) => {
          signal.addEventListener("abort", () => (stopped = true));
          if (call.id === "call_2") return new Promise(() => {});
          // A long output goes to a folder, in whose place a file stands.
          fs.writeFileSync(path.join(path.dirname(mainFile(session)), "blobs"), "");
          return testResult(call, { output: "x".repeat(100_000) });
        },
      }),
    );
    const report = await say(session, "go");
    expect(report.stopReason).toBe("error");
    expect(report.error?.message).toContain("blobs");
    expect(stopped).toBe(true);
    expect(session.row.state).toBe("failed");
    expect(lineTypes(session).slice(-2)).toEqual(["system", "turn_end"]);
    expect(reported.splice(0)).toHaveLength(1);
  });
});
