import { expect, test } from "vitest";
import { choiceOfKey, TypingGuard } from "./approval-keys.ts";

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

test("nothing is answered within 300 ms of the question's appearance", () => {
  const guard = new TypingGuard(1000);
  expect(guard.passes(1299)).toBe(false);
  expect(guard.passes(1599)).toBe(true);
});
test("someone who goes on typing answers nothing", () => {
  const guard = new TypingGuard(1000);
  for (let now = 1100; now < 3000; now += 150) expect(guard.passes(now)).toBe(false);
});
