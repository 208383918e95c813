import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { handOver, stopAllProcesses } from "./process.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "nacre-hand-over-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a program that was handed over lives on when everything of ours is stopped", async () => {
  const go = path.join(folder, "go");
  const done = path.join(folder, "done");
  const program = `const fs = require("fs");
    const wait = () => fs.existsSync(${JSON.stringify(go)})
      ? fs.writeFileSync(${JSON.stringify(done)}, Object.keys(process.env).join())
      : setTimeout(wait, 20);
    wait();`;
  await handOver({ command: process.execPath, args: ["-e", program] });
  await stopAllProcesses();
  expect(existsSync(done)).toBe(false);
  writeFileSync(go, "");
  await expect.poll(() => existsSync(done) && readFileSync(done, "utf8")).toMatch(/PATH/);
  expect(readFileSync(done, "utf8")).not.toMatch(/NACRE_/);
});
test("a program that is not there is named", async () => {
  await expect(handOver({ command: path.join(folder, "none"), args: [] })).rejects.toMatchObject({
    code: "not_found",
  });
});
