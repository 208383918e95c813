import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { childEnvironment } from "../kit/environment.ts";
import { isRunning } from "../kit/process-table.ts";
import { BackgroundCommands, type BackgroundEnd } from "./background.ts";

const posix = process.platform !== "win32";
const { signal } = new AbortController();
const mine = { sessionId: "one", agentRun: null };
let folder: string;
let background: BackgroundCommands;
let ends: BackgroundEnd[];
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-background-")));
  background = new BackgroundCommands({ now: () => Date.now() });
  ends = [];
  background.onEnd.on((end) => ends.push(end));
});
afterEach(async () => {
  await background.endAll();
  fs.rmSync(folder, { recursive: true });
});
const start = (command: string, more: Partial<Parameters<BackgroundCommands["start"]>[0]> = {}): string =>
  background.start({
    spec: { command: "sh", args: ["-c", command], cwd: folder, env: childEnvironment(process.env) },
    command,
    callId: "call",
    ...mine,
    confined: false,
    keepWatch: () => undefined,
    ...more,
  });
const forEver = "while :; do sleep 0.05; done";
const pidIn = (file: string): Promise<number> =>
  vi.waitFor(
    () => {
      const pid = Number(fs.readFileSync(path.join(folder, file), "utf8"));
      expect(pid).toBeGreaterThan(1);
      return pid;
    },
    { timeout: 10_000 },
  );

describe.runIf(posix)("BackgroundCommands", () => {
  it("each reader gets what came since the one before, and the end with its code", async () => {
    const id = start("echo one; until [ -e go ]; do sleep 0.05; done; echo two >&2; exit 3");
    await vi.waitFor(() => expect(background.output(id)).toBe("one\n"), { timeout: 10_000 });
    const first = await background.read(id, mine, 0, signal);
    expect(first).toMatchObject({ text: "one\n", row: { id, state: "running" } });
    fs.writeFileSync(path.join(folder, "go"), "");
    const second = await background.read(id, mine, 10_000, signal);
    expect(second).toMatchObject({ text: "two\n", row: { id, state: "exited", exitCode: 3 } });
    expect((await background.read(id, mine, 0, signal)).text).toBe("");
    expect(background.output(id)).toBe("one\ntwo\n");
    expect(ends).toMatchObject([{ callId: "call", row: { id, exitCode: 3 }, output: background.output(id) }]);
  });
  it("tells rows while it runs: the last line, and that they changed", async () => {
    let told = 0;
    background.onChange.on(() => (told += 1));
    const id = start(`echo starting; echo ready on 8080; ${forEver}`);
    await vi.waitFor(() => expect(background.rows()[0]?.lastLine).toBe("ready on 8080"), { timeout: 10_000 });
    expect(background.rows()).toMatchObject([
      { id, callId: "call", sessionId: "one", state: "running", confined: false },
    ]);
    await vi.waitFor(() => expect(told).toBeGreaterThan(1), { timeout: 10_000 });
  });
  it("a stop ends the whole group, also what ignores TERM; twice is fine", async () => {
    const id = start(`(trap '' TERM; sh -c 'echo $$ > grandchild; ${forEver}') & ${forEver}`);
    const pid = await pidIn("grandchild");
    expect(await background.stop(id, mine)).toMatchObject({ state: "stopped" });
    expect(isRunning(pid)).toBe(false);
    expect(await background.stop(id)).toMatchObject({ state: "stopped" });
    expect((await background.read(id, mine, 0, signal)).row.state).toBe("stopped");
  });
  it("another conversation neither reads nor stops it, and a sub-agent only its own", async () => {
    const id = start(forEver);
    const agents = start(forEver, { agentRun: "run" });
    const stranger = { sessionId: "two", agentRun: null };
    await expect(background.read(id, stranger, 0, signal)).rejects.toMatchObject({ code: "not_found" });
    await expect(background.stop(id, stranger)).rejects.toMatchObject({ code: "not_found" });
    await expect(background.stop(id, { sessionId: "one", agentRun: "run" })).rejects.toThrow(
      `there is no background command ${id}; there are ${agents}`,
    );
    expect((await background.read(agents, mine, 0, signal)).row.state).toBe("running");
    await background.endAgentRun("run");
    expect(background.rows().map(({ state }) => state)).toEqual(["running", "stopped"]);
  });
  it("the end of a session ends and forgets its commands and no others", async () => {
    start(`echo $$ > pid; ${forEver}`);
    const other = start(forEver, { sessionId: "two" });
    const pid = await pidIn("pid");
    expect([background.isRunning("one"), background.isRunning("three")]).toEqual([true, false]);
    await background.endSession("one");
    expect(isRunning(pid)).toBe(false);
    expect(background.rows().map(({ id, state }) => [id, state])).toEqual([[other, "running"]]);
  });
  it("sixteen run at once in a session, a further one is refused, another session is free", () => {
    for (let n = 0; n < 16; n++) start("sleep 60");
    expect(() => start("sleep 60")).toThrow("16 commands run in the background already");
    expect(start("sleep 60", { sessionId: "two" })).toBe("shell-17");
  });
  it("of what it wrote the last 512 KB are kept, and a reader hears that more came", async () => {
    const id = start("head -c 900000 /dev/zero | tr '\\0' x; echo end");
    const { text, cut } = await background.read(id, mine, 60_000, signal);
    expect([text.length, text.endsWith("xend\n"), cut]).toEqual([512 * 1024, true, true]);
  });
  it("a reader that is stopped leaves what came to the next one", async () => {
    const id = start(`echo here; ${forEver}`);
    await vi.waitFor(() => expect(background.output(id)).toBe("here\n"), { timeout: 10_000 });
    const controller = new AbortController();
    const reading = background.read(id, mine, 60_000, controller.signal);
    controller.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    expect((await background.read(id, mine, 0, signal)).text).toBe("here\n");
  });
  it("a program that cannot be started is told of with its reason", async () => {
    const id = start("x", { spec: { command: "no-such-program-here", args: [] } });
    await expect(background.read(id, mine, 10_000, signal)).rejects.toMatchObject({ code: "not_found" });
    expect(background.rows()).toMatchObject([{ id, state: "exited" }]);
  });
  it("what is watched over is looked at when it has ended, and the notes stand in its output", async () => {
    const watched: string[] = [];
    const id = start("echo done", {
      keepWatch: () => async () => {
        watched.push(background.rows()[0]?.state ?? "");
        return [".agent was moved"];
      },
    });
    const { text } = await background.read(id, mine, 10_000, signal);
    expect(watched).toEqual(["running"]);
    expect(text).toBe("done\n(.agent was moved)\n");
  });
});
