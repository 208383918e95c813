import { afterEach, describe, expect, it } from "vitest";
import { spawn } from "../kit/process.ts";
import { isRunning } from "../kit/process-table.ts";
import { StdioTransport } from "./stdio-transport.ts";

let transport: StdioTransport | undefined;
afterEach(() => transport?.close());
async function open(script: string, maxMessageBytes?: number) {
  const notes: string[] = [];
  const messages: object[] = [];
  const stderr: string[] = [];
  const child = await spawn({ command: process.execPath, args: ["-e", script] });
  transport = new StdioTransport(child, {
    onStderr: (chunk) => stderr.push(String(chunk)),
    onStderrEnd: () => stderr.push("<end>"),
    onNote: (text) => notes.push(text),
    ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
  });
  transport.onmessage = (message) => messages.push(message);
  return { child, transport, notes, messages, stderr };
}
const print = (...lines: string[]): string => `console.log(${JSON.stringify(lines.join("\n"))});`;

describe("StdioTransport", () => {
  it("keeps what comes before it is started, and takes batches", async () => {
    const { transport, messages } = await open(
      print('{"jsonrpc":"2.0","id":1,"result":1}', '[{"jsonrpc":"2.0","id":2},{"jsonrpc":"2.0","id":3}]'),
    );
    await transport.closed;
    expect(messages).toEqual([]);
    await transport.start();
    expect(messages).toEqual([
      { jsonrpc: "2.0", id: 1, result: 1 },
      { jsonrpc: "2.0", id: 2 },
      { jsonrpc: "2.0", id: 3 },
    ]);
    expect(transport.fault).toBe("exited with code 0");
  });
  it("skips and reports what is no JSON-RPC, shortened", async () => {
    const { transport, notes, messages, stderr } = await open(
      `console.error("to the log");${print("hello", "", "null", '{"jsonrpc":"1.0"}', "z".repeat(5000))}`,
    );
    await transport.start();
    await transport.closed;
    expect(messages).toEqual([]);
    expect(notes.map((note) => note.length < 600 && note.slice(35))).toEqual([
      "hello",
      "null",
      '{"jsonrpc":"1.0"}',
      "z".repeat(500),
    ]);
    expect(stderr.join("")).toBe("to the log\n<end>");
  });
  it("ends a server whose message is larger than the limit", async () => {
    const { transport, child } = await open(
      `console.log("x".repeat(200_000)); setInterval(() => 0, 1000)`,
      1024,
    );
    await transport.start();
    await transport.closed;
    expect(transport.fault).toMatch(/sent a message of more than .* MB and was ended/);
    expect(isRunning(child.pid)).toBe(false);
    await expect(transport.send({})).rejects.toThrow("gone");
  });
  it("tells the end once, and a close that was asked for is no fault", async () => {
    const { transport } = await open("process.stdin.resume()");
    let closes = 0;
    transport.onclose = () => closes++;
    await transport.start();
    await transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    await Promise.all([transport.close(), transport.close()]);
    expect([closes, transport.fault, transport.isEnding]).toEqual([1, undefined, true]);
  });
});
