import { expect, test } from "vitest";
import { composerAction } from "./composer-keys.ts";

const pressed = (key: string, part = {}) => ({
  key,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  ...part,
});

test.each([
  ["Tab", {}, "use"],
  ["Tab", { shiftKey: true }, null],
  ["Tab", { isComposing: true }, null],
  ["Enter", {}, "send"],
])("with a suggestion: %s %o", (key, part, action) =>
  expect(composerAction(pressed(key, part), false, true)).toBe(action),
);

test.each([
  ["Enter", {}, false, "send"],
  ["Enter", { shiftKey: true }, false, null],
  ["Enter", { isComposing: true }, false, null],
  ["Enter", { keyCode: 229 }, false, null],
  ["Enter", {}, true, "accept"],
  ["Enter", { isComposing: true }, true, null],
  ["Tab", {}, true, "accept"],
  ["Tab", {}, false, null],
  ["ArrowDown", {}, true, "next"],
  ["ArrowUp", {}, true, "previous"],
  ["ArrowUp", {}, false, null],
  ["Escape", {}, true, "close"],
  ["Escape", {}, false, null],
  ["a", {}, true, null],
])("%s %o, menu %s", (key, part, menuOpen, action) =>
  expect(composerAction(pressed(key, part), menuOpen)).toBe(action),
);
