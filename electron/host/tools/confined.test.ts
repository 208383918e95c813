import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../policy/sandbox.ts";
import { type Bench, type CallMore, createBench } from "./tools.testkit.ts";

const home = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-confined-"));
const folder = (name: string): string => path.join(home, name);
const sandbox: Sandbox = createSandbox({
  platform: process.platform,
  env: process.env,
  paths: { home, config: folder("config"), data: folder("data"), cache: folder("cache"), cst: folder("cst") },
});
const works = (await sandbox.verify()).ok;
fs.rmSync(home, { recursive: true });

let bench: Bench;
beforeEach(() => {
  bench = createBench({ sandbox });
});
afterEach(() => bench.stop());
/** A folder that a confined process sees, and cannot write to; `/tmp` is another one for it. */
const outside = process.platform === "linux" ? fs.mkdtempSync("/var/tmp/nacre-outside-") : os.tmpdir();
afterAll(() => {
  if (process.platform === "linux") fs.rmSync(outside, { recursive: true });
});
const canary = path.join(outside, "canary");
afterEach(() => fs.rmSync(canary, { force: true }));
const inWindow: CallMore = { caller: { canAsk: true } };

describe.runIf(works)("commands in the OS sandbox", () => {
  it("run without a question, write in the workspace, and say that they were confined", async () => {
    expect(await bench.call("run_shell", { command: "echo hi > a; cat a" })).toMatchObject({
      output: "hi",
      isError: false,
      decision: "allow",
      sandboxed: true,
    });
    expect(fs.readFileSync(path.join(bench.workspace, "a"), "utf8")).toBe("hi\n");
    expect(bench.trace).toMatchObject([{ status: "completed", sandboxed: true }]);
  });
  it("cannot write outside", async () => {
    const result = await bench.call("run_shell", {
      command: `touch ${path.join(bench.root, "home", "canary")}`,
    });
    expect(result).toMatchObject({ isError: true, sandboxed: true });
    expect(fs.existsSync(path.join(bench.root, "home", "canary"))).toBe(false);
  });
  it("have a /tmp of their own, one for the session, which ends with it", async () => {
    const name = `nacre-own-tmp-${process.pid}`;
    await bench.call("run_shell", { command: `echo x > /tmp/${name}` });
    expect((await bench.call("run_shell", { command: `cat /tmp/${name}` })).output).toBe("x");
    expect(fs.existsSync(path.join("/tmp", name))).toBe(false);
    expect(
      (await bench.call("run_shell", { command: `cat /tmp/${name}` }, { caller: { sessionId: "other" } }))
        .isError,
    ).toBe(true);
    await bench.executor.endSession("session");
    expect((await bench.call("run_shell", { command: `cat /tmp/${name}` })).isError).toBe(true);
  });
  it("still ask where they look destructive, and stay confined then", async () => {
    const call = bench.call("run_shell", { command: "rm -rf a" }, inWindow);
    const view = await bench.answer({ choice: "once" });
    expect(view).toMatchObject({ because: [{ code: "destructive" }], careful: true, confined: true });
    expect(await call).toMatchObject({ isError: false, sandboxed: true, decision: "asked_allow" });
  });
  it("may run once more unconfined where the confinement was in the way and the user says so", async () => {
    const call = bench.call("run_shell", { command: `touch ${canary}` }, inWindow);
    const view = await bench.answer({ choice: "once" });
    expect(view).toMatchObject({
      because: [{ code: "unconfined_retry" }],
      facts: [{ label: "command", values: [`touch ${canary}`] }, { label: "folder" }],
      confined: false,
      careful: true,
      rule: null,
    });
    expect(await call).toMatchObject({
      isError: false,
      sandboxed: false,
      decision: "asked_allow",
      by: "user",
    });
    expect(fs.existsSync(canary)).toBe(true);
  });
  it("stay failed where the user denies that", async () => {
    const call = bench.call("run_shell", { command: `touch ${canary}` }, inWindow);
    await bench.answer({ choice: "deny" });
    expect(await call).toMatchObject({ isError: true, sandboxed: true, decision: "allow" });
    expect(fs.existsSync(canary)).toBe(false);
  });
  it("are not asked about for another failure", async () => {
    expect(await bench.call("run_shell", { command: "echo no; exit 1" }, inWindow)).toMatchObject({
      output: "no\n(exit code 1)",
      sandboxed: true,
    });
  });
  const quarantined = (): string[] => {
    const place = path.join(bench.root, "data", "quarantine");
    return fs.readdirSync(place).flatMap((one) => fs.readdirSync(path.join(place, one)));
  };
  it("leave no protected folder or file that they made: it lies in quarantine, and the result says so", async () => {
    const command = `mkdir -p .agent/agents; echo '{"permission":{"*":"allow"}}' > dropstone.json; echo kept > a; exit 3`;
    const { output } = await bench.call("run_shell", { command });
    expect(fs.readdirSync(bench.workspace)).toEqual(["a"]);
    expect(quarantined().toSorted()).toEqual([".agent", "dropstone.json"]);
    expect(output).toContain("(exit code 3)");
    expect(output).toMatch(
      /\(\.agent was made while a confined command ran and moved to .*quarantine.*: look at it there; if you made it yourself, put it back with mv \S+quarantine\S+\.agent \S+\.agent\)/,
    );
    expect(bench.diagnostics.map(({ code }) => code)).toEqual(["quarantined", "quarantined"]);
  });
  it("make no repository, and cannot lead an existing one elsewhere", async () => {
    await bench.call("run_shell", { command: "git init -q" });
    expect(fs.readdirSync(bench.workspace)).toEqual([]);
    expect(quarantined()).toEqual([".git"]);
    fs.mkdirSync(path.join(bench.workspace, ".git"));
    const { output } = await bench.call("run_shell", { command: "echo /elsewhere > .git/commondir" });
    expect(output).toContain(`${path.join(".git", "commondir")} was made while a confined command ran`);
    expect(fs.existsSync(path.join(bench.workspace, ".git", "commondir"))).toBe(false);
  });
  it("are looked at too when they are stopped, and one that runs beside another hides nothing", async () => {
    const stop = new AbortController();
    const command =
      "mkdir .claude; echo made; while [ -d .claude ]; do sleep 0.02; done; mkdir .agent; echo again; sleep 60";
    let said = "";
    const onOutput = (text: string): void => void (said += text);
    const first = bench.call("run_shell", { command }, { signal: stop.signal, onOutput });
    await expect.poll(() => said).toContain("made");
    const second = bench.call("run_shell", { command: "mkdir -p .claude; echo second" });
    expect((await second).output).toContain(".claude was made");
    await expect.poll(() => said).toContain("again");
    stop.abort(new Error("stopped"));
    await expect(first).rejects.toThrow("stopped");
    expect(fs.readdirSync(bench.workspace)).toEqual([]);
    expect(quarantined().toSorted()).toEqual([".agent", ".claude"]);
  });
  it("that could not be confined are told as that, and never run otherwise", async () => {
    const broken = createBench({
      sandbox: {
        ...sandbox,
        kind: "bubblewrap",
        wrap: async (spec, confinement) => {
          const wrapped = await sandbox.wrap(spec, confinement);
          fs.rmSync(path.join(confinement.workspace, ".claude"), { recursive: true, force: true });
          return wrapped;
        },
      },
    });
    fs.mkdirSync(path.join(broken.workspace, ".claude"));
    const result = await broken.call("run_shell", { command: "echo ran > canary" }, inWindow);
    expect(result.output).toMatch(
      /^it did not run: its confinement could not be made \(Can't find source path .*\.claude/,
    );
    expect(result).toMatchObject({ isError: true, sandboxed: true });
    expect(fs.existsSync(path.join(broken.workspace, "canary"))).toBe(false);
    await broken.stop();
  });
  it("run unconfined under full_access", async () => {
    const result = await bench.call("run_shell", { command: "true" }, { policy: { sandbox: "full_access" } });
    expect(result.sandboxed).toBe(false);
  });
});

it("without a sandbox a command asks, and headless it is denied", async () => {
  await bench.stop();
  bench = createBench();
  const result = await bench.call("run_shell", { command: "touch canary" });
  expect(result).toMatchObject({ decision: "deny", sandboxed: null });
  expect(result.output).toBe(
    "run_shell was denied by policy: nothing can confine it; it needs an approval and nobody can be asked here (--allow 'run_shell:touch canary' would answer)",
  );
  expect(fs.existsSync(path.join(bench.workspace, "canary"))).toBe(false);
});
it("one that fails its check counts as none", async () => {
  await bench.stop();
  let kind: "bubblewrap" | null = "bubblewrap";
  bench = createBench({
    sandbox: {
      get kind() {
        return kind;
      },
      wrap: () => Promise.reject(new Error("wrapped")),
      verify: () => {
        kind = null;
        return Promise.resolve({ kind: "bubblewrap", ok: false, reason: "no user namespaces" });
      },
      state: () => ({ kind: "bubblewrap", ok: false, reason: "no user namespaces" }),
    },
  });
  expect(await bench.call("run_shell", { command: "true" })).toMatchObject({
    decision: "deny",
    sandboxed: null,
  });
});
