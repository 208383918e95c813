import { expect, test } from "vitest";
import type { Entry } from "../../shared/session.ts";
import { sessionRow, toolCall } from "../fixtures.testing.ts";
import { applyDelta, reduceHead, withOlder, type Delta, type SessionHead } from "./reduce.ts";

const answer: Entry = { type: "assistant", id: "e1", t: 0, text: "Hello", reasoning: "", done: false };
const tool: Entry = { type: "tool", id: "e2", t: 0, call: toolCall({ output: "one\n" }) };
const delta = (part: Partial<Delta>): Delta => ({
  type: "delta",
  entryId: "e1",
  field: "text",
  at: 5,
  text: "!",
  ...part,
});

test("a delta adds to its field", () => {
  expect(applyDelta(answer, delta({ text: ", you" }))).toMatchObject({ text: "Hello, you", reasoning: "" });
  expect(applyDelta(answer, delta({ field: "reasoning", at: 0, text: "hm" }))).toMatchObject({
    reasoning: "hm",
  });
  expect(applyDelta(tool, delta({ field: "output", at: 4, text: "two" }))).toMatchObject({
    call: { output: "one\ntwo" },
  });
});

test("applied twice it does nothing, and the object stays the same", () => {
  const once = applyDelta(answer, delta({}));
  expect(applyDelta(once, delta({}))).toBe(once);
  expect(applyDelta(answer, delta({ at: 0, text: "Hel" }))).toBe(answer);
});

test("what is half known adds the rest", () => {
  expect(applyDelta(answer, delta({ at: 3, text: "lo, you" }))).toMatchObject({ text: "Hello, you" });
});

test("a piece after a gap waits for the snapshot", () => {
  expect(applyDelta(answer, delta({ at: 9 }))).toBe(answer);
});

test("a field that the entry has not is left alone", () => {
  expect(applyDelta(answer, delta({ field: "output" }))).toBe(answer);
  expect(applyDelta(tool, delta({ at: 0 }))).toBe(tool);
});

test("the head takes rows and running, and stays itself for entries", () => {
  const head: SessionHead = { row: sessionRow(), running: false, runningSince: null, step: 0, queued: [] };
  const row = sessionRow({ title: "Renamed" });
  expect(reduceHead(head, { type: "row", row }).row).toBe(row);
  const running = { type: "running", running: true, runningSince: 5, step: 2, queued: ["next"] } as const;
  expect(reduceHead(head, running)).toEqual({
    row: head.row,
    running: true,
    runningSince: 5,
    step: 2,
    queued: ["next"],
  });
  expect(reduceHead(head, delta({}))).toBe(head);
});

test("older entries stand before the known ones, none twice", () => {
  expect(withOlder(["a", "b", "c"], ["c", "d"])).toEqual(["a", "b", "c", "d"]);
});
