import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { validateSchema } from "../../../../shared/json-schema.ts";
import { childEnvironment } from "../../kit/environment.ts";
import { isRunning } from "../../kit/process-table.ts";
import type { SpawnSpec } from "../../kit/process.ts";
import type { Sandbox } from "../../policy/sandbox.ts";
import { modelCaller } from "../tools.testkit.ts";
import type { ToolOutput, ToolRun } from "../types.ts";
import { BackgroundCommands } from "../background.ts";
import { runShellTool } from "./run-shell.ts";
import { testRun } from "./test-run.ts";

const posix = process.platform !== "win32";
let root: string;
let workspace: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-shell-")));
  workspace = path.join(root, "work");
  fs.mkdirSync(path.join(workspace, "sub"), { recursive: true });
});
afterEach(() => fs.rmSync(root, { recursive: true }));

const noSandbox: Sandbox = {
  kind: null,
  wrap: () => Promise.reject(new Error("no sandbox")),
  verify: () => Promise.resolve({ kind: null, ok: false }),
  state: () => ({ kind: null, ok: false }),
};
const background = new BackgroundCommands({ now: () => Date.now() });
afterEach(() => background.endAll());
const tool = runShellTool({
  background,
  environment: () => childEnvironment({ ...process.env, NACRE_API_KEY: "secret" }),
  sandbox: noSandbox,
});
function call(input: Record<string, unknown>, more: Partial<ToolRun> = {}): Promise<ToolOutput> {
  expect(validateSchema(tool.inputSchema, input)).toEqual({ ok: true });
  return tool.run(input, testRun(workspace, more));
}
describe.runIf(posix)("run_shell", () => {
  it("gives output and errors in order, and streams them", async () => {
    const heard: string[] = [];
    const result = await call(
      { command: "echo one; echo two >&2; echo three" },
      { onOutput: (text) => heard.push(text) },
    );
    expect(result).toEqual({ output: "one\ntwo\nthree", isError: false, exitCode: 0, sandboxed: false });
    expect(heard.join("")).toBe("one\ntwo\nthree\n");
  });
  it("says that there was no output", async () => {
    expect((await call({ command: "true" })).output).toBe("(no output)");
  });
  it("is a failure with the code where the command fails", async () => {
    expect(await call({ command: "echo x; exit 3" })).toEqual({
      output: "x\n(exit code 3)",
      isError: true,
      exitCode: 3,
      sandboxed: false,
    });
    expect((await call({ command: "no-such-program-here" })).exitCode).toBe(127);
  });
  it("names the signal that ended it", async () => {
    const result = await call({ command: "kill -9 $$" });
    expect(result).toMatchObject({
      output: "(ended by SIGKILL; exit code 137)",
      isError: true,
      exitCode: 137,
    });
  });
  it("ends the whole group at the timeout, code 124, and keeps what came", async () => {
    const result = await call({ command: "echo before; sleep 60 & echo $! > pid; wait", timeout: 2 });
    expect(result).toMatchObject({ isError: true, exitCode: 124 });
    expect(result.output).toBe("before\n(timed out after 2 s and was ended; exit code 124)");
    expect(isRunning(Number(fs.readFileSync(path.join(workspace, "pid"), "utf8")))).toBe(false);
  });
  it("takes a longer timeout than 600 s for 600 s", async () => {
    expect((await call({ command: "true", timeout: 100_000 })).exitCode).toBe(0);
  });
  it("ends at an abort, with everything that it started", async () => {
    const controller = new AbortController();
    const started = call(
      { command: "sleep 60 & echo $! > pid; echo ready; wait" },
      {
        signal: controller.signal,
        onOutput: () => controller.abort(new Error("stopped")),
      },
    );
    await expect(started).rejects.toThrow("stopped");
    expect(isRunning(Number(fs.readFileSync(path.join(workspace, "pid"), "utf8")))).toBe(false);
  });
  it("runs in the workspace or a folder inside", async () => {
    expect((await call({ command: "pwd" })).output).toBe(workspace);
    expect((await call({ command: "pwd", cwd: "sub" })).output).toBe(path.join(workspace, "sub"));
  });
  it("runs nowhere else: absolute, .., link, and a neighbour whose name begins alike", async () => {
    fs.mkdirSync(path.join(root, "work-evil"));
    fs.symlinkSync("/", path.join(workspace, "link"));
    for (const cwd of ["/", "..", "link", "link/tmp", path.join(root, "work-evil"), "sub/../../work-evil"])
      await expect(call({ command: "touch canary", cwd })).rejects.toThrow(
        /cwd .* leads out of the workspace/,
      );
    expect(fs.existsSync(path.join(root, "work-evil", "canary"))).toBe(false);
  });
  it("names a folder that is missing or a file", async () => {
    fs.writeFileSync(path.join(workspace, "file"), "");
    await expect(call({ command: "pwd", cwd: "none" })).rejects.toThrow("cwd none does not exist");
    await expect(call({ command: "pwd", cwd: "file" })).rejects.toThrow(/cwd file is/);
  });
  it("does not hand our keys to the command, and standard input is at its end", async () => {
    expect((await call({ command: 'cat; echo "[$NACRE_API_KEY]"' })).output).toBe("[]");
  });
  it("caps the output", async () => {
    const result = await call({ command: "head -c 700000 /dev/zero | tr '\\0' x" });
    expect(result.output).toMatch(/^x{524288}\n\(the output was longer; the first 512 KB are shown\)$/);
  });
  it("runs inside the sandbox where the gate says so", async () => {
    const confinement = { workspace, writableRoots: [], network: false, tmp: os.tmpdir(), guarded: [] };
    const wrapped: unknown[] = [];
    const sandbox: Sandbox = {
      kind: "bubblewrap",
      verify: () => Promise.resolve({ kind: "bubblewrap", ok: true }),
      state: () => ({ kind: "bubblewrap", ok: true }),
      wrap(spec: SpawnSpec, handed) {
        wrapped.push(handed);
        return Promise.resolve({
          ...spec,
          command: "env",
          args: ["CONFINED=yes", spec.command, ...spec.args],
        });
      },
    };
    const confined = runShellTool({ environment: () => childEnvironment(process.env), sandbox, background });
    const result = await confined.run({ command: "echo $CONFINED" }, testRun(workspace, { confinement }));
    expect(result).toMatchObject({ output: "yes", sandboxed: true });
    expect(wrapped).toEqual([confinement]);
  });
});

describe("run_shell for the gate", () => {
  it("is of class shell whatever the command is", () => {
    expect(tool.perm).toBe("shell");
    expect(tool.confinable).toBe(true);
    expect(tool.keepsNetwork).toBe(false);
  });
  it.each([
    ["ls", false],
    ["rm -rf build", true],
    ["git push --force", true],
  ])("%s: destructive %s", (command, destructive) => {
    expect(tool.touches?.({ command }, modelCaller())).toEqual({
      command,
      commandIsOpaque: false,
      cwd: ".",
      destructive,
    });
  });
});
