import { describe, expect, it } from "vitest";
import type { CommandContext } from "../tools/commands.ts";
import { CommandRegistry } from "../tools/commands.ts";
import { chatCommands, type TurnSettings } from "./commands.ts";
import { testResult, testTool } from "./turn.testkit.ts";

let settings: TurnSettings;
const registry = new CommandRegistry();
for (const command of chatCommands({
  rows: () => registry.rows(),
  row: (name) => registry.get(name),
  tools: () => [testTool("grep"), testTool("run_shell", "shell")],
  sessions: () => [{ id: "s1", title: "First", createdAt: "", updatedAt: "", turns: 3, state: "idle" }],
  models: async () => [
    { id: "local/llama", provider: "local", ok: true },
    { id: "cloud/big", provider: "cloud", ok: false, error: "no key" },
  ],
  settings: () => settings,
  changeSettings: async (change) => void (settings = { ...settings, ...change }),
}))
  registry.add(command);

async function run(
  line: string,
  context: Partial<CommandContext> = {},
): Promise<{ text: string; isError: boolean }> {
  settings = { model: "local/llama", approval: "on_request", sandbox: "workspace_write" };
  const [name = "", ...rest] = line.split(" ");
  const result = await registry.get(name)?.run(rest.join(" "), {
    sessionId: "s",
    onOutput: () => {},
    signal: new AbortController().signal,
    ...context,
  });
  if (result?.kind !== "text") throw new Error("no text");
  return { text: result.text, isError: result.isError ?? false };
}

describe("chat commands", () => {
  it("/help lists every command with its arguments, or one", async () => {
    const { text } = await run("help");
    for (const name of ["approval", "call", "help", "model", "sandbox", "sessions"])
      expect(text).toContain(`/${name}`);
    expect((await run("help /call")).text).toBe(
      "- `/call NAME {json}`: call a tool with its arguments as JSON; without a name, list the tools",
    );
    expect(await run("help nothing")).toMatchObject({ isError: true });
  });

  it("/call calls a tool with its arguments and gives its output", async () => {
    const calls: unknown[] = [];
    const callTool: CommandContext["callTool"] = async (name, input) => {
      calls.push([name, input]);
      return testResult({ id: "1", name, input }, { isError: name === "run_shell" });
    };
    expect(await run('call grep {"pattern": "a b"}', { callTool })).toEqual({
      text: "result of grep",
      isError: false,
    });
    expect(await run("call run_shell", { callTool })).toMatchObject({ isError: true });
    expect(calls).toEqual([
      ["grep", { pattern: "a b" }],
      ["run_shell", {}],
    ]);
  });

  it("/call explains itself: without a name, with bad JSON, outside a conversation", async () => {
    expect((await run("call")).text).toContain("`grep`");
    const callTool = async () => Promise.reject(new Error("must not be called"));
    expect(await run("call grep {pattern}", { callTool })).toMatchObject({
      isError: true,
      text: expect.stringContaining("not valid JSON") as string,
    });
    expect(await run("call grep")).toMatchObject({ isError: true });
  });

  it("/model shows and chooses, and says what is missing", async () => {
    expect((await run("model")).text).toBe("Model: local/llama\n\n- `local/llama`\n- `cloud/big`: no key");
    expect((await run("model cloud/big")).text).toContain("cannot be used yet: no key");
    expect(settings.model).toBe("cloud/big");
    expect((await run("model none")).text).toContain("guide");
    expect(settings.model).toBeNull();
    expect(await run("model bare")).toMatchObject({ isError: true });
    expect(settings.model).toBe("local/llama");
  });

  it.each([
    ["approval", "Approval: on_request", "auto", { approval: "on_request" }],
    ["approval", "Approval: on_request", "never", { approval: "never" }],
    ["sandbox", "Sandbox: workspace_write", "full_access", { sandbox: "full_access" }],
  ])("/%s shows %s and sets %s", async (name, shown, word, change) => {
    expect((await run(name)).text).toContain(shown);
    expect((await run(`${name} ${word}`)).isError).toBe(false);
    expect(settings).toMatchObject(change);
    expect(await run(`${name} nonsense`)).toMatchObject({ isError: true });
  });

  it("/sessions lists them", async () => {
    expect((await run("sessions")).text).toBe("- `s1` First (3 turns, idle)");
  });
});
