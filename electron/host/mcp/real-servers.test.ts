import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocket, type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { spawn, type Child } from "../kit/process.ts";
import { declare, World } from "./mcp.testkit.ts";
import { fetchServers } from "../../../scripts/e2e-servers.mjs";

// Servers as people install them, against Nacre's own manager: each is started, lists its tools and answers one call. The small
// ones are part of every run; the large ones of `npm run soak`.

interface Real {
  readonly name: string;
  readonly package: string;
  /** Which of its programs; the first where absent. */
  readonly bin?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Started by us and reached over HTTP: the path that it answers on. */
  readonly path?: "/mcp" | "/sse";
  readonly call: readonly [tool: string, input: object];
  readonly answers: RegExp;
}
const chromium = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const own = path.join(import.meta.dirname, "../../..");
const page = "data:text/html,<title>hello</title><h1>hello</h1>";

const small = (ws: string): readonly Real[] => [
  {
    name: "filesystem",
    package: "@modelcontextprotocol/server-filesystem",
    args: [ws],
    call: ["write_file", { path: path.join(ws, "a.txt"), content: "x" }],
    answers: /Successfully/,
  },
  {
    name: "memory",
    package: "@modelcontextprotocol/server-memory",
    env: { MEMORY_FILE_PATH: path.join(ws, "memory.json") },
    call: ["read_graph", {}],
    answers: /entities/,
  },
  {
    name: "sequential-thinking",
    package: "@modelcontextprotocol/server-sequential-thinking",
    call: [
      "sequentialthinking",
      { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    ],
    answers: /thoughtNumber/,
  },
  {
    name: "commands",
    package: "mcp-server-commands",
    call: ["run_command", { command: "echo he''llo" }],
    answers: /hello/,
  },
  {
    name: "everything-http",
    package: "@modelcontextprotocol/server-everything",
    args: ["streamableHttp"],
    path: "/mcp",
    call: ["echo", { message: "héllo" }],
    answers: /Echo: héllo/,
  },
  {
    name: "everything-sse",
    package: "@modelcontextprotocol/server-everything",
    args: ["sse"],
    path: "/sse",
    call: ["echo", { message: "héllo" }],
    answers: /Echo: héllo/,
  },
];
const large = (ws: string, charts: string): readonly Real[] => [
  {
    name: "playwright",
    package: "@playwright/mcp",
    args: ["--headless", "--no-sandbox", "--isolated", "--executable-path", chromium],
    call: ["browser_navigate", { url: page }],
    answers: /hello/,
  },
  {
    name: "chrome-devtools",
    package: "chrome-devtools-mcp",
    bin: "chrome-devtools-mcp",
    args: ["--headless", "--isolated", "--executablePath", chromium, "--chromeArg=--no-sandbox"],
    call: ["list_pages", {}],
    answers: /about:blank/,
  },
  {
    name: "chart",
    package: "@antv/mcp-server-chart",
    env: { VIS_REQUEST_SERVER: charts },
    call: ["generate_pie_chart", { data: [{ category: "a", value: 1 }] }],
    answers: /chart\.png/,
  },
  {
    name: "git",
    package: "@cyanheads/git-mcp-server",
    call: ["git_status", { path: ws }],
    answers: /main/,
  },
  {
    name: "desktop-commander",
    package: "@wonderwhy-er/desktop-commander",
    bin: "desktop-commander",
    call: ["list_directory", { path: ws }],
    answers: /\.git/,
  },
  {
    name: "pdf",
    package: "@modelcontextprotocol/server-pdf",
    path: "/mcp",
    call: ["list_pdfs", {}],
    answers: /PDF|pdf/,
  },
  {
    name: "map",
    package: "@modelcontextprotocol/server-map",
    path: "/mcp",
    call: ["show-map", { west: 8, south: 47, east: 9, north: 48 }],
    answers: /globe/,
  },
];

/** A port that nobody listens on just now. */
async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
}
/** The program of a package, under one of the folders. */
function programOf({ package: name, bin }: Real, folders: readonly string[]): string {
  const found = folders.map((folder) => path.join(folder, "node_modules", name)).find(existsSync);
  if (found === undefined) throw new Error(`${name} is not installed`);
  const manifest: { bin: Record<string, string> } = JSON.parse(
    readFileSync(path.join(found, "package.json"), "utf8"),
  );
  return path.join(found, (bin === undefined ? Object.values(manifest.bin)[0] : manifest.bin[bin]) ?? "");
}

