import { beforeEach, describe, expect, it, vi } from "vitest";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { AppHost, type AppPorts } from "./app-host.ts";

let sent: JsonObject[];
let now: number;
type Functions = Omit<AppPorts, "version">;
let ports: { [K in keyof Functions]: ReturnType<typeof vi.fn<Functions[K]>> } & { version: string };
let host: AppHost;
beforeEach(() => {
  sent = [];
  now = 0;
  ports = {
    version: "1.2.3",
    send: vi.fn((text: string) => {
      const message: unknown = JSON.parse(text);
      if (isObject(message)) sent.push(message);
    }),
    callTool: vi.fn(async (tool: string) => ({ content: [{ type: "text", text: tool }] })),
    readResource: vi.fn(async (uri: string) => ({ contents: [{ uri, text: "x" }] })),
    ask: vi.fn(async () => true),
    tellModel: vi.fn(),
    resized: vi.fn(),
    failed: vi.fn(),
    context: vi.fn(() => ({ theme: "dark" })),
    now: vi.fn(() => now),
  };
  host = new AppHost(ports);
});
const say = (message: object): void => host.receive(JSON.stringify({ jsonrpc: "2.0", ...message }));
let last = 0;
/** What an app asks, and what it is answered. */
async function ask(method: string, params: object = {}): Promise<JsonObject> {
  const id = `q${++last}`;
  say({ id, method, params });
  await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ id }));
  return sent.at(-1) ?? {};
}

describe("an app's messages", () => {
  it("are answered with what the host can do and how it looks; the call is told when the app is ready, in order", async () => {
    host.tell("ui/notifications/tool-input", { arguments: { a: 1 } });
    host.tell("ui/notifications/tool-result", { content: [] });
    expect(await ask("ui/initialize")).toMatchObject({
      result: { protocolVersion: "2026-01-26", hostInfo: { name: "nacre" }, hostContext: { theme: "dark" } },
    });
    expect(sent).toHaveLength(1);
    say({ method: "ui/notifications/initialized" });
    expect(sent.slice(1).map(({ method }) => method)).toEqual([
      "ui/notifications/tool-input",
      "ui/notifications/tool-result",
    ]);
  });

  it("call tools and read resources through the host, whose refusal is an error of that request alone", async () => {
    expect(await ask("tools/call", { name: "move", arguments: { x: 1 } })).toMatchObject({
      result: { content: [{ text: "move" }] },
    });
    expect(ports.callTool).toHaveBeenCalledWith("move", { x: 1 });
    ports.callTool.mockRejectedValueOnce(new Error("it was denied"));
    expect(await ask("tools/call", { name: "move" })).toMatchObject({ error: { message: "it was denied" } });
    expect(await ask("resources/read", { uri: "ui://a" })).toMatchObject({
      result: { contents: [{ uri: "ui://a" }] },
    });
    expect(await ask("tools/call", { name: 7 })).toMatchObject({ error: { code: -32602 } });
    expect(await ask("tools/call", { name: "move", arguments: [] })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it("open links and write messages only as a person agrees, one question at a time", async () => {
    let answer: (agreed: boolean) => void = () => undefined;
    ports.ask.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    say({ id: 1, method: "ui/open-link", params: { url: "https://example.com/" } });
    expect(
      await ask("ui/message", { role: "user", content: [{ type: "text", text: "send me" }] }),
    ).toMatchObject({
      error: { message: "the person has not answered the last question yet" },
    });
    answer(false);
    await vi.waitFor(() => expect(sent.at(-1)).toEqual({ jsonrpc: "2.0", id: 1, result: { isError: true } }));
    await ask("ui/message", {
      role: "user",
      content: [
        { type: "text", text: "send me" },
        { type: "image", data: "" },
      ],
    });
    expect(ports.ask).toHaveBeenLastCalledWith({ kind: "message", text: "send me" });
  });

  it("tell the model nothing by themselves: what is meant for it is handed to the window, bounded", async () => {
    await ask("ui/update-model-context", { content: [{ type: "text", text: "x".repeat(100_000) }] });
    expect(ports.tellModel.mock.lastCall?.[0]).toHaveLength(8_000);
  });

  it("get a clear refusal for what no host does here", async () => {
    expect(await ask("ui/request-display-mode", { mode: "fullscreen" })).toMatchObject({
      result: { mode: "inline" },
    });
    expect(await ask("ui/download-file", { contents: [] })).toMatchObject({
      error: { message: "Nacre saves no files of apps" },
    });
    expect(await ask("sampling/createMessage")).toMatchObject({ error: { code: -32601 } });
  });

  it("are passed over where they are nonsense, and end the app where they flood", () => {
    for (const text of ["", "{", "null", "[]", "7", '{"id":{}}', '{"method":7}']) host.receive(text);
    host.receive({ method: "ui/initialize", id: 1 });
    expect(sent).toEqual([]);
    for (let count = 0; count < 1_000; count++)
      say({ method: "ui/notifications/size-changed", params: { height: count } });
    expect(ports.failed.mock.calls).toEqual([["flood"]]);
    expect(ports.resized.mock.calls.length).toBeLessThan(301);
    say({ id: 1, method: "ping" });
    expect(sent).toEqual([]);
  });

  it("may go on for long at the pace of a drawing", () => {
    for (let frame = 0; frame < 3_000; frame++) {
      now += 1000 / 30;
      say({ method: "ui/notifications/size-changed", params: { height: 10 } });
    }
    expect(ports.failed).not.toHaveBeenCalled();
  });

  it("wait for an answer eight at a time", async () => {
    ports.callTool.mockImplementation(() => new Promise(() => undefined));
    for (let id = 0; id < 9; id++) say({ id, method: "tools/call", params: { name: "a" } });
    await vi.waitFor(() => expect(sent).toMatchObject([{ id: 8, error: {} }]));
  });

  it("end with a message that is too long", () => {
    host.receive('{"jsonrpc":"2.0","method":"nacre/too-long"}');
    expect(ports.failed).toHaveBeenCalledWith("too_long");
  });

  it("are told of the end, and nothing waits for an app that does not answer it", async () => {
    say({ method: "ui/notifications/initialized" });
    const ended = host.end(60_000);
    expect(sent.at(-1)).toMatchObject({ method: "ui/resource-teardown", id: "teardown" });
    say({ id: "teardown", result: {} });
    await ended;
    const silent = new AppHost(ports);
    silent.receive('{"method":"ui/notifications/initialized"}');
    await silent.end(1);
  });
});
