import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../../e2e/fixtures/model-server.mjs";
import { maskedEvents } from "./masked-run.ts";
import { exportMarkdown } from "../host/chat/markdown.ts";
import { createWorld, type World } from "../host/config/world.testkit.ts";
import { createHost, type Host } from "../host/host.ts";

let world: World;
let host: Host | undefined;
let server: ModelServer | undefined;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await host?.stop();
  await server?.stop();
  [host, server] = [undefined, undefined];
  world.remove();
});

/** Every secret that the app is told of; one with the letters of patterns, one of several lines, one with a line end. */
const secrets = {
  NACRE_API_KEY: "environment-key-8f3a",
  PROVIDER_KEY: "provider.key+9c1d$e(",
  LEAK_TOKEN: "leak/token&7e2b",
  HTTP_KEY: "http-key-5d4c6b",
  SIGN_KEY: "-----BEGIN-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END-----",
};
const stored = "stored-secret-1a2b3c";
const literal = "written-into-the-file-4d5e";
const address = "password-in-the-address";

/** Tells everything it knows on standard error, in its results and in errors. */
const leaky = String.raw`
import readline from "node:readline";
const told = Object.values(process.env).filter((value) => value.length > 5);
const forms = (text) => [text, Buffer.from("user:" + text).toString("base64"), encodeURIComponent(text), JSON.stringify(text)];
const all = [process.env.TOKEN, process.env.STORED, process.env.LITERAL_TOKEN, process.env.SIGN_KEY].flatMap(forms);
for (const form of all) process.stderr.write("stderr " + form + "\n");
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize")
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "leaky", version: "1" } } });
  else if (method === "tools/list") send({ id, result: { tools: [{ name: "tell", inputSchema: { type: "object" } }] } });
  else if (method === "tools/call") send({ id, result: { content: [{ type: "text", text: all.join("\n") }], structuredContent: { all } } });
  else if (id !== undefined) send({ id, error: { code: -32601, message: "no " + method + " with " + process.env.TOKEN } });
});
`;
const printer = `for (const value of Object.values(process.env)) console.log(value);`;

async function open(): Promise<Host> {
  const script = world.write("leaky.mjs", leaky);
  world.write(
    "config/mcp.json",
    JSON.stringify({
      mcpServers: {
        leaky: {
          command: process.execPath,
          args: [script, "--header", "Authorization: Bearer ${LEAK_TOKEN}"],
          env: {
            TOKEN: "${LEAK_TOKEN}",
            STORED: "${secret:mcp/leaky/stored}",
            LITERAL_TOKEN: literal,
            SIGN_KEY: "",
          },
        },
        remote: {
          url: `http://someone:${address}@127.0.0.1:9/mcp?api_key=${literal}`,
          api_key_env: "HTTP_KEY",
        },
      },
    }),
  );
  world.write("config/plugins/printer/print.mjs", printer);
  world.write(
    "config/plugins/printer/plugin.json",
    JSON.stringify({
      name: "printer",
      version: "1.0.0",
      tools: [
        {
          name: "print_env",
          description: "prints",
          command: [process.execPath, "print.mjs"],
          perm: "read",
          parameters: { type: "object", properties: {} },
        },
      ],
    }),
  );
  const leaks = Object.values(secrets).map((secret) => Buffer.from(secret).toString("base64"));
  server = await startModelServer({
    steps: [
      {
        text: "Let me look.",
        toolCalls: [
          { id: "a", name: "mcp__leaky__tell", input: {} },
          { id: "b", name: "print_env", input: {} },
          {
            id: "c",
            name: "run_shell",
            input: { command: `printf '%s' "$LEAK_TOKEN" | base64; echo "$SIGN_KEY"; echo ${leaks[0]}` },
          },
        ],
      },
      { error: { status: 401, message: `Incorrect API key provided: ${secrets.PROVIDER_KEY}` } },
    ],
  });
  world.write(
    "config/settings.json",
    JSON.stringify({
      model: "test/any",
      models: {
        providers: {
          test: { kind: "openai-compatible", baseUrl: server.url, apiKey: "${PROVIDER_KEY}" },
        },
      },
    }),
  );
  host = await createHost({
    workspace: world.workspace,
    env: {
      ...secrets,
      PATH: process.env["PATH"],
      HTTPS_PROXY: "",
    },
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
    policy: { approval: "on_request", sandbox: "full_access", allow: ["mcp.leaky.tell"] },
    secrets: {
      kind: "keyring",
      probe: async () => "keyring",
      get: async (name) => (name === "mcp/leaky/stored" ? stored : undefined),
      set: async () => undefined,
      remove: async () => undefined,
    },
  });
  return host;
}
/** All files below a folder, but the conversation itself: what the model saw stays what it saw. */
function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/]sessions[\\/][^\\/]+[\\/](main\.jsonl|sub-\d+\.jsonl|blobs[\\/].*)$/.test(file));
}
const values = [...Object.values(secrets), stored, literal, address];
/** The secrets that a text tells: as they are, in JSON, in an address, in base64 as far as that tells them, and by line. */
function told(text: string): string[] {
  const decoded = (text.match(/[A-Za-z0-9+/_-]{8,}={0,2}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), "base64").toString("latin1")),
  );
  const all = [text, ...decoded].join("\n");
  return values.filter((secret) =>
    [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      ...secret.split("\n").filter((line) => line.length > 8 && !line.startsWith("-")),
    ].some((form) => all.includes(form)),
  );
}