function suite(
  title: string,
  which: "small" | "large",
  wanted: (ws: string, charts: string) => readonly Real[],
): void {
  const fetched =
    which === "large" && process.env["NACRE_SOAK"] === undefined
      ? { missing: "they are part of npm run soak" }
      : fetchServers(which);
  const folder = "folder" in fetched ? fetched.folder : "";
  describe.skipIf(folder === "")(
    `${title}${"missing" in fetched ? ` (skipped: ${fetched.missing})` : ""}`,
    () => {
      const world = new World([]);
      const children: Child[] = [];
      const charts = createServer((_, response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end('{"success":true,"resultObj":"http://x/chart.png"}'),
      );
      const servers = wanted(world.workspace, "http://127.0.0.1:0");
      const real = new Map<string, Real>();
      beforeAll(async () => {
        execFileSync("git", ["init", "-q", "-b", "main", world.workspace]);
        await new Promise<void>((resolve) => charts.listen(0, "127.0.0.1", resolve));
        const chartUrl = `http://127.0.0.1:${(charts.address() as AddressInfo).port}`;
        for (const server of wanted(world.workspace, chartUrl)) real.set(server.name, server);
        world.declarations = await Promise.all(
          [...real.values()].map(async (server) => {
            const args = [programOf(server, [folder, own]), ...(server.args ?? [])];
            if (server.path === undefined)
              return declare(server.name, {
                command: process.execPath,
                args,
                // Whatever they write of themselves belongs to the test.
                env: { HOME: world.folder, ...server.env },
                startupTimeoutSec: 60,
              });
            const port = await freePort();
            const child = await spawn({
              command: process.execPath,
              args,
              env: { ...process.env, PORT: String(port) },
            });
            child.stdout.resume();
            child.stderr.resume();
            children.push(child);
            await listening(port);
            return declare(server.name, {
              url: `http://localhost:${port}${server.path}`,
              startupTimeoutSec: 60,
            });
          }),
        );
        await world.mcp.reload();
        await world.start();
      }, 180_000);
      afterAll(async () => {
        await Promise.all(children.map((child) => child.stop()));
        const left = await world.end();
        await new Promise((resolve) => charts.close(resolve));
        charts.closeAllConnections();
        expect(left).toEqual([]);
      }, 60_000);
      it.each(servers.map(({ name }) => name))(
        "%s is ready and answers",
        async (name) => {
          const server = real.get(name);
          if (!server) throw new Error(`no server ${name}`);
          const row = world.row(name);
          expect(row, world.mcp.logs(name).join("\n")).toMatchObject({ state: "ready" });
          expect(row.transport).toBe(
            server.path === undefined ? "stdio" : server.path === "/sse" ? "sse" : "streamable_http",
          );
          const [tool, input] = server.call;
          const since = performance.now();
          expect(await world.call(name, tool, input)).toMatch(server.answers);
          if (process.env["NACRE_SOAK"] !== undefined)
            console.log(
              `# ${name}: ${row.transport}, ${row.toolCount} tools, ready after ${row.startMs} ms, ${tool} ${Math.round(performance.now() - since)} ms`,
            );
        },
        60_000,
      );
    },
  );
}
/** Waits until somebody answers on a port. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const answered = await fetch(`http://localhost:${port}/nothing`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

suite("small servers from npm", "small", small);
suite("large servers from npm", "large", large);
