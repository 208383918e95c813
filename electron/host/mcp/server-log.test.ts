import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logFile, ServerLog } from "./server-log.ts";

let folder: string;
let problems: unknown[];
const open = (file = path.join(folder, "logs", "mcp-x.log")): ServerLog =>
  new ServerLog({
    file,
    mask: (text) => text.replaceAll("s3cret", "***"),
    onProblem: (error) => problems.push(error),
  });
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-log-"));
  problems = [];
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("ServerLog", () => {
  it("keeps lines whole, masked, in memory and in the file", () => {
    const log = open();
    log.stderr(Buffer.from("first\nkey s3c"));
    log.stderr(Buffer.from("ret é"));
    log.stderrEnd();
    log.note("exited with code 3");
    expect(log.lines()).toEqual(["first", "key *** é", "[nacre] exited with code 3"]);
    expect(log.tail).toEqual(log.lines());
    expect(log.lastStderr).toBe("key *** é");
  });
  it("names the cause, not the end of a crash report", () => {
    const log = open();
    const report = "Error: boom\n    at main (x.js:1:1) {\n  code: 'E'\n}\n\nNode.js v20.20.2\n";
    log.stderr(Buffer.from(`\u001B[31mbefore\u001B[0m\n${report}`.replace("  code: 'E'\n", "")));
    expect(log.lastStderr).toBe("Error: boom");
    expect(log.tail[0]).toBe("before");
    log.begin();
    expect(log.lastStderr).toBe("");
  });
  it("keeps the last 200 lines in memory and cuts endless ones", () => {
    const log = open();
    log.stderr(Buffer.from(Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join("")));
    expect(log.tail).toHaveLength(200);
    expect(log.tail.at(-1)).toBe("line 999");
    expect(log.lines()).toHaveLength(1000);
    log.stderr(Buffer.from("x".repeat(400_000)));
    log.stderrEnd();
    expect(log.lastStderr.length).toBeLessThan(17_000);
  });
  it("goes on in the file of an earlier run and rotates it at 10 MB", () => {
    const file = path.join(folder, "mcp-x.log");
    fs.writeFileSync(file, `${"y".repeat(10 * 1024 * 1024 - 10)}\n`);
    fs.writeFileSync(`${file}.1`, "older\n");
    open(file).note("new file");
    expect(fs.readFileSync(file, "utf8")).toBe("[nacre] new file\n");
    expect(fs.statSync(`${file}.1`).size).toBeGreaterThan(1000);
    expect(fs.readFileSync(`${file}.2`, "utf8")).toBe("older\n");
  });
  it("goes on without a file and says so once", () => {
    fs.writeFileSync(path.join(folder, "blocked"), "");
    const log = open(path.join(folder, "blocked", "x.log"));
    log.note("a");
    log.note("b");
    expect(problems).toHaveLength(1);
    expect(log.lines()).toEqual(["[nacre] a", "[nacre] b"]);
  });
  it("makes a file name of any server name", () => {
    expect(logFile("/d", "git.hub-1")).toBe(path.join("/d", "logs", "mcp-git.hub-1.log"));
    expect(path.dirname(logFile("/d", "../../etc/x"))).toBe(path.join("/d", "logs"));
    expect(logFile("/d", "a b:漢")).toBe(path.join("/d", "logs", "mcp-a%20b%3a%6f22.log"));
  });
});
