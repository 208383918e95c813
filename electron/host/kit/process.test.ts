import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { childEnvironment } from "./environment.ts";
import { helperKit, parentOfChildren, type HelperKit } from "./helper/helper.testkit.ts";
import { type SpawnSpec, hostRunName, killAllProcesses, run, spawn, stopAllProcesses } from "./process.ts";
import { isRunning, processesWith } from "./process-table.ts";

/** Every rule holds whoever starts the program: Windows always starts it itself. */
const ways = process.platform === "win32" ? ["this process"] : ["this process", "the helper"];

let folder: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-process-")));
});
afterEach(async () => {
  await stopAllProcesses();
  expect(processesWith("NACRE_RUN_ID", hostRunName())).toEqual([]);
  fs.rmSync(folder, { recursive: true, force: true });
});

const node = (script: string, ...args: string[]): SpawnSpec => ({
  command: process.execPath,
  args: ["-e", script, ...args],
});
const sh = (script: string): SpawnSpec => ({ command: "sh", args: ["-c", script] });
async function until(check: () => boolean): Promise<void> {
  while (!check()) await wait(5);
}
/** Waits for a file that a child writes its pid to. */
async function pidIn(file: string): Promise<number> {
  await until(() => fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("\n"));
  return Number(fs.readFileSync(file, "utf8"));
}
const onPosix = describe.skipIf(process.platform === "win32");

