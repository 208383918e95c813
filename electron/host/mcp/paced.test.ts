import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Paced } from "./paced.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("runs at once, then once more for all that was asked meanwhile, ever more rarely, until it is quiet", async () => {
  let runs = 0;
  const paced = new Paced(() => Promise.resolve(void runs++), 10, 40);
  const runsAfter = async (ms: number, floods: boolean): Promise<number> => {
    const before = runs;
    for (let passed = 0; passed < ms; passed++) {
      if (floods) for (let n = 0; n < 5; n++) paced.request();
      await vi.advanceTimersByTimeAsync(1);
    }
    return runs - before;
  };
  expect(await runsAfter(5, true)).toBe(1);
  expect(await runsAfter(1000, true)).toBeLessThan(40);
  expect(await runsAfter(1000, false)).toBeLessThan(3);
  const before = runs;
  paced.request();
  expect(runs).toBe(before + 1);
  await vi.advanceTimersByTimeAsync(100);
});
