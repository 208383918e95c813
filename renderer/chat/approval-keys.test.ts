import { expect, test } from "vitest";
import { answerOfKey, Guard } from "./approval-keys.ts";

const pressed = (key: string, part = {}) => ({
  key,
  isComposing: false,
  keyCode: 0,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...part,
});

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
  ["x", undefined],
])("%s answers %s", (key, choice) => expect(answerOfKey(pressed(key))).toBe(choice));

test.each([{ isComposing: true }, { keyCode: 229 }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])(
  "a key with %o is no answer",
  (part) => expect(answerOfKey(pressed("y", part))).toBeUndefined(),
);

test("nothing is answered within 300 ms of the card's appearance", () => {
  const guard = new Guard(1000);
  expect(guard.passes(1299)).toBe(false);
  expect(guard.passes(1599)).toBe(true);
});

test("someone who goes on typing answers nothing", () => {
  const guard = new Guard(1000);
  for (let now = 1100; now < 3000; now += 150) expect(guard.passes(now)).toBe(false);
});
