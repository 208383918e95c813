import { expect, test } from "vitest";
import { cutToBytes, lastBytes, OutputCollector } from "./output-collector.ts";

test("the beginning and the end of a text are cut between characters, never within one", () => {
  expect([0, 1, 2, 3, 4, 5].map((bytes) => cutToBytes("a漢b", bytes))).toEqual([
    "",
    "a",
    "a",
    "a",
    "a漢",
    "a漢b",
  ]);
  expect([0, 1, 2, 3, 4, 5].map((bytes) => lastBytes("a漢b", bytes))).toEqual([
    "",
    "b",
    "b",
    "b",
    "漢b",
    "a漢b",
  ]);
});
test("without a limit nothing is kept and everything is heard", () => {
  const heard: string[] = [];
  const collector = new OutputCollector("none", (text) => heard.push(text));
  const input = collector.input();
  for (let n = 0; n < 3; n++) input.write(Buffer.from("x".repeat(1_000_000)));
  input.end();
  expect(heard.join("").length).toBe(3_000_000);
  expect([collector.text, collector.truncated]).toEqual(["", false]);
});
