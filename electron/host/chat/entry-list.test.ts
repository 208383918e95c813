import { describe, expect, it } from "vitest";
import type { LineBody, RecordLine } from "../record/lines.ts";
import { cutOutput, entriesOf, EntryList, interruptedText, shownOutput } from "./entry-list.ts";

let count = 0;
const line = (body: LineBody): RecordLine => {
  count += 1;
  return { v: 1, id: `l${String(count).padStart(4, "0")}`, parent: null, t: count, ...body };
};
const user = (text: string) => line({ type: "user", text });
const says = (message: string, text: string, reasoning = "") =>
  line({ type: "assistant", message, text, reasoning });
const call = (callId: string, name = "grep") =>
  line({ type: "tool_call", callId, name, title: name, origin: "builtin", input: { q: 1 } });
const result = (callId: string, rest: Partial<Extract<LineBody, { type: "tool_result" }>> = {}) =>
  line({
    type: "tool_result",
    callId,
    output: { text: "found" },
    isError: false,
    durationMs: 5,
    decision: "allow",
    sandboxed: null,
    ...rest,
  });
const turnEnd = (steps = 1) =>
  line({ type: "turn_end", stopReason: "end", usage: { inputTokens: 1, outputTokens: 2 }, steps });

describe("entriesOf", () => {
  it("makes one entry of each thing that is seen", () => {
    const entries = entriesOf([
      line({ type: "session", workspace: "/w", version: "1" }),
      line({ type: "system", audience: "model", level: "info", text: "hidden" }),
      user("hello"),
      says("m1", "Looking.", "hm"),
      call("c1"),
      result("c1", { exitCode: 0, diff: "-a\n+b" }),
      says("m2", "", ""),
      line({ type: "system", audience: "user", level: "warning", text: "careful" }),
      turnEnd(2),
    ]);
    expect(entries.map((entry) => entry.type)).toEqual(["user", "assistant", "tool", "notice", "turn_end"]);
    expect(entries[1]).toMatchObject({ id: "m1", text: "Looking.", reasoning: "hm", done: true });
    expect(entries[2]).toMatchObject({
      call: { callId: "c1", state: "done", output: "found", durationMs: 5, exitCode: 0, diff: "-a\n+b" },
    });
    expect(entries[4]).toMatchObject({ stopReason: "end", steps: 2 });
  });

  it.each([
    [{ isError: true }, "failed"],
    [{ decision: "deny", isError: true }, "denied"],
    [{ decision: "asked_deny", isError: true }, "denied"],
    [{ decision: "asked_allow" }, "done"],
  ] as const)("gives a call with %j the state %s", (rest, state) => {
    expect(entriesOf([user("x"), call("a"), result("a", rest)])[1]).toMatchObject({ call: { state } });
  });

  it("marks a call that a crash cut off, also in an earlier turn", () => {
    const [, first, , second] = entriesOf([user("x"), call("a"), user("y"), call("b")]);
    for (const entry of [first, second])
      expect(entry).toMatchObject({ call: { state: "failed", output: interruptedText } });
  });

  it("cuts a long output and says how long it is", () => {
    expect(cutOutput({ text: "x".repeat(shownOutput) })).toHaveLength(shownOutput);
    expect(cutOutput({ text: "x".repeat(shownOutput + 1) })).toContain(`${shownOutput + 1} characters`);
    const blob = { text: "start", blob: { sha256: "0", bytes: 99_999 } };
    const [, entry] = entriesOf([user("x"), call("a"), result("a", { output: blob })]);
    expect(entry).toMatchObject({ call: { output: "start\n… (99999 bytes in all)" } });
  });
});

describe("EntryList.page", () => {
  const list = new EntryList();
  const ids: string[] = [];
  for (let n = 0; n < 120; n += 1) ids.push(list.apply(user(`${n}`))?.id ?? "");

  it("pages backwards over everything, nothing twice", () => {
    const seen: string[] = [];
    let page = list.page(50);
    for (;;) {
      seen.unshift(...page.entries.map((entry) => entry.id));
      if (page.before === null) break;
      page = list.page(50, page.before);
    }
    expect(seen).toEqual(ids);
  });

  it("is empty for an entry that is not there", () => {
    expect(list.page(50, "nothing")).toEqual({ entries: [], before: null });
  });
});
