// The limit: a bare Node loop that does the same work with no framework. Its figures stand beside Nacre's.
// node bench/lib/floor.mjs WORKSPACE URL [MCP_JSON]
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";

const [workspace = ".", url = "", mcpFile] = process.argv.slice(2);

function skills() {
  const root = path.join(workspace, ".agent/skills");
  /** @type {Record<string, string>[]} */
  const found = [];
  let names;
  try {
    names = readdirSync(root);
  } catch {
    return found;
  }
  for (const name of names) {
    const text = readFileSync(path.join(root, name, "SKILL.md"), "utf8");
    const head = text.slice(4, text.indexOf("\n---", 4));
    const fields = Object.fromEntries(head.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
    found.push(fields);
  }
  return found;
}

/** @typedef {{tools: {name: string, inputSchema: object}[], content: {text: string}[]}} Result */
/** @param {{command: string, args: string[]}} declaration */
function connect({ command, args }) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  /** @type {Map<number, (result: Result) => void>} */
  const waiting = new Map();
  let buffer = "";
  let id = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    buffer += chunk;
    let end;
    while ((end = buffer.indexOf("\n")) >= 0) {
      const message = JSON.parse(buffer.slice(0, end));
      buffer = buffer.slice(end + 1);
      waiting.get(message.id)?.(message.result);
      waiting.delete(message.id);
    }
  });
  /** @param {object} message */
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    /** @param {string} method @param {object} params @returns {Promise<Result>} */
    request: (method, params) =>
      new Promise((resolve) => {
        waiting.set(++id, resolve);
        send({ id, method, params });
      }),
    /** @param {string} method */
    notify: (method) => send({ method }),
    stop: () => child.kill(),
  };
}

/** @type {Map<string, (input: object) => Promise<string>>} */
const run = new Map();
/** @type {object[]} */
const tools = [];
/** @type {(() => void)[]} */
const stops = [];
if (mcpFile) {
  const servers = Object.entries(JSON.parse(readFileSync(mcpFile, "utf8")).mcpServers);
  await Promise.all(
    servers.map(async ([name, declaration]) => {
      const server = connect(declaration);
      stops.push(server.stop);
      await server.request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "floor", version: "1" },
      });
      server.notify("notifications/initialized");
      const listed = await server.request("tools/list", {});
      for (const tool of listed.tools) {
        const full = `mcp__${name}__${tool.name}`;
        tools.push({ type: "function", function: { name: full, parameters: tool.inputSchema } });
        run.set(full, async (input) => {
          const result = await server.request("tools/call", { name: tool.name, arguments: input });
          return result.content.map((part) => part.text).join("");
        });
      }
    }),
  );
}
run.set("read_file", async (input) =>
  readFileSync(path.join(workspace, /** @type {{path: string}} */ (input).path), "utf8"),
);
run.set(
  "echo_tool",
  (input) =>
    new Promise((resolve) => {
      const child = spawn("cat", [], { cwd: workspace });
      let output = "";
      child.stdout.on("data", (chunk) => (output += chunk));
      child.on("close", () => resolve(output));
      child.stdin.end(JSON.stringify(input));
    }),
);

/** @type {object[]} */
const messages = [
  {
    role: "system",
    content: skills()
      .map((skill) => `- ${skill.name}: ${skill.description}`)
      .join("\n")
      .slice(0, 4096),
  },
  { role: "user", content: "go" },
];
const agent = new http.Agent({ keepAlive: true });
/** @returns {Promise<{id: string, name: string, input: string}[]>} */
const step = () =>
  new Promise((resolve, reject) => {
    const request = http.request(
      `${url}/chat/completions`,
      { method: "POST", agent, headers: { "content-type": "application/json" } },
      (response) => {
        /** @type {{id: string, name: string, input: string}[]} */
        const calls = [];
        let buffer = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          buffer += chunk;
          let end;
          while ((end = buffer.indexOf("\n")) >= 0) {
            const line = buffer.slice(0, end);
            buffer = buffer.slice(end + 1);
            if (!line.startsWith("data: {")) continue;
            const delta = JSON.parse(line.slice(6)).choices?.[0]?.delta;
            for (const call of delta?.tool_calls ?? []) {
              calls[call.index] ??= { id: call.id, name: call.function.name, input: "" };
              /** @type {{input: string}} */ (calls[call.index]).input += call.function.arguments ?? "";
            }
          }
        });
        response.on("end", () => resolve(calls));
      },
    );
    request.on("error", reject);
    request.end(JSON.stringify({ model: "any", stream: true, messages, tools }));
  });
for (;;) {
  const calls = await step();
  if (calls.length === 0) break;
  messages.push({
    role: "assistant",
    content: "",
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: input },
    })),
  });
  for (const call of calls) {
    const tool = run.get(call.name);
    if (!tool) throw new Error(`no tool ${call.name}`);
    messages.push({ role: "tool", tool_call_id: call.id, content: await tool(JSON.parse(call.input)) });
  }
}
for (const stop of stops) stop();
agent.destroy();
