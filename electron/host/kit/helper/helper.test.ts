import { once } from "node:events";
import { readFileSync } from "node:fs";
import net from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { run, spawn, stopAllProcesses } from "../process.ts";
import { isRunning, processesWith } from "../process-table.ts";
import { helperKit, parentOfChildren, type HelperKit } from "./helper.testkit.ts";
import { addressOfText, headerLength, headerOf, purposeOf, readLines } from "./protocol.ts";

test("a header says what a socket is for, to who knows the password", () => {
  const password = "a".repeat(32);
  for (const purpose of ["talk", { number: 123_456, stream: 2 }] as const) {
    const header = headerOf(password, purpose);
    expect(header).toHaveLength(headerLength);
    expect(purposeOf(header, password)).toEqual(purpose);
    expect(purposeOf(header, "b".repeat(32))).toBeUndefined();
    expect(purposeOf(header.slice(1), password)).toBeUndefined();
  }
});
test("lines are whole however they are cut", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  for (const byte of Buffer.from("one\ntwö\n\nrest")) stream.write(Buffer.of(byte));
  stream.end();
  await once(stream, "close");
  expect(lines).toEqual(["one", "twö", ""]);
});

describe.skipIf(process.platform !== "linux")("the helper", () => {
  let kit: HelperKit;
  beforeEach(async () => {
    kit = await helperKit();
  });
  afterEach(async () => {
    await stopAllProcesses();
    await kit.remove();
    expect(processesWith("NACRE_HELPER_ADDRESS", "").filter((pid) => helpers().includes(pid))).toEqual([]);
  });
  /** Of this process alone: other tests have theirs. */
  const seen = new Set<number>();
  const helpers = (): number[] => [...seen];

  it("is not there before something long-lived starts", async () => {
    expect((await run({ command: "sh", args: ["-c", "echo $PPID"] })).output).toBe(`${process.pid}\n`);
  });
  it("dies: its children go on with their streams, their end is still told, and another one starts", async () => {
    const first = await parentOfChildren();
    seen.add(first);
    const child = await spawn({ command: "cat", args: [] });
    process.kill(first, "SIGKILL");
    await expect.poll(() => isRunning(first)).toBe(false);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdin.write("still here\n");
    await expect.poll(() => said).toBe("still here\n");
    child.stdin.end();
    // The code went with who waited for it.
    expect(await child.exit).toEqual({ code: null, signal: null });
    let second = first;
    await expect
      .poll(async () => (second = await parentOfChildren()), { timeout: 10_000 })
      .not.toBe(process.pid);
    seen.add(second);
    expect(second).not.toBe(first);
  });
  it("lets nobody in without the password", async () => {
    const helper = await parentOfChildren();
    seen.add(helper);
    const variable = /NACRE_HELPER_ADDRESS=([^\0]+)/.exec(
      readFileSync(`/proc/${helper}/environ`, "utf8"),
    )?.[1];
    const stranger = net.connect(addressOfText(variable ?? ""));
    stranger.write(headerOf("x".repeat(32), "talk"));
    await once(stranger.resume(), "close");
    expect(await parentOfChildren()).toBe(helper);
  });
});
