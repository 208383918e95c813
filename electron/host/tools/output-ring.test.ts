import { expect, test } from "vitest";
import { OutputRing } from "./output-ring.ts";

test("gives what came since the last look, and says where something was dropped", () => {
  const ring = new OutputRing(10);
  ring.add("one\n");
  const first = ring.since(0);
  expect(first).toEqual({ text: "one\n", cut: false, end: 4 });
  expect(ring.since(first.end)).toEqual({ text: "", cut: false, end: 4 });
  ring.add("two\n");
  expect(ring.since(first.end)).toEqual({ text: "two\n", cut: false, end: 8 });
  ring.add("0123456789abcdef");
  expect(ring.since(8)).toEqual({ text: "6789abcdef", cut: true, end: 24 });
  expect(ring.since(20)).toEqual({ text: "cdef", cut: false, end: 24 });
});
test("keeps no more than its limit, however much comes, and never half a character", () => {
  const ring = new OutputRing(10);
  for (let n = 0; n < 1_000; n++) ring.add("漢");
  expect(ring.since(0)).toEqual({ text: "漢漢漢", cut: true, end: 1_000 });
});
test("tells the last line that says something, cut to a line's length", () => {
  const ring = new OutputRing(100);
  expect(ring.lastLine(5)).toBe("");
  ring.add("first\nready on 8080\r\n  \n");
  expect(ring.lastLine(20)).toBe("ready on 8080");
  expect(ring.lastLine(6)).toBe("ready…");
});
