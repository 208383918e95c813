import { expect, test } from "vitest";
import { switchOf } from "./switch-of.ts";

test("the words of a switch, and what is none", () => {
  for (const value of [true, "yes", "On", 1, "1"]) expect(switchOf(value)).toBe(true);
  for (const value of [false, "no", "OFF", 0, "0"]) expect(switchOf(value)).toBe(false);
  for (const value of ["maybe", 2, null, undefined, [], {}]) expect(switchOf(value)).toBeUndefined();
});
