import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { Intake } from "./intake.ts";

it("stops reading what is over its budget, and reads on", async () => {
  const stream = Readable.from(Array.from({ length: 10 }, (_, n) => n));
  const intake = new Intake(stream, 3);
  const seen: number[] = [];
  let paused = 0;
  stream.on("pause", () => paused++);
  stream.on("data", (n: number) => {
    seen.push(n);
    intake.count(1);
  });
  await new Promise((resolve) => stream.once("end", resolve));
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(paused).toBeGreaterThan(0);
  intake.end();
});
