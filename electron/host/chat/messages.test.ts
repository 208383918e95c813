import { describe, expect, it } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import type { LineBody, RecordLine } from "../record/lines.ts";
import { interruptedText } from "./entry-list.ts";
import { lastReminder, messagesOf, reminderDue, reminderText } from "./messages.ts";

let count = 0;
const line = (body: LineBody): RecordLine => {
  count += 1;
  return { v: 1, id: `l${count}`, parent: null, t: count, ...body };
};
const user = (text: string) => line({ type: "user", text });
const says = (text: string, type: "assistant" | "assistant_part" = "assistant") =>
  line({ type, message: `m${count}`, text, reasoning: "thoughts" });
const call = (callId: string, input: unknown = {}) =>
  line({ type: "tool_call", callId, name: "grep", title: "grep", origin: "builtin", input });
const result = (callId: string, text: string, sha256?: string) =>
  line({
    type: "tool_result",
    callId,
    output: sha256 === undefined ? { text } : { text, blob: { sha256, bytes: 1 } },
    isError: false,
    durationMs: 5,
    decision: "allow",
    sandboxed: null,
  });
const system = (text: string, audience: "model" | "user" = "model") =>
  line({ type: "system", audience, level: "info", text });
const turnEnd = (steps: number) =>
  line({ type: "turn_end", stopReason: "end", usage: { inputTokens: 0, outputTokens: 0 }, steps });
const noBlob = (): string => {
  throw new NacreError("not_found", "no blob");
};
const brief = (lines: RecordLine[]) =>
  messagesOf(lines, noBlob).map((message) =>
    message.role === "user"
      ? `user ${message.text}`
      : message.role === "assistant"
        ? `assistant ${message.text} [${message.calls.map(({ id }) => id).join(" ")}]`
        : `tool ${message.callId} ${message.output}`,
  );

describe("messagesOf", () => {
  it("rebuilds steps with their calls, results in the order of the calls, without reasoning", () => {
    const lines = [
      user("go"),
      says("Looking."),
      call("a"),
      call("b"),
      result("b", "B"),
      result("a", "A"),
      says(""),
      call("c", "{broken"),
      result("c", "C"),
      says("Done."),
      turnEnd(3),
    ];
    expect(brief(lines)).toEqual([
      "user go",
      "assistant Looking. [a b]",
      "tool a A",
      "tool b B",
      "assistant  [c]",
      "tool c C",
      "assistant Done. []",
    ]);
    expect(messagesOf(lines, noBlob)[1]).toEqual({
      role: "assistant",
      text: "Looking.",
      calls: [
        { id: "a", name: "grep", input: {} },
        { id: "b", name: "grep", input: {} },
      ],
    });
  });

  it("keeps steps apart that ran one call after another", () => {
    expect(
      brief([user("go"), says(""), call("a"), result("a", "A"), says(""), call("b"), result("b", "B")]),
    ).toEqual(["user go", "assistant  [a]", "tool a A", "assistant  [b]", "tool b B"]);
  });

  it("answers calls that a crash cut off, so that a provider takes the history", () => {
    expect(brief([user("go"), says("Hm"), call("a"), call("b"), result("b", "B"), user("again")])).toEqual([
      "user go",
      "assistant Hm [a b]",
      `tool a ${interruptedText}`,
      "tool b B",
      "user again",
    ]);
  });

  it("keeps the part of an answer that a crash cut off", () => {
    expect(brief([user("go"), says("half an ans", "assistant_part"), user("go on")])).toEqual([
      "user go",
      "assistant half an ans []",
      "user go on",
    ]);
  });

  it("puts a reminder before the question that it came with, and one in the middle where it came", () => {
    const reminder = reminderText("skills");
    expect(brief([user("go"), system(reminder), says("ok"), system(reminder)])).toEqual([
      `user ${reminder}`,
      "user go",
      "assistant ok []",
      `user ${reminder}`,
    ]);
  });

  it("leaves out notices, slash commands and the guide's answers, and keeps what was asked", () => {
    const lines = [
      user("/help"),
      says("commands …"),
      turnEnd(0),
      user("what is this?"),
      says("I am no language model"),
      turnEnd(0),
      user("/call grep {}"),
      call("a"),
      result("a", "A"),
      turnEnd(0),
      system("a notice", "user"),
      user("/skill pdf read it"),
      system("the body of the skill"),
      says("reading"),
      turnEnd(1),
    ];
    expect(brief(lines)).toEqual([
      "user what is this?",
      "user the body of the skill",
      "assistant reading []",
    ]);
  });

  it("gives the whole of an output that lies in a blob", () => {
    const lines = [user("go"), says(""), call("a"), result("a", "start", "abc")];
    expect(messagesOf(lines, (sha256) => `whole ${sha256}`).at(-1)).toMatchObject({ output: "whole abc" });
  });
});

describe("reminders", () => {
  const one = reminderText("one");
  it("finds the last one, and takes no prompt for one", () => {
    const second = system(reminderText("two"));
    expect(lastReminder([system(one), second, system("a prompt")])).toBe(reminderText("two"));
    expect(lastReminder([user("x")])).toBeUndefined();
    expect(reminderText(one)).toBe(one);
  });
  it("is due in the first step, where it changed and after a compaction, and no more often", () => {
    const compaction = line({ type: "compaction", summary: "before", upTo: "l1" });
    expect(reminderDue([user("x")], "one")).toBe(one);
    expect(reminderDue([user("x"), system(one), user("y")], "one")).toBeUndefined();
    expect(reminderDue([system(one)], "two")).toBe(reminderText("two"));
    expect(reminderDue([system(one), compaction, user("y")], "one")).toBe(one);
    expect(reminderDue([system(one), compaction, system(one)], "one")).toBeUndefined();
  });
  it("is taken back once where there is none any more, and never where there was none", () => {
    expect(reminderDue([user("x")], null)).toBeUndefined();
    const back = reminderDue([system(one)], null) ?? "";
    expect(back).toContain("no longer holds");
    expect(reminderDue([system(one), system(back)], null)).toBeUndefined();
    expect(reminderDue([system(one), system(back)], "one")).toBe(one);
  });
});
