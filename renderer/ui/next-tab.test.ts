import { expect, test } from "vitest";
import { nextTab } from "./next-tab.ts";

test.each([
  ["ArrowRight", 0, false, 1],
  ["ArrowRight", 2, false, 0],
  ["ArrowLeft", 0, false, 2],
  ["ArrowDown", 0, false, undefined],
  ["ArrowDown", 2, true, 0],
  ["ArrowUp", 1, true, 0],
  ["Home", 2, true, 0],
  ["End", 0, false, 2],
  ["a", 1, false, undefined],
])("%s from %i, vertical %s", (key, at, vertical, to) => expect(nextTab(key, at, 3, vertical)).toBe(to));

test("no tabs, nowhere to go", () => expect(nextTab("Home", 0, 0, false)).toBeUndefined());
