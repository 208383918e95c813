import { expect, test } from "vitest";
import { answerOfKey } from "./approval-keys.ts";

const pressed = (key: string, part = {}) => ({
  key,
  isComposing: false,
  keyCode: 0,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...part,
});

test("a key alone is an answer", () => expect(answerOfKey(pressed("y"))).toBe("once"));
test.each([{ isComposing: true }, { keyCode: 229 }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])(
  "a key with %o is no answer",
  (part) => expect(answerOfKey(pressed("y", part))).toBeUndefined(),
);
