import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { mainJob } from "./support/main-job.ts";
import { canaryOf, createWorld, root, type World } from "./support/world.ts";

let world: World;
test.afterEach(() => world.stop());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
/** The built command line, as a person calls it. */
function nacre(args: string[]) {
  const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), ...args], {
    cwd: world.workspace,
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<Ended>((resolve) => {
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}
const run = (...args: string[]): Promise<Ended> => nacre(args).ended;
interface RunDocument {
  readonly session: string;
  readonly text: string;
  readonly steps: number;
  readonly usage: { inputTokens: number; outputTokens: number };
  readonly stopReason: string;
  readonly toolCalls: readonly Record<string, unknown>[];
}

test("one turn with a skill, a plugin tool, an MCP tool and a sub-agent, all recorded, nothing left", async () => {
  world = await createWorld(mainJob());
  expect((await run("plugins", "trust", "--json")).code).toBe(0);
  const { code, stdout, stderr } = await run("run", "Write the notes", "--output", "json");
  expect(stderr).toContain("2 skills · 1 plugin (1 tool) · 1 MCP server");
  expect(code).toBe(0);
  const document = JSON.parse(stdout) as RunDocument;
  expect(document).toMatchObject({
    steps: 2,
    stopReason: "end",
    text: expect.stringContaining("Release notes"),
  });
  expect(document.usage.inputTokens).toBeGreaterThan(900);
  expect(document.toolCalls.map(({ name, isError, decision }) => [name, isError, decision])).toEqual([
    ["skill", false, "allow"],
    ["count_words", false, "allow"],
    ["mcp__everything__echo", false, "allow"],
    ["task", false, "allow"],
  ]);
  for (const call of document.toolCalls)
    expect(Object.keys(call)).toEqual(
      expect.arrayContaining([
        "id",
        "name",
        "input",
        "output",
        "isError",
        "durationMs",
        "decision",
        "sandboxed",
      ]),
    );
  const [skill, words, echo, task] = document.toolCalls;
  expect(skill).toMatchObject({ output: expect.stringContaining('<skill_content name="release-notes">') });
  expect(words).toMatchObject({
    output: "3 words",
    input: { text: "one two three", minimum: 1 },
    sandboxed: false,
  });
  expect(echo).toMatchObject({ output: "Echo: pearl", sandboxed: null });
  expect(task).toMatchObject({ output: expect.stringContaining("two changes") });

  const folder = path.join(world.workspace, ".agent/sessions", document.session);
  expect(readdirSync(folder).sort()).toEqual(["main.jsonl", "meta.json", "sub-1.jsonl", "trace.jsonl"]);
  const lines = readFileSync(path.join(folder, "main.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(lines.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["session", "user", "tool_call", "tool_result", "turn_end"]),
  );
  expect(readFileSync(path.join(folder, "sub-1.jsonl"), "utf8")).toContain("search and closing");
  expect(readFileSync(path.join(world.workspace, ".agent/sessions/.gitignore"), "utf8")).toBe("*\n");
  expect(canaryOf(world)).toContain("plugin");
  expect(leftovers(world)).toEqual([]);

  const listed = JSON.parse((await run("sessions", "list", "--json")).stdout) as object[];
  expect(listed).toEqual([
    expect.objectContaining({ id: document.session, title: "Write the notes", turns: 1, state: "idle" }),
  ]);
});

test("a workspace that is not trusted starts nothing, whatever it declares", async () => {
  world = await createWorld({ steps: [{ text: "hello" }] });
  const touch = (name: string) => ({
    command: process.execPath,
    args: [
      "-e",
      `require("fs").appendFileSync(${JSON.stringify(world.canary)}, "${name}\\n"); setTimeout(() => {}, 5000)`,
    ],
  });
  writeFileSync(
    path.join(world.workspace, ".mcp.json"),
    JSON.stringify({ mcpServers: { project: touch("mcp") } }),
  );
  mkdirSync(path.join(world.workspace, ".kairox"), { recursive: true });
  writeFileSync(
    path.join(world.workspace, ".kairox/config.toml"),
    `[mcp_servers.kairox]\ntype = "stdio"\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["-e", ${JSON.stringify(touch("kairox").args[1])}]\n[hooks.SessionStart.a]\ncommand = ${JSON.stringify(`touch ${world.canary}`)}\n[lsp_servers.x]\ncommand = "touch"\nargs = [${JSON.stringify(world.canary)}]\n`,
  );
  const { code, stdout, stderr } = await run("run", "hello", "--output", "json", "--wait", "3");
  expect(code).toBe(0);
  expect(stderr).toMatch(/untrusted workspace: \/plugins trust \(6 waiting\)/);
  expect((JSON.parse(stdout) as RunDocument).text).toBe("hello");
  for (const command of [
    ["plugins", "list"],
    ["mcp", "list"],
    ["tools", "list"],
  ])
    expect((await run(...command, "--json", "--wait", "3")).code).toBe(0);
  const servers = JSON.parse((await run("mcp", "list", "--json")).stdout) as {
    name: string;
    state: string;
  }[];
  expect(servers.map(({ state }) => state)).toEqual(["untrusted", "untrusted", "untrusted"]);
  const offered = world.model.requests[0]?.tools?.map((tool) => tool.function.name) ?? [];
  expect(offered).not.toContain("count_words");
  expect(offered.some((name) => name.startsWith("mcp__"))).toBe(false);
  expect(existsSync(world.canary)).toBe(false);
});

test("a declaration that changes after trust waits again and does not run", async () => {
  world = await createWorld({
    steps: [{ toolCalls: [{ name: "count_words", input: { text: "a" } }] }, { text: "done" }],
  });
  await run("plugins", "trust");
  writeFileSync(
    path.join(world.workspace, ".agent/plugins/word-count/count.mjs"),
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(world.canary)}, "changed");`,
  );
  const rows = JSON.parse((await run("plugins", "list", "--json")).stdout) as { state: string }[];
  expect(rows).toEqual([expect.objectContaining({ state: "needs_approval" })]);
  const { stdout } = await run("run", "count", "--output", "json");
  expect((JSON.parse(stdout) as RunDocument).toolCalls[0]).toMatchObject({
    name: "count_words",
    isError: true,
  });
  expect(canaryOf(world)).toBeUndefined();
});

test("headless, what asks is denied; --allow answers it; --max-steps ends the turn", async () => {
  const step = { toolCalls: [{ name: "mcp__everything__get-sum", input: { a: 2, b: 3 } }] };
  world = await createWorld(
    { steps: [{ ...step }, { text: "denied" }, { ...step }, { text: "allowed" }, { ...step }] },
    { trusted: false },
  );
  await run("plugins", "trust");
  const denied = JSON.parse((await run("run", "sum", "--output", "json")).stdout) as RunDocument;
  expect(denied.toolCalls[0]).toMatchObject({ isError: true, decision: "deny", sandboxed: null });
  expect(denied.text).toBe("denied");
  const allowed = await run("run", "sum", "--output", "json", "--allow", "mcp__everything__*");
  expect(JSON.parse(allowed.stdout)).toMatchObject({
    toolCalls: [{ isError: false, decision: "asked_allow", output: expect.stringContaining("5") }],
  });
  const cut = await run("run", "sum", "--output", "json", "--max-steps", "1");
  expect(JSON.parse(cut.stdout)).toMatchObject({ stopReason: "max_steps", steps: 1 });
  expect(cut.code).toBe(0);
});

test("SIGINT ends the turn, keeps what came, leaves no process and exits 130", async () => {
  world = await createWorld({
    steps: [
      { text: "Starting.", toolCalls: [{ name: "run_shell", input: { command: "sleep 60; echo late" } }] },
    ],
  });
  const { child, ended } = nacre(["run", "begin", "--output", "json", "--sandbox", "full_access"]);
  await expect.poll(() => leftovers(world).some((line) => line.includes("sleep 60"))).toBe(true);
  child.kill("SIGINT");
  const { code, stdout } = await ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ stopReason: "stopped", text: "Starting." });
  expect(leftovers(world)).toEqual([]);
});

test("kill -9 leaves nothing running, and the session opens and goes on", async () => {
  world = await createWorld({
    steps: [
      { text: "Working.", toolCalls: [{ name: "run_shell", input: { command: "sleep 60" } }] },
      { when: { lastUser: "again" }, text: "I go on." },
    ],
  });
  const { child, ended } = nacre(["run", "begin", "--sandbox", "full_access"]);
  await expect.poll(() => leftovers(world).some((line) => line.includes("sleep 60"))).toBe(true);
  child.kill("SIGKILL");
  await ended;
  const [row] = JSON.parse((await run("sessions", "list", "--json")).stdout) as {
    id: string;
    state: string;
  }[];
  expect(row).toMatchObject({ state: "failed" });
  const next = await run("run", "again", "--session", row?.id ?? "", "--output", "json");
  expect(JSON.parse(next.stdout)).toMatchObject({ text: "I go on.", stopReason: "end" });
  const { messages = [] } = world.model.requests.at(-1) ?? {};
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "user", "assistant", "tool", "user"]);
  await expect.poll(() => leftovers(world)).toEqual([]);
});

test("without a model the guide says so, and runs slash commands and tools", async () => {
  world = await createWorld({ steps: [] });
  delete world.env["NACRE_MODEL"];
  delete world.env["NACRE_BASE_URL"];
  const guide = await run("run", "hello");
  expect(guide.code).toBe(0);
  expect(guide.stdout).toContain("not a language model");
  expect((await run("run", "/skills list")).stdout).toContain("release-notes");
  const called = await run("run", '/call read_file {"path": "docs/changes.txt"}', "--output", "json");
  expect(JSON.parse(called.stdout)).toMatchObject({
    steps: 0,
    text: expect.stringContaining("Chinese words"),
  });
});

test("--tools minimal loads no extension at all", async () => {
  world = await createWorld({ steps: [{ text: "ok" }] }, { trusted: true });
  await run("plugins", "trust");
  const { stderr } = await run("run", "hello", "--tools", "minimal");
  expect(stderr).toContain("no extensions");
  expect(world.model.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual([
    "edit_file",
    "glob",
    "grep",
    "list_dir",
    "read_file",
    "run_shell",
    "shell_output",
    "shell_stop",
    "write_file",
  ]);
  expect(canaryOf(world)).toBeUndefined();
});

test("wrong usage exits 2 and says what is wrong, a missing model server exits 1 in plain words", async () => {
  world = await createWorld({ steps: [] });
  for (const [args, words] of [
    [["frobnicate"], "no command"],
    [["run", "x", "--output", "xml"], "text, json, stream-json"],
    [["run", "x", "--workspace", "/nowhere/at/all"], "no folder"],
    [["tools", "call", "read_file", "{"], "no JSON"],
  ] as const) {
    const { code, stderr, stdout } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  }
  await world.model.stop();
  const { code, stderr } = await run("run", "hello");
  expect(code).toBe(1);
  expect(stderr).toMatch(/cannot be reached|no answer|not reach/i);
});

test("stream-json prints one event a line and ends with the json document", async () => {
  world = await createWorld(mainJob());
  await run("plugins", "trust");
  const { stdout } = await run("run", "notes", "--output", "stream-json");
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  const kinds = new Set(events.map(({ type }) => type));
  expect(events[0]).toMatchObject({ type: "session" });
  for (const kind of ["text", "reasoning", "tool_call", "tool_result", "usage", "end"])
    expect(kinds).toContain(kind);
  expect(events.at(-1)).toMatchObject({ type: "end", stopReason: "end", toolCalls: expect.any(Array) });
});
