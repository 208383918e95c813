import { expect, test } from "vitest";
import type { LineBody, RecordLine } from "../record/lines.ts";
import { wasGiven } from "./given-text.ts";

const lines = (...bodies: LineBody[]): RecordLine[] =>
  bodies.map((body, index) => ({ v: 1, id: `${index}`, parent: null, t: index, ...body }));
const told = (text: string): LineBody => ({ type: "system", audience: "model", level: "info", text });
const result = (
  output: { text: string; blob?: { sha256: string; bytes: number } },
  isError = false,
): LineBody => ({
  type: "tool_result",
  callId: "c",
  output,
  isError,
  durationMs: 1,
  decision: "allow",
  sandboxed: null,
});
const given = (...bodies: LineBody[]): boolean =>
  wasGiven(lines(...bodies), "the whole skill", () => "the whole skill");

test("a text is given by what came with a question and by a call's result, a long one too", () => {
  expect(given(told("the whole skill\n\ntext"))).toBe(true);
  expect(given(result({ text: "the whole skill" }))).toBe(true);
  expect(given(result({ text: "the whole", blob: { sha256: "x", bytes: 15 } }))).toBe(true);
});
test("not by what people saw, by a failure, by another text, by what a compaction has taken away", () => {
  expect(given({ type: "system", audience: "user", level: "info", text: "the whole skill" })).toBe(false);
  expect(given(result({ text: "the whole skill" }, true))).toBe(false);
  expect(given(result({ text: "the whole skills" }))).toBe(false);
  expect(given(told("the whole skill"), { type: "compaction", summary: "s", upTo: "0" })).toBe(false);
});
