import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../../kit/process.ts";
import { ripgrep } from "./ripgrep.ts";

const posix = process.platform !== "win32";
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "nacre-ripgrep-"));
  writeFileSync(path.join(folder, "a.txt"), "needle\n");
  if (posix) await run({ command: "mkfifo", args: [path.join(folder, ".gitignore")] });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const search = (signal: AbortSignal, longestMs?: number) =>
  ripgrep(
    ["--files", "--", "."],
    { cwd: folder, env: process.env, ...(longestMs === undefined ? {} : { longestMs }) },
    () => true,
    signal,
  );

test.runIf(posix)("a search that a pipe in place of .gitignore holds up ends with Stop", async () => {
  const stop = new AbortController();
  const searching = search(stop.signal);
  stop.abort(new Error("stopped"));
  await expect(searching).rejects.toThrow("stopped");
});
test.runIf(posix)("it ends by itself after a while, and says what may be the cause", async () => {
  await expect(search(new AbortController().signal, 300)).rejects.toThrow(/\.gitignore/);
});
