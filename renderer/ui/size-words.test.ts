import { expect, test } from "vitest";
import { sizeWords } from "./size-words.ts";

test.each([
  [0, "ui.size.b", 0],
  [999, "ui.size.b", 999],
  [1000, "ui.size.kb", 1],
  [48_234, "ui.size.kb", 48.2],
  [999_960, "ui.size.mb", 1],
  [3_250_000, "ui.size.mb", 3.3],
])("%d bytes", (bytes, key, n) => expect(sizeWords(bytes)).toEqual({ key, n }));
