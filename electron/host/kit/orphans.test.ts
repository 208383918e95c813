import childProcess from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endOrphans, removeRunFile, writeRunFile } from "./orphans.ts";
import { hostRunName, noteChildrenIn, spawn, stopAllProcesses } from "./process.ts";
import { ownIdentity } from "./process-identity.ts";
import { isRunning } from "./process-table.ts";

let folder: string;
const children: childProcess.ChildProcess[] = [];
beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-orphans-")), "run");
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await stopAllProcesses();
  fs.rmSync(path.dirname(folder), { recursive: true, force: true });
});
/** A process as one of the run would have left it behind. */
async function leave(run: string): Promise<number> {
  const env = { ...process.env, NACRE_RUN_ID: `${run}1.` };
  const child = childProcess.spawn("sleep", ["1000"], { env, detached: true, stdio: "ignore" });
  children.push(child);
  await new Promise((resolve) => child.once("spawn", resolve));
  return child.pid ?? 0;
}

describe.skipIf(process.platform !== "linux")("orphans", () => {
  const dead = { ...ownIdentity(), start: "1" };
  const note = (run: string, identity: object): void => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${run}json`), JSON.stringify({ ...identity, run }));
  };
  it("of a dead host are ended, and nobody else", async () => {
    note("1-aaaaaa-x.", dead);
    note("2-aaaaaa-x.", ownIdentity());
    note("3-aaaaaa-x.", { ...dead, boot: "another" });
    const pids = await Promise.all(["1-aaaaaa-x.", "2-aaaaaa-x.", "3-aaaaaa-x."].map(leave));
    expect(endOrphans(folder)).toEqual(["1-aaaaaa-x."]);
    while (isRunning(pids[0] ?? 0)) await wait(5);
    expect(pids.slice(1).map(isRunning)).toEqual([true, true]);
    expect(fs.readdirSync(folder)).toEqual(["2-aaaaaa-x.json", "3-aaaaaa-x.json"]);
  });
  it("of a file that was tampered with are left alone", () => {
    note("1-aaaaaa-x.", dead);
    for (const text of [
      "",
      "{}",
      JSON.stringify({ ...dead, run: "" }),
      JSON.stringify({ ...dead, run: "1" }),
    ]) {
      fs.writeFileSync(path.join(folder, "x.json"), text);
      expect(endOrphans(folder)).not.toContain("x");
    }
    expect(fs.readdirSync(folder)).toEqual(["x.json"]);
  });
  it("are none where nothing was ever written", () => {
    expect(endOrphans(folder)).toEqual([]);
  });
  it("can be found from the first child on, until all are stopped", async () => {
    noteChildrenIn(folder);
    expect(fs.existsSync(folder)).toBe(false);
    await spawn({ command: "sleep", args: ["1000"] });
    expect(fs.readdirSync(folder)).toEqual([`${hostRunName()}json`]);
    expect(endOrphans(folder)).toEqual([]);
    await stopAllProcesses();
    expect(fs.readdirSync(folder)).toEqual([]);
    await spawn({ command: "true", args: [] });
    expect(fs.readdirSync(folder)).toHaveLength(1);
  });
  it("leave no file where there is nothing to note", () => {
    writeRunFile(folder, "9-aaaaaa-x.");
    removeRunFile(folder, "9-aaaaaa-x.");
    removeRunFile(folder, "9-aaaaaa-x.");
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
