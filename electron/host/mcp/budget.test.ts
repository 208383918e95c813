import { expect, it } from "vitest";
import { Budget } from "./budget.ts";

it("gives its burst at once, then one for each part of a second, and never more than its burst", () => {
  let now = 0;
  const budget = new Budget(3, 10, () => now);
  const taken = (): number => [1, 2, 3, 4, 5].filter(() => budget.take()).length;
  expect(taken()).toBe(3);
  now = 100;
  expect(taken()).toBe(1);
  now = 150;
  expect(taken()).toBe(0);
  now = 60_000;
  expect(taken()).toBe(3);
});
