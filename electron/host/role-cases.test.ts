import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  startModelServer,
  type ModelServer,
  type RequestBody,
  type ScriptStep,
  type Step,
} from "../../e2e/fixtures/model-server.mjs";
import type { ChatSession } from "./chat/session.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";
import { isRunning } from "./kit/process-table.ts";

let world: World;
let host: Host | undefined;
let server: ModelServer;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await host?.stop();
  host = undefined;
  await server.stop();
  world.remove();
});
async function open(steps: ScriptStep[]): Promise<ChatSession> {
  server = await startModelServer({ steps });
  return reopen();
}
async function reopen(id?: string): Promise<ChatSession> {
  world.write(
    "config/settings.json",
    JSON.stringify({ model: "test/big", models: { providers: { test: { baseUrl: server.url } } } }),
  );
  host = await createHost({
    workspace: world.workspace,
    env: { PATH: process.env["PATH"] },
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
    policy: { approval: "on_request", sandbox: "full_access", allow: [] },
  });
  return id === undefined ? host.chats.create() : host.chats.open(id);
}
const role = (name: string, fields: string, body = "You do."): string =>
  world.write(`ws/.agent/agents/${name}.md`, `---\nname: ${name}\ndescription: D.\n${fields}---\n${body}\n`);
const task = (id: string, agent: string, prompt: string) => ({
  id,
  name: "task",
  input: { description: "work", prompt, agent },
});
const toolsOf = (body: RequestBody | undefined): string[] =>
  (body?.tools ?? []).map((tool) => tool.function.name);
const systemOf = (body: RequestBody | undefined): string => JSON.stringify(body?.messages[0]);
/** The results that a request hands to the model, in its order. */
const resultsOf = (body: RequestBody | undefined): (readonly [string | undefined, string])[] =>
  (body?.messages ?? [])
    .filter((message) => message.role === "tool")
    .map((message) => [message.tool_call_id, String(message.content)]);
const lines = (file: string): Record<string, unknown>[] =>
  fs
    .readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const idsOf = (records: readonly Record<string, unknown>[]): readonly string[] =>
  records.map((line) => String(line["callId"])).toSorted((a, b) => (a < b ? -1 : 1));
const folderOf = (session: ChatSession): string =>
  path.join(world.workspace, ".agent", "sessions", session.id);
const patient = { timeout: 20_000 };
const delegate = (calls: ReturnType<typeof task>[]): Step => ({
  when: { lastUser: "go", lastRole: "user" },
  toolCalls: calls,
});
const finish: ScriptStep = { text: "all done", repeat: true };

test("a role written for another client works here: comma text, other names of tools, keys that nobody uses", async () => {
  role("r", "tools: Read, Grep, Glob, Bash, TodoWrite\ncolor: blue\nmodel: small\n", "Prompt of r.");
  role("listed", "tools:\n  - Read\n  - NotebookEdit\n  - 7\n");
  role("mapped", "tools:\n  Write: false\n  bash: true\n  Edit: no\n");
  role("none", "tools: [NotebookEdit]\n");
  const session = await open([
    delegate([
      task("a", "r", "one"),
      task("b", "listed", "two"),
      task("c", "mapped", "three"),
      task("d", "none", "four"),
    ]),
    finish,
  ]);
  const { turn } = await session.send("go");
  expect(await turn).toMatchObject({ stopReason: "end" });
  const [, r, listed, mapped, none] = server.requests;
  expect(systemOf(r)).toContain("Prompt of r.");
  expect(r?.model).toBe("small");
  // The two that belong to a command in the background come with it.
  expect(toolsOf(r)).toEqual(["glob", "grep", "read_file", "run_shell", "shell_output", "shell_stop"]);
  expect(toolsOf(listed)).toEqual(["read_file"]);
  expect(toolsOf(mapped)).toContain("run_shell");
  for (const gone of ["write_file", "edit_file"]) expect(toolsOf(mapped)).not.toContain(gone);
  // A list of which nothing is known here is no list of everything.
  expect(toolsOf(none)).toEqual([]);
  const told = host?.roles.rows().find(({ name }) => name === "r")?.diagnostics ?? [];
  expect(told).toMatchObject([
    {
      code: "role-fields-unused",
      severity: "info",
      line: 5,
      message: expect.stringContaining("color") as unknown,
    },
    {
      code: "role-tool-unknown",
      severity: "warning",
      line: 4,
      message: expect.stringContaining("TodoWrite") as unknown,
    },
  ]);
});

test("the model of a role's file is the one that is asked, after an edit and in a resumed session too", async () => {
  role("r", "model: small-model\n");
  const session = await open([{ ...delegate([task("a", "r", "work")]), repeat: 3 }, finish]);
  const asked = async (own: ChatSession): Promise<readonly string[]> => {
    const before = server.requests.length;
    await (
      await own.send("go")
    ).turn;
    return server.requests.slice(before).map(({ model }) => model);
  };
  expect(await asked(session)).toEqual(["big", "small-model", "big"]);
  role("r", "model: other-model\n");
  await host?.roles.reload();
  expect(await asked(session)).toEqual(["big", "other-model", "big"]);
  await host?.stop();
  expect(await asked(await reopen(session.id))).toEqual(["big", "other-model", "big"]);
});

