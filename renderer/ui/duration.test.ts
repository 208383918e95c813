import { expect, test } from "vitest";
import { durationWords } from "./duration.ts";

test.each([
  [0, "ui.duration.ms", { n: 0 }],
  [62.4, "ui.duration.ms", { n: 62 }],
  [1234, "ui.duration.s", { n: 1.2 }],
  [14_900, "ui.duration.s", { n: 14 }],
  [72_000, "ui.duration.ms_s", { m: 1, s: 12 }],
  [3_720_000, "ui.duration.h_m", { h: 1, m: 2 }],
])("%d ms", (ms, key, values) => expect(durationWords(ms)).toEqual({ key, values }));
