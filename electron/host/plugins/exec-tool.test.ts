import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { childEnvironment } from "../kit/environment.ts";
import { isRunning } from "../kit/process-table.ts";
import { modelCaller } from "../tools/tools.testkit.ts";
import type { Tool } from "../tools/types.ts";
import { execToolName, readExecTools, type ExecToolDeclaration } from "./exec-tool-declaration.ts";
import { argumentVector, createExecTool } from "./exec-tool.ts";
import { callTool, recordingSandbox, type CallOptions } from "./world.testkit.ts";

let top: string;
let folder: string;
let workspace: string;
beforeEach(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-exec-")));
  folder = path.join(top, "plugins", "a plugin");
  workspace = path.join(top, "work");
  for (const made of [folder, workspace]) fs.mkdirSync(made, { recursive: true });
});
afterEach(() => fs.rmSync(top, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
};
const sandbox = recordingSandbox();
const tool = (more: Partial<ExecToolDeclaration>, platform: NodeJS.Platform = process.platform): Tool =>
  createExecTool({
    plugin: "jira",
    folder,
    declaration: {
      name: "jira_issue",
      description: "Fetches one.",
      command: ["node", "-e", ""],
      inputSchema: { type: "object" },
      perm: "shell",
      timeout: 60,
      ...more,
    },
    environment: () => childEnvironment({ ...process.env, NACRE_API_KEY: "secret", NODE_OPTIONS: "--bad" }),
    sandbox,
    assertApproved: () => undefined,
    platform,
  });
const run = (made: Tool, input: object = {}, more: CallOptions = {}) =>
  callTool(made, workspace, input, more);
const posix = test.skipIf(process.platform === "win32");

describe("a program of a plugin", () => {
  test("gets its arguments as one JSON object, the workspace as folder and who it is in its environment", async () => {
    write(
      "issue.mjs",
      `import fs from "node:fs";
const { env } = process;
console.log(JSON.stringify({
  args: JSON.parse(fs.readFileSync(0, "utf8")), cwd: process.cwd(),
  dirs: [env.NACRE_PLUGIN_DIR, env.CST_PLUGIN_DIR, env.CLAUDE_PLUGIN_ROOT, env.PLUGIN_ROOT],
  workspaces: [env.NACRE_WORKSPACE, env.CST_WORKSPACE], tools: [env.NACRE_TOOL, env.CST_TOOL],
  leaked: env.NACRE_API_KEY ?? env.NODE_OPTIONS ?? null, path: typeof env.PATH,
}));`,
    );
    const result = await run(tool({ command: ["node", "issue.mjs"] }), {
      key: "CST-42",
      comments: 3,
      text: "字 '\"\n",
    });
    expect(result).toMatchObject({ isError: false, exitCode: 0, sandboxed: false });
    expect(JSON.parse(result.output)).toEqual({
      args: { key: "CST-42", comments: 3, text: "字 '\"\n" },
      cwd: workspace,
      dirs: [folder, folder, folder, folder],
      workspaces: [workspace, workspace],
      tools: ["jira_issue", "jira_issue"],
      leaked: null,
      path: "string",
    });
  });
  posix("a text goes to sh, pipes and all", async () => {
    const made = tool({ command: 'cat | tr a-z A-Z; echo; basename "$NACRE_PLUGIN_DIR"; pwd' });
    expect((await run(made, { key: "x" })).output).toBe(`{"KEY":"X"}\na plugin\n${workspace}`);
  });
  test("on Windows a text says what it needs", async () => {
    await expect(run(tool({ command: "echo hi" }, "win32"))).rejects.toThrow("needs a POSIX shell");
  });
  posix("output and error come together, in order and live", async () => {
    const heard: string[] = [];
    const made = tool({ command: "echo one; echo two >&2; echo three" });
    const result = await run(made, {}, { onOutput: (text) => heard.push(text) });
    expect(result.output).toBe("one\ntwo\nthree");
    expect(heard.join("")).toBe("one\ntwo\nthree\n");
  });
  posix("a non-zero exit is a failure that says so", async () => {
    expect(await run(tool({ command: "echo no such issue; exit 3" }))).toMatchObject({
      output: "no such issue\n(exit code 3)",
      isError: true,
      exitCode: 3,
    });
  });
  test("output is capped at 512 KB", async () => {
    const script = "process.stdout.write('x'.repeat(700_000), () => process.stdout.write('end'))";
    const result = await run(tool({ command: ["node", "-e", script] }));
    expect(result.isError).toBe(false);
    expect(result.output.length).toBeLessThan(513 * 1024);
    expect(result.output).toContain("(the output was longer; the first 512 KB are shown)");
  });
  posix("a timeout ends the whole group with 124", async () => {
    const result = await run(tool({ command: `sleep 30 & echo $!; sleep 30`, timeout: 2 }));
    expect(result).toMatchObject({ isError: true, exitCode: 124 });
    expect(result.output).toMatch(/^\d+\n\(timed out after 2 s/);
    const pid = Number.parseInt(result.output, 10);
    expect(isRunning(pid)).toBe(false);
  });
  posix("a stop ends it and is told as the stop", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    let pid = 0;
    const running = run(
      tool({ command: "echo $$; sleep 30" }),
      {},
      {
        signal: stop.signal,
        onOutput: (text) => {
          pid = Number(text);
          stop.abort(reason);
        },
      },
    );
    await expect(running).rejects.toBe(reason);
    expect(isRunning(pid)).toBe(false);
  });
  posix("one that does not read its input is no failure", async () => {
    expect(await run(tool({ command: "true" }), { text: "x".repeat(300_000) })).toMatchObject({
      isError: false,
    });
  });
  test("a program that is not there is named", async () => {
    await expect(run(tool({ command: ["nacre-no-such-program"] }))).rejects.toThrow("nacre-no-such-program");
  });
});

describe("confinement", () => {
  test("class shell can be confined and keeps the network; its folder stays readable", async () => {
    const confinement = { workspace, writableRoots: [], network: true, tmp: top, guarded: [] };
    const made = tool({ command: ["node", "-e", "console.log('ran')"] });
    expect(made).toMatchObject({ confinable: true, keepsNetwork: true });
    sandbox.asked.length = 0;
    expect(await run(made, {}, { confinement })).toMatchObject({ output: "ran", sandboxed: true });
    expect(sandbox.asked).toEqual([{ ...confinement, readableRoots: [folder] }]);
  });
  test.each(["read", "write", "net"] as const)("class %s is not confined", (perm) => {
    expect(tool({ perm })).toMatchObject({ perm, confinable: false });
  });
  test("the gate sees what runs", () => {
    const touches = (command: ExecToolDeclaration["command"]) =>
      tool({ command }).touches?.({}, modelCaller());
    expect(touches(["rm", "-rf", "x"])).toEqual({ argv: ["rm", "-rf", "x"], destructive: true });
    expect(touches("echo hi")).toEqual({ argv: ["sh", "-c", "echo hi"], destructive: false });
  });
});

describe("the argument vector", () => {
  test("relative paths that the plugin holds become absolute, everything else stays", () => {
    const script = write("bin/run.sh", "");
    write("issue.py", "");
    fs.writeFileSync(path.join(top, "outside.py"), "");
    fs.symlinkSync(path.join(top, "outside.py"), path.join(folder, "link.py"));
    expect(
      argumentVector(
        [
          "python3",
          "issue.py",
          "./bin/run.sh",
          "bin",
          ".",
          "..",
          "../../outside.py",
          "link.py",
          "-x",
          "--file=issue.py",
          "none.py",
          "/abs",
          "",
          "${CLAUDE_PLUGIN_ROOT}/bin/run.sh",
          "${HOME}",
        ],
        folder,
      ),
    ).toEqual([
      "python3",
      path.join(folder, "issue.py"),
      script,
      path.join(folder, "bin"),
      ".",
      "..",
      "../../outside.py",
      "link.py",
      "-x",
      "--file=issue.py",
      "none.py",
      "/abs",
      "",
      script,
      "${HOME}",
    ]);
  });
});

describe("declarations", () => {
  const read = (raw: unknown): [ExecToolDeclaration[], string[]] => {
    const codes: string[] = [];
    return [readExecTools(raw, (code) => codes.push(code)), codes];
  };
  test.each([
    ["jira_issue", "jira_issue"],
    ["jira.issue/get", "jira_issue_get"],
    ["查询 x", "___x"],
    ["😀", "_"],
    ["a".repeat(70), "a".repeat(63)],
  ])("%s is called %s", (name, cleaned) => expect(execToolName(name)).toBe(cleaned));
  test("defaults", () => {
    expect(read([{ name: "t", command: ["x"] }])).toEqual([
      [
        {
          name: "t",
          description: "",
          command: ["x"],
          inputSchema: { type: "object" },
          perm: "shell",
          timeout: 60,
        },
      ],
      [],
    ]);
  });
  test("parameters or inputSchema, classes and limits", () => {
    const schema = { type: "object", required: ["key"] };
    const [tools, codes] = read([
      { name: "a", command: "x", parameters: schema, perm: "net", timeout: 30 },
      { name: "b", command: "x", inputSchema: schema, perm: "read", timeout: 10_000 },
      { name: "c", command: "x", perm: "everything", timeout: "soon" },
      { name: "d.e", command: "x", parameters: "none" },
    ]);
    expect(tools.map(({ name, inputSchema, perm, timeout }) => [name, inputSchema, perm, timeout])).toEqual([
      ["a", schema, "net", 30],
      ["b", schema, "read", 600],
      ["c", { type: "object" }, "shell", 60],
      ["d_e", { type: "object" }, "shell", 60],
    ]);
    expect(codes).toEqual([
      "plugin-tool-perm",
      "plugin-tool-timeout",
      "plugin-tool-name",
      "plugin-tool-schema",
    ]);
  });
  test("one bad entry takes no other with it", () => {
    const [tools, codes] = read([
      42,
      { command: "x" },
      { name: "no" },
      { name: "no2", command: [] },
      { name: "no3", command: ["a", 1] },
      { name: "ok", command: "x" },
      { name: "ok", command: "y" },
    ]);
    expect(tools.map(({ name, command }) => [name, command])).toEqual([["ok", "x"]]);
    expect(codes).toHaveLength(6);
    expect(read({ name: "x" })).toEqual([[], ["plugin-tools-invalid"]]);
  });
});
