import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isStale } from "./stale.mjs";

const files = {
  sources: ["shared/a.ts", "electron/host/b.ts", "renderer/c.vue", "vite.config.ts", "package.json"],
  outputs: [
    "dist/node/cli.cjs",
    "dist/node/main.cjs",
    "dist/preload/preload.cjs",
    "dist/renderer/index.html",
  ],
};
let root: string;
const write = (file: string, seconds: number): void => {
  const full = path.join(root, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, "x");
  utimesSync(full, seconds, seconds);
};
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "nacre-stale-"));
  for (const file of files.sources) write(file, 1_000);
  for (const folder of ["shared", "electron/host", "electron", "renderer"])
    utimesSync(path.join(root, folder), 1_000, 1_000);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("nothing built is stale", () => {
  expect(isStale(root)).toBe(true);
});
test("a whole, newer build is fresh", () => {
  for (const file of files.outputs) write(file, 2_000);
  expect(isStale(root)).toBe(false);
});
test.each(files.outputs)("a build without %s is stale", (missing) => {
  for (const file of files.outputs) if (file !== missing) write(file, 2_000);
  expect(isStale(root)).toBe(true);
});
test.each(files.sources)("a change of %s makes it stale", (source) => {
  for (const file of files.outputs) write(file, 2_000);
  write(source, 3_000);
  expect(isStale(root)).toBe(true);
});
test("a removed source makes it stale, a changed test does not", () => {
  for (const file of files.outputs) write(file, 2_000);
  write("shared/a.test.ts", 3_000);
  utimesSync(path.join(root, "shared"), 1_000, 1_000);
  expect(isStale(root)).toBe(false);
  rmSync(path.join(root, "shared/a.test.ts"));
  expect(isStale(root)).toBe(true);
});
