import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readRunFiles, RunFile } from "./run-file.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-run-file-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
const run = "1-aaaaaa-x.";
const child = (pid: number) => ({ pid, start: String(pid), at: pid });
const pids = (): number[] =>
  [...readRunFiles(folder).values()].flatMap(({ children }) => children.map(({ pid }) => pid));

test("what was noted is read, also behind a torn line", () => {
  const file = new RunFile(folder, run);
  file.open();
  file.note(child(10));
  file.note(child(11));
  fs.appendFileSync(path.join(folder, `${run}jsonl`), '{"pid":12,"st');
  expect(pids()).toEqual([10, 11]);
});
test("a long life does not make a long file: children that ended are dropped, those that live are kept", () => {
  const file = new RunFile(folder, run);
  file.open();
  file.note(child(2));
  for (let pid = 100; pid < 1_300; pid++) {
    file.note(child(pid));
    file.forget(pid);
  }
  expect(pids()).toContain(2);
  expect(pids().length).toBeLessThan(1_000);
  expect(fs.readdirSync(folder)).toEqual([`${run}jsonl`]);
});
test("a file is gone once it is removed, and comes again", () => {
  const file = new RunFile(folder, run);
  file.open();
  file.remove();
  file.remove();
  expect(fs.readdirSync(folder)).toEqual([]);
  file.open();
  expect(readRunFiles(folder).get(path.join(folder, `${run}jsonl`))).toMatchObject({ run, children: [] });
});