test("no secret is in a log, a trace, an export, an error or the output of a run, though tools and servers tell them all", async () => {
  const opened = await open();
  await opened.start();
  await opened.settled(30_000);
  const session = opened.chats.create();
  const stream: string[] = [];
  const whole: string[] = [];
  session.turnEvents.on((event) => void whole.push(JSON.stringify(event)));
  session.turnEvents.on(maskedEvents(opened.masker, (event) => void stream.push(JSON.stringify(event))));
  const report = await (await session.send("go")).turn;
  expect(report.toolCalls.map(({ isError }) => isError)).toEqual([false, false, false]);
  // The tools did tell: else nothing is shown here.
  expect(told(whole.join("\n"))).toEqual(
    expect.arrayContaining([secrets.LEAK_TOKEN, secrets.SIGN_KEY, stored, literal]),
  );
  expect(report.error?.message).toContain("Incorrect API key");
  const rows = opened.mcp.rows().map(({ command: _command, ...row }) => JSON.stringify(row));
  const { row: head, entries } = await opened.exportSession(session.id);
  const outputs = {
    stream: stream.join("\n"),
    json: JSON.stringify(opened.masker.masked(report)),
    error: report.error?.message ?? "",
    servers: rows.join("\n"),
    logs: opened.mcp.logs("leaky").join("\n"),
    markdown: exportMarkdown(head, entries),
    export: JSON.stringify({ head, entries }),
    diagnostics: JSON.stringify(await opened.doctor()),
  };
  opened.log.error("what was tried", {
    error: new Error(`failed with ${secrets.HTTP_KEY}`),
    password: "short",
  });
  await opened.stop();
  host = undefined;
  for (const [name, text] of Object.entries(outputs)) expect([name, told(text)]).toEqual([name, []]);
  const files = [...filesBelow(world.paths.data), ...filesBelow(path.join(world.workspace, ".agent"))];
  expect(files.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(["nacre.jsonl", "mcp-leaky.log", "trace.jsonl"]),
  );
  for (const file of files) expect([file, told(fs.readFileSync(file, "utf8"))]).toEqual([file, []]);
  expect(fs.readFileSync(path.join(world.paths.data, "logs", "nacre.jsonl"), "utf8")).not.toContain("short");
});
test("an export of a session of an earlier start is masked too, also with what lies in the key store", async () => {
  const opened = await open();
  await opened.start();
  await opened.settled(30_000);
  const session = opened.chats.create();
  await (
    await session.send("go")
  ).turn;
  const { id } = session;
  await opened.stop();
  await server?.stop();
  const again = await open();
  const { row, entries } = await again.exportSession(id);
  expect(entries.length).toBeGreaterThan(3);
  expect(told(JSON.stringify(entries))).toEqual([]);
  expect(told(exportMarkdown(row, entries))).toEqual([]);
});