describe.each(ways)("by %s", (way) => {
  let helper: HelperKit | undefined;
  beforeAll(async () => {
    if (way !== "the helper") return;
    helper = await helperKit();
    expect(await parentOfChildren()).not.toBe(process.pid);
  });
  afterAll(() => helper?.remove());

  describe("run", () => {
    it("gives what was written, the exit code and what went in", async () => {
      const result = await run(
        node("process.stdin.pipe(process.stdout); process.stdin.on('end', () => process.exitCode = 3)"),
        {
          input: "你好",
        },
      );
      expect(result).toEqual({
        output: "你好",
        exit: { code: 3, signal: null },
        timedOut: false,
        truncated: false,
      });
    });

    it("decodes UTF-8 across chunk borders", async () => {
      const script =
        "const b = Buffer.from('a€😀z'); let i = 0; const t = setInterval(() => { if (i === b.length) { clearInterval(t); return } process.stdout.write(b.subarray(i, ++i)) }, 3)";
      const heard: string[] = [];
      const result = await run(node(script), { onOutput: (text) => heard.push(text) });
      expect(result.output).toBe("a€😀z");
      expect(heard.join("")).toBe("a€😀z");
    });

    it("keeps reading what it drops, and never half a character", async () => {
      const result = await run(node("process.stdout.write('é'.repeat(500000), () => process.exit(7))"), {
        limitBytes: 1001,
      });
      expect(result.output).toBe("é".repeat(500));
      expect(result.truncated).toBe(true);
      expect(result.exit.code).toBe(7);
    });

    it("survives a child that never reads its input", async () => {
      const result = await run(node("process.stdin.destroy(); process.exit(0)"), {
        input: "x".repeat(4_000_000),
      });
      expect(result.exit.code).toBe(0);
    });

    it("rejects with the reason of the signal, before and during the run", async () => {
      await expect(run(node(""), {}, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
      const controller = new AbortController();
      const file = path.join(folder, "aborted");
      const running = run(
        node(
          "require('fs').writeFileSync(process.argv[1], process.pid + '\\n'); setInterval(() => {}, 1000)",
          file,
        ),
        {},
        controller.signal,
      );
      const pid = await pidIn(file);
      controller.abort(new Error("stop it"));
      await expect(running).rejects.toThrow("stop it");
      expect(isRunning(pid)).toBe(false);
    });

    it("ends at its timeout and keeps what came", async () => {
      const result = await run(node("console.log('first'); setInterval(() => {}, 1000)"), {
        timeoutMs: 1500,
      });
      expect(result).toMatchObject({ output: "first\n", timedOut: true });
      expect(result.exit.code === 0).toBe(false);
    });
  });

  onPosix("run on POSIX", () => {
    it("gives inputs from descriptor 3 on, each whole", async () => {
      const inputs = [Buffer.from("a\0é"), Buffer.alloc(300_000, "b"), Buffer.alloc(0)];
      const script = "cat <&3; cat <&4 | wc -c; cat <&5";
      const { output } = await run({ ...sh(script), inputs });
      expect(output).toMatch(/^a\0é *300000\n$/);
      const child = await spawn({ ...sh("cat <&3"), inputs });
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
      await child.exit;
      expect(said).toBe("a\0é");
      expect((await run({ ...sh("exit 4"), inputs: [Buffer.alloc(4_000_000)] })).exit.code).toBe(4);
    });

    it("merges both streams in the order they were written", async () => {
      const { output } = await run(sh("for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done"));
      expect(output).toBe("o1\ne1\no2\ne2\no3\ne3\no4\ne4\no5\ne5\n");
    });

    it("does not wait for what the program left behind, and ends it", async () => {
      const file = path.join(folder, "left");
      const { output, exit } = await run(sh(`sleep 1000 & echo $! > ${file}; echo done`));
      expect(output).toBe("done\n");
      expect(exit.code).toBe(0);
      const pid = await pidIn(file);
      await until(() => !isRunning(pid));
    });

    it("does not wait for what left the group with the pipes", async () => {
      const file = path.join(folder, "escaped");
      const { output } = await run(
        sh(`setsid sh -c 'echo $$ > ${file}; exec sleep 1000' & sleep 0.2; echo done`),
      );
      expect(output).toBe("done\n");
      const pid = await pidIn(file);
      await stopAllProcesses();
      expect(isRunning(pid)).toBe(false);
    });
  });

  describe("spawn", () => {
    it("streams both ways", async () => {
      const child = await spawn(node("process.stdin.pipe(process.stdout)"));
      child.stdout.setEncoding("utf8");
      let said = "";
      child.stdout.on("data", (text: string) => (said += text));
      child.stdin.write("ping\n");
      await until(() => said === "ping\n");
      child.stdin.end();
      expect(await child.exit).toEqual({ code: 0, signal: null });
    });

    it("takes the environment as given, and otherwise ours without our keys", async () => {
      process.env["NACRE_TEST_KEY"] = "secret";
      const script = "process.stdout.write(JSON.stringify([process.env.NACRE_TEST_KEY, process.env.MARK]))";
      expect((await run(node(script))).output).toBe("[null,null]");
      const env = childEnvironment(process.env, { extra: { MARK: "1", NACRE_TEST_KEY: "wanted" } });
      expect((await run({ ...node(script), env })).output).toBe('["wanted","1"]');
      delete process.env["NACRE_TEST_KEY"];
    });

    it("names what is missing: the program, a file, the folder", async () => {
      await expect(spawn({ command: "no-such-program", args: [] })).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringContaining("no-such-program: no such program on PATH") as unknown,
        data: { program: "no-such-program", missing: "program" },
      });
      await expect(run({ command: "./absent", args: [], cwd: folder })).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringContaining("./absent: there is no such file") as unknown,
      });
      const cwd = path.join(folder, "nowhere");
      await expect(spawn({ ...node(""), cwd })).rejects.toMatchObject({
        code: "not_found",
        message: expect.stringContaining(`the folder ${cwd} does not exist`) as unknown,
        data: { missing: "folder" },
      });
    });

    it("refuses an argument with a zero byte", async () => {
      await expect(spawn(node("", "a\0b"))).rejects.toMatchObject({ code: "invalid_input" });
    });

    it("gives the same end to every stop, also after the end", async () => {
      const child = await spawn(node("setInterval(() => {}, 1000)"));
      const [first, second] = await Promise.all([child.stop(), child.stop()]);
      expect(first).toBe(second);
      expect(await child.stop()).toBe(first);
      expect(isRunning(child.pid)).toBe(false);
    });

    it("has all children end by one call", async () => {
      const children = await Promise.all([1, 2, 3].map(() => spawn(node("setInterval(() => {}, 1000)"))));
      await stopAllProcesses();
      for (const child of children) expect(isRunning(child.pid)).toBe(false);
    });

    it("ends all at once when the process itself ends", async () => {
      const child = await spawn(node("setInterval(() => {}, 1000)"));
      killAllProcesses();
      expect((await child.exit).code).not.toBe(0);
      expect(isRunning(child.pid)).toBe(false);
    });
  });

  onPosix("spawn on POSIX", () => {
    it("says why a file does not start", async () => {
      const plain = path.join(folder, "plain");
      fs.writeFileSync(plain, "echo hello\n", { mode: 0o644 });
      await expect(spawn({ command: plain, args: [] })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("not executable") as unknown,
      });
      const script = path.join(folder, "script");
      fs.writeFileSync(script, "#!/no/such/interpreter\n", { mode: 0o755 });
      await expect(spawn({ command: script, args: [] })).rejects.toMatchObject({
        code: "not_found",
        data: { missing: "interpreter" },
      });
      await expect(spawn({ command: "true", args: [], cwd: plain })).rejects.toMatchObject({
        message: expect.stringContaining("is a file") as unknown,
      });
    });

    it("ends grandchildren, and what ignores TERM", async () => {
      const file = path.join(folder, "grandchild");
      const child = await spawn(
        sh(`trap '' TERM; sh -c 'trap "" TERM; echo $$ > ${file}; while :; do sleep 1; done'`),
      );
      const pid = await pidIn(file);
      const exit = await child.stop();
      expect(exit).toEqual({ code: null, signal: "SIGKILL" });
      expect(isRunning(child.pid)).toBe(false);
      expect(isRunning(pid)).toBe(false);
    });

    it("ends what left the group", async () => {
      const file = path.join(folder, "daemon");
      const child = await spawn(sh(`setsid sh -c 'echo $$ > ${file}; exec sleep 1000' & wait`));
      const pid = await pidIn(file);
      await child.stop();
      await until(() => !isRunning(pid));
    });
  });
});
