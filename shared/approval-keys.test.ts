import { expect, test } from "vitest";
import { choiceOfKey, guardMs, TypingGuard } from "./approval-keys.ts";

test.each([
  ["y", "once"],
  ["Y", "once"],
  ["s", "session"],
  ["a", "always"],
  ["n", "deny"],
  ["1", "once"],
  ["2", "session"],
  ["3", "always"],
  ["Escape", undefined],
  ["Enter", undefined],
  ["constructor", undefined],
  ["x", undefined],
])("%s answers %s", (key, choice) => expect(choiceOfKey(key)).toBe(choice));

test("nothing is answered until it was quiet for the whole time", () => {
  const guard = new TypingGuard(1000);
  expect(guard.passes(1000 + guardMs - 1)).toBe(false);
  expect(guard.passes(1000 + guardMs)).toBe(false);
  expect(guard.passes(1000 + guardMs + guardMs)).toBe(true);
});
test("someone who goes on typing answers nothing", () => {
  const guard = new TypingGuard(1000);
  for (let now = 1100; now < 3000; now += 150) expect(guard.passes(now)).toBe(false);
});
test("what follows a letter that is no answer is typing too", () => {
  const guard = new TypingGuard(0);
  expect(guard.passes(guardMs)).toBe(true);
  guard.restart(guardMs);
  expect(guard.passes(guardMs + 130)).toBe(false);
});
