import childProcess from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endOrphans } from "./orphans.ts";
import { hostRunName, keepChildren, spawn, stopAllProcesses } from "./process.ts";
import { ownIdentity } from "./process-identity.ts";
import { isRunning, processStat } from "./process-table.ts";

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
async function leave(run?: string): Promise<number> {
  const env = run === undefined ? {} : { NACRE_RUN_ID: `${run}1.` };
  const child = childProcess.spawn("sleep", ["1000"], { env, detached: true, stdio: "ignore" });
  children.push(child);
  await new Promise((resolve) => child.once("spawn", resolve));
  return child.pid ?? 0;
}

const sweep = (): Promise<string[]> => endOrphans(folder);

describe.skipIf(process.platform !== "linux")("orphans", () => {
  const dead = { ...ownIdentity(), start: "1" };
  const note = (run: string, identity: object, ...children: object[]): void => {
    fs.mkdirSync(folder, { recursive: true });
    const lines = [{ ...identity, run }, ...children].map((line) => `${JSON.stringify(line)}\n`);
    fs.writeFileSync(path.join(folder, `${run}jsonl`), lines.join(""));
  };
  it("of a dead host are ended, and nobody else", async () => {
    note("1-aaaaaa-x.", dead);
    note("2-aaaaaa-x.", ownIdentity());
    note("3-aaaaaa-x.", { ...dead, boot: "another" });
    const pids = await Promise.all(["1-aaaaaa-x.", "2-aaaaaa-x.", "3-aaaaaa-x."].map(leave));
    expect(await sweep()).toEqual(["1-aaaaaa-x."]);
    while (isRunning(pids[0] ?? 0)) await wait(5);
    expect(pids.slice(1).map(isRunning)).toEqual([true, true]);
    expect(fs.readdirSync(folder)).toEqual(["2-aaaaaa-x.jsonl", "3-aaaaaa-x.jsonl"]);
  });
  it("are found by pid and start time where their environment says nothing; a number given anew is left alone", async () => {
    const [ours, other] = await Promise.all([leave(), leave()]);
    const noted = (pid: number, start?: string) => ({ pid, start, at: Date.now() });
    note(
      "1-aaaaaa-x.",
      dead,
      noted(ours, processStat(ours)?.start),
      noted(other, String(Number(processStat(other)?.start) - 1)),
    );
    await sweep();
    while (isRunning(ours)) await wait(5);
    expect(isRunning(other)).toBe(true);
  });
  it("of a file that was tampered with are left alone", async () => {
    note("1-aaaaaa-x.", dead);
    const head = JSON.stringify({ ...dead, run: "1-aaaaaa-x." });
    for (const text of [
      "",
      "{}",
      JSON.stringify({ ...dead, run: "" }),
      JSON.stringify({ ...dead, run: "1" }),
    ]) {
      fs.writeFileSync(path.join(folder, "x.jsonl"), text);
      expect(await sweep()).not.toContain("x");
    }
    expect(fs.readdirSync(folder)).toEqual(["x.jsonl"]);
    // As a group 1 is everybody and 0 is ourselves.
    fs.writeFileSync(
      path.join(folder, "x.jsonl"),
      `${head}\n{"pid":1,"start":"${processStat(1)?.start}","at":1}\n{"pid":0,"start":"","at":1}\n{"pid":12`,
    );
    expect(await sweep()).toEqual(["1-aaaaaa-x."]);
  });
  it("are none where nothing was ever written", async () => {
    expect(await sweep()).toEqual([]);
  });
  it("can be found from the first child on, until nobody keeps them", async () => {
    const release = keepChildren({ folder, env: process.env, report: () => undefined });
    expect(fs.existsSync(folder)).toBe(false);
    const { pid } = await spawn({ command: "sleep", args: ["1000"] });
    const [name = ""] = fs.readdirSync(folder);
    expect(name).toBe(`${hostRunName()}jsonl`);
    const [head, child] = fs
      .readFileSync(path.join(folder, name), "utf8")
      .split("\n", 2)
      .map((line) => JSON.parse(line) as unknown);
    expect(head).toEqual({ ...ownIdentity(), run: hostRunName() });
    expect(child).toMatchObject({ pid, start: processStat(pid)?.start });
    expect(await sweep()).toEqual([]);
    await stopAllProcesses();
    await spawn({ command: "true", args: [] });
    expect(fs.readdirSync(folder)).toHaveLength(1);
    await stopAllProcesses();
    await release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
