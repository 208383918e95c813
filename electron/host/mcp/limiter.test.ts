import { describe, expect, it } from "vitest";
import { Limiter } from "./limiter.ts";

const never = new AbortController().signal;
const gate = (): { open: () => void; passed: Promise<void> } => {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
};

describe("Limiter", () => {
  it("runs so many at once and the rest in order, after failures too", async () => {
    const limiter = new Limiter(2);
    const gates = [gate(), gate(), gate(), gate()];
    const begun: number[] = [];
    const runs = gates.map(({ passed }, number) =>
      limiter.run(async () => {
        begun.push(number);
        await passed;
        if (number === 0) throw new Error("zero");
        return number;
      }, never),
    );
    expect(begun).toEqual([0, 1]);
    gates[0]?.open();
    await expect(runs[0]).rejects.toThrow("zero");
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(runs.slice(1))).toEqual([1, 2, 3]);
  });
  it("lets who waits leave the queue", async () => {
    const limiter = new Limiter(1);
    const first = gate();
    const running = limiter.run(() => first.passed, never);
    const leaving = new AbortController();
    const left = limiter.run(() => Promise.resolve("never"), leaving.signal);
    const next = limiter.run(() => Promise.resolve("next"), never);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    first.open();
    await running;
    expect(await next).toBe("next");
    await expect(limiter.run(() => Promise.resolve(), AbortSignal.abort(new Error("late")))).rejects.toThrow(
      "late",
    );
    expect(await limiter.run(() => Promise.resolve("free"), never)).toBe("free");
  });
  it("does not let one that hangs hold up the others, nor free its place twice", async () => {
    const limiter = new Limiter(1, 1);
    const hanging = gate();
    const slow = limiter.run(() => hanging.passed, never);
    expect(await limiter.run(() => Promise.resolve("meanwhile"), never)).toBe("meanwhile");
    hanging.open();
    await slow;
    let running = 0;
    let most = 0;
    const one = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    await Promise.all([limiter.run(one, never), limiter.run(one, never), limiter.run(one, never)]);
    expect(most).toBe(1);
  });
});