test("what a role may not call is neither offered nor run, whatever its model calls", async () => {
  role("reader", "tools: [read_file]\n");
  world.write("ws/here.txt", "found it");
  const call = (id: string, name: string, input: object) => ({ id, name, input });
  const session = await open([
    delegate([task("t", "reader", "look")]),
    {
      when: { lastUser: "look", lastRole: "user" },
      toolCalls: [
        call("w", "write_file", { path: "made.txt", content: "x" }),
        call("s", "run_shell", { command: "touch ran" }),
        call("t2", "task", { description: "d", prompt: "p", agent: "general" }),
        call("m", "mcp__git__log", {}),
        call("x", "stop_agent", {}),
        call("r", "read_file", { path: "here.txt" }),
      ],
    },
    finish,
  ]);
  await (
    await session.send("go")
  ).turn;
  const [, first, second] = server.requests;
  expect(toolsOf(first)).toEqual(["read_file"]);
  const results = resultsOf(second);
  expect(results.map(([id]) => id)).toEqual(["w", "s", "t2", "m", "x", "r"]);
  for (const [, output] of results.slice(0, 5))
    expect(output).toMatch(/no tool|not offered|may not|unknown tool/i);
  expect(results[5]?.[1]).toContain("found it");
  for (const file of ["made.txt", "ran"]) expect(fs.existsSync(path.join(world.workspace, file))).toBe(false);
  // Parent, child, child, parent: nobody else asked.
  expect(server.requests).toHaveLength(4);
});

test("instructions in the key prompt are the role's where its body is empty; none at all are no role", async () => {
  role("q", "prompt: Quote verbatim.\n", "");
  role("silent", "", "");
  const session = await open([delegate([task("a", "q", "work"), task("b", "silent", "work")]), finish]);
  await (
    await session.send("go")
  ).turn;
  expect(systemOf(server.requests[1])).toContain("Quote verbatim.");
  expect(resultsOf(server.requests.at(-1))[1]?.[1]).toMatch(/there is no role "silent"/);
  expect(host?.roles.rows().find(({ name }) => name === "silent")).toMatchObject({
    state: "invalid",
    diagnostics: [{ code: "role-no-instructions" }],
  });
});

test("stop ends a child that runs a command, and those that wait for their turn never ask", async () => {
  const session = await open([
    delegate([task("a", "general", "run"), task("b", "explore", "second"), task("c", "explore", "third")]),
    {
      when: { lastUser: "run", lastRole: "user" },
      toolCalls: [{ id: "s", name: "run_shell", input: { command: "sleep 300 & echo $! > pid; wait" } }],
    },
    finish,
  ]);
  await session.send("go");
  const pid = await vi.waitFor(() => {
    const found = Number(fs.readFileSync(path.join(world.workspace, "pid"), "utf8"));
    expect(found).toBeGreaterThan(1);
    return found;
  }, patient);
  const asked = server.requests.length;
  await session.stop();
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), patient);
  const main = lines(path.join(folderOf(session), "main.jsonl"));
  expect(main.at(-1)).toMatchObject({ type: "turn_end", stopReason: "stopped" });
  const records = main.filter(({ type }) => type === "tool_result");
  expect(idsOf(records)).toEqual(["a", "b", "c"]);
  expect(records.every((line) => line["isError"] === true)).toBe(true);
  expect(server.requests).toHaveLength(asked);
});
test("stop ends children that wait for their models: their requests are given up, and each has a record", async () => {
  const hang = (prompt: string): ScriptStep => ({ when: { lastUser: prompt }, text: "never", hangAfter: 0 });
  const session = await open([
    delegate([task("a", "explore", "left"), task("b", "explore", "right"), task("c", "general", "later")]),
    hang("left"),
    hang("right"),
    finish,
  ]);
  await session.send("go");
  await vi.waitFor(() => expect(server.requests).toHaveLength(3), patient);
  await session.stop();
  await vi.waitFor(
    () => expect(server.exchanges.map(({ state }) => state)).toEqual(["done", "aborted", "aborted"]),
    patient,
  );
  const results = lines(path.join(folderOf(session), "main.jsonl")).filter(
    ({ type }) => type === "tool_result",
  );
  expect(idsOf(results)).toEqual(["a", "b", "c"]);
  const subs = fs.readdirSync(folderOf(session)).filter((name) => name.startsWith("sub-"));
  expect(subs).toHaveLength(2);
  for (const name of subs)
    expect(lines(path.join(folderOf(session), name)).at(-1)).toMatchObject({
      type: "turn_end",
      stopReason: "stopped",
    });
  expect(server.requests).toHaveLength(3);
});

