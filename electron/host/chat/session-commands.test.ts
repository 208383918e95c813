import { describe, expect, it } from "vitest";
import { CommandRegistry } from "../tools/commands.ts";
import type { TurnSetup } from "./session-host.ts";
import { host, lineTypes, open, say, serve, server, setup, store } from "./session.testkit.ts";

describe("slash commands", () => {
  const commands = () => {
    const registry = new CommandRegistry();
    const add = (name: string, run: Parameters<CommandRegistry["add"]>[0]["run"]) =>
      registry.add({ name, description: name, run });
    add("hello", async (args, { onOutput }) => {
      onOutput("working\n");
      return { kind: "text", text: `hello ${args}` };
    });
    add("bad", async () => ({ kind: "text", text: "that is wrong", isError: true }));
    add("throws", async () => Promise.reject(new Error("thrown")));
    add("ask", async (args) => ({ kind: "prompt", prompt: `Please: ${args}` }));
    add("tool", async (args, { callTool }) => {
      const result = await callTool?.(args, { a: 1 });
      return { kind: "text", text: result?.output ?? "", isError: result?.isError ?? true };
    });
    add("hang", async () => new Promise(() => {}));
    return registry;
  };

  it("answers without the model, with any model", async () => {
    await serve([]);
    const session = open(host({}, { commands: commands() }));
    expect(await say(session, "/hello you")).toMatchObject({
      text: "working\n\nhello you",
      steps: 0,
      stopReason: "end",
    });
    expect(server.requests).toHaveLength(0);
    expect(session.view().entries.map((entry) => entry.type)).toEqual(["user", "assistant", "turn_end"]);
  });

  it.each([
    ["/nothing", "there is no command /nothing"],
    ["/bad", "that is wrong"],
    ["/throws", "thrown"],
  ])("%s is told of as an error, and the conversation has not failed", async (text, words) => {
    await serve([{ text: "on" }]);
    const session = open(host({}, { commands: commands() }));
    const report = await say(session, text);
    expect(report).toMatchObject({
      stopReason: "end",
      error: { message: expect.stringContaining(words) as string },
    });
    expect(session.row.state).toBe("idle");
    const notices = session.view().entries.filter(({ type }) => type === "notice");
    expect(notices).toMatchObject([{ level: "error", text: expect.stringContaining(words) as string }]);
    expect(store().read(session.id).row().state).toBe("idle");
    expect(await say(session, "go on")).toMatchObject({ stopReason: "end", text: "on" });
  });

  it("calls a tool as the person, seen and recorded like any call", async () => {
    await serve([]);
    const session = open(host({}, { commands: commands() }));
    const report = await say(session, "/tool read_file");
    expect(report).toMatchObject({
      text: "result of read_file",
      toolCalls: [{ name: "read_file", input: { a: 1 } }],
    });
    expect(lineTypes(session)).toEqual([
      "session",
      "user",
      "tool_call",
      "tool_result",
      "assistant",
      "turn_end",
    ]);
  });

  it("asks the model what the command says, and shows what was typed", async () => {
    await serve([{ text: "sure" }, { text: "more" }]);
    const session = open(host({}, { commands: commands() }));
    await say(session, "/hello");
    expect(await say(session, "/ask dance")).toMatchObject({ text: "sure", steps: 1 });
    expect(server.requests[0]?.messages.slice(1)).toEqual([{ role: "user", content: "Please: dance" }]);
    const shown = session.view().entries.flatMap((entry) => (entry.type === "user" ? [entry.text] : []));
    expect(shown).toEqual(["/hello", "/ask dance"]);
    await say(session, "and more");
    expect(server.requests[1]?.messages.slice(1).map((message) => message.content)).toEqual([
      "Please: dance",
      "sure",
      "and more",
    ]);
  });

  it("stops a command that does not listen", async () => {
    await serve([]);
    const session = open(host({}, { commands: commands() }));
    const sent = await session.send("/hang");
    await session.stop();
    expect(await sent.turn).toMatchObject({ stopReason: "stopped" });
  });

  it("lets the guide answer where there is no model", async () => {
    await serve([{ text: "I am a model" }]);
    let model: TurnSetup["model"] = null;
    const session = open(
      host({}, { commands: commands(), setup: async () => ({ ...setup(), ...(model ? {} : { model }) }) }),
    );
    expect(await say(session, "who are you?")).toMatchObject({ text: "guide: who are you?", steps: 0 });
    expect(await say(session, "/ask dance")).toMatchObject({ text: "guide: Please: dance" });
    expect(await say(session, "/hello")).toMatchObject({ stopReason: "end" });
    model = setup().model;
    await say(session, "and now?");
    expect(server.requests[0]?.messages.slice(1).map((message) => message.content)).toEqual([
      "who are you?",
      "Please: dance",
      "and now?",
    ]);
  });
});