test("reports of tasks that run beside each other come back under their own calls, in the order of the calls", async () => {
  const slow = (prompt: string, text: string, firstDelayMs: number): ScriptStep => ({
    when: { lastUser: prompt, lastRole: "user" },
    text,
    firstDelayMs,
  });
  const session = await open([
    delegate([
      task("call-a", "explore", "first one"),
      task("call-b", "explore", "second one"),
      task("call-x", "explore", "broken one"),
      task("call-c", "explore", "third one"),
    ]),
    slow("first one", "A", 200),
    slow("second one", "B", 400),
    { when: { lastUser: "broken one" }, error: { status: 400, message: "bad request" }, repeat: true },
    slow("third one", "C", 0),
    finish,
  ]);
  await (
    await session.send("go")
  ).turn;
  const results = resultsOf(server.requests.at(-1));
  expect(results.map(([id]) => id)).toEqual(["call-a", "call-b", "call-x", "call-c"]);
  expect([results[0]?.[1], results[1]?.[1], results[3]?.[1]]).toEqual(["A", "B", "C"]);
  expect(results[2]?.[1]).toContain("the sub-agent failed");
  const ended = fs
    .readdirSync(folderOf(session))
    .filter((name) => name.startsWith("sub-"))
    .map((name) => lines(path.join(folderOf(session), name)).at(-1)?.["type"]);
  expect(ended).toEqual(["turn_end", "turn_end", "turn_end", "turn_end"]);
});

test("a report over the limit comes cut under its own call, and the model reads the rest where the cut says", async () => {
  const long = Array.from({ length: 9_000 }, (_, index) => `${index} ${"long report ".repeat(6)}`).join("\n");
  const answer = (prompt: string, text: string): ScriptStep => ({
    when: { lastUser: prompt, lastRole: "user" },
    text,
    chunkSize: 64 * 1024,
  });
  const session = await open([
    delegate([task("call-a", "explore", "first one"), task("call-b", "explore", "second one")]),
    answer("first one", long),
    answer("second one", "B"),
    finish,
  ]);
  await (
    await session.send("go")
  ).turn;
  const [[, cut] = ["", ""], other] = resultsOf(server.requests.at(-1));
  expect(other).toEqual(["call-b", "B"]);
  expect(cut.startsWith(long.slice(0, 400_000))).toBe(true);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(512 * 1024);
  const [, file = "", next = ""] = /read_file (\S+) with offset (\d+)/.exec(cut.slice(-500)) ?? [];
  expect(fs.readFileSync(path.join(world.workspace, file), "utf8")).toBe(long);
  // Nothing is between what came and what is read from there on.
  const came = cut.slice(0, cut.lastIndexOf("\n(")).split("\n");
  expect(long.split("\n").slice(0, came.length)).toEqual(came);
  expect(Number(next)).toBe(came.length + 1);
  const rest = await host?.callTool(
    "read_file",
    { path: file, offset: Number(next) },
    new AbortController().signal,
  );
  expect(rest?.output).toContain(`${came.length + 1}\t${came.length} long report`);
});

test("a child that wants children of its own is refused, and the requests are bounded", async () => {
  const session = await open([
    // Whatever the prompt: it calls for another one.
    { toolCalls: [task("again", "explore", "go")], repeat: 3 },
    finish,
  ]);
  const { turn } = await session.send("go");
  expect(await turn).toMatchObject({ stopReason: "end" });
  const [parent, child, answered] = server.requests;
  expect(toolsOf(parent)).toContain("task");
  expect(toolsOf(child)).not.toContain("task");
  expect(resultsOf(answered)[0]?.[1]).toMatch(/no tool|not offered|may not|starts no other/i);
  expect(server.requests.length).toBeLessThanOrEqual(6);
  expect(fs.readdirSync(folderOf(session)).filter((name) => name.startsWith("sub-"))).toHaveLength(1);
});

test("one role file that cannot be used stops neither the others nor the app", async () => {
  role("good", "");
  role("foreign", "tools: [Read]\ncolor: pink\nmode: subagent\ntemperature: 0.1\n");
  world.write("ws/.agent/agents/broken.md", "---\nname: broken\ndescription: [D\n---\nx\n");
  world.write("ws/.agent/agents/map.md", "---\nname: map\ndescription: D.\ntools: 42\n---\nx\n");
  fs.writeFileSync(
    path.join(world.workspace, ".agent/agents/bytes.md"),
    Buffer.from("---\nname: bytes\ndescription: caf\xe9\n---\nx\n", "latin1"),
  );
  const session = await open([delegate([task("a", "good", "work")]), finish]);
  expect(await (await session.send("go")).turn).toMatchObject({ stopReason: "end", text: "all done" });
  expect(systemOf(server.requests[1])).toContain("You do.");
  const rows = host?.roles.rows() ?? [];
  const state = (name: string) => {
    const row = rows.find((one) => one.name === name);
    return [row?.state, ...(row?.diagnostics ?? []).map(({ code, line }) => `${code} ${line ?? ""}`)];
  };
  expect(state("good")).toEqual(["on"]);
  expect(state("foreign")).toEqual(["on", "role-fields-unused 5"]);
  expect(state("broken")).toEqual(["invalid", "frontmatter-yaml 3"]);
  expect(state("map")).toEqual(["on", "role-tools-invalid 4"]);
  expect(state("bytes")).toEqual(["invalid", "text-not-utf-8 3"]);
});
