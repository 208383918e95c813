import { afterEach, describe, expect, it } from "vitest";
import { spawn, type Child } from "../kit/process.ts";
import { declare, fixture, World } from "./mcp.testkit.ts";

interface Seen {
  readonly method: string;
  readonly session?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}
/** The fixture server over HTTP, and what it was asked. */
class HttpServer {
  readonly seen: Seen[] = [];
  readonly child: Child;
  readonly url: string;
  private constructor(child: Child, url: string) {
    this.child = child;
    this.url = url;
  }
  static async start(...args: string[]): Promise<HttpServer> {
    const child = await spawn({ command: process.execPath, args: [fixture("http.mjs"), ...args] });
    const line = await new Promise<string>((resolve) =>
      child.stdout.once("data", (chunk) => resolve(String(chunk))),
    );
    const server = new HttpServer(child, String(JSON.parse(line).url));
    let rest = "";
    child.stderr.on("data", (chunk) => {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) server.seen.push(JSON.parse(text));
    });
    return server;
  }
}
let world: World | undefined;
let server: HttpServer | undefined;
afterEach(async () => {
  await server?.child.stop();
  server = undefined;
  expect(await world?.end()).toEqual([]);
  world = undefined;
});
async function start(args: string[], config: Parameters<typeof declare>[1] = {}): Promise<World> {
  server = await HttpServer.start(...args);
  world = new World([declare("far", { url: server.url, ...config })]);
  Object.assign(world.env, { FAR_TOKEN: "t0ken" });
  await world.start();
  return world;
}

describe("a remote server", () => {
  it.each(["well", "sse-answers", "stateless", "probe-500", "probe-refused"])(
    "%s: is found by its bare url",
    async (mode) => {
      const { row, call } = methods(await start(["--mode", mode]));
      expect(row("far")).toMatchObject({
        state: "ready",
        transport: "streamable_http",
        tools: ["echo", "calls", "forget"],
      });
      expect(row("far").command).toEqual([server?.url]);
      expect(await call("far", "echo", { text: "é😀" })).toBe("é😀");
    },
  );
  it("probe-silent: is asked in the older way when it does not answer the newer", async () => {
    const { row } = methods(await start(["--mode", "probe-silent"], { startupTimeoutSec: 15 }));
    expect(row("far")).toMatchObject({ state: "ready", transport: "streamable_http" });
  });
  it("no-streamable: a 4xx leads to SSE, and the panel says so", async () => {
    const { row, call } = methods(await start(["--mode", "no-streamable"]));
    expect(row("far")).toMatchObject({ state: "ready", transport: "sse" });
    expect(await call("far", "echo", { text: "old" })).toBe("old");
  });
  it("a declared type is not left", async () => {
    const { row } = methods(await start(["--mode", "no-streamable"], { type: "streamable_http" }));
    expect(row("far")).toMatchObject({
      state: "failed",
      error: expect.stringContaining("HTTP 405: Error POSTing to endpoint: use SSE"),
    });
  });
  it("sends headers and the key, and masks them", async () => {
    const far = await start(["--bearer", "t0ken"], {
      apiKeyEnv: "FAR_TOKEN",
      headers: { "X-Team": "${TEAM:-blue}" },
    });
    expect(far.row("far").state).toBe("ready");
    expect(server?.seen.every(({ headers }) => headers?.["x-team"] === "blue")).toBe(true);
    expect(far.masked).toContain("t0ken");
    expect(far.mcp.logs("far").join("\n")).not.toContain("t0ken");
  });
  it("says what to set where it is refused", async () => {
    const { row } = methods(await start(["--bearer", "other"], { apiKeyEnv: "FAR_TOKEN" }));
    expect(row("far")).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/HTTP 401.*api_key_env/),
    });
  });
  it("is failed with the cause where nobody listens", async () => {
    world = new World([declare("far", { url: "http://127.0.0.1:1/mcp" })]);
    await world.start();
    expect(world.row("far")).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/ECONNREFUSED|bad port/),
    });
  });
  it.each(["well", "forgets"])(
    "%s: opens a new session where the server forgot the old one, once for all",
    async (mode) => {
      const { row, call } = methods(await start(["--mode", mode]));
      await call("far", "forget");
      const answers = await Promise.all(["a", "b", "c"].map((text) => call("far", "echo", { text })));
      expect(answers).toEqual(["a", "b", "c"]);
      expect(server?.seen.filter(({ method }) => method === "initialize")).toHaveLength(2);
      expect(row("far").state).toBe("ready");
    },
  );
  it("forgets-always: asks for one new session, and gives the error then", async () => {
    const { row, call } = methods(await start(["--mode", "forgets-always"]));
    await call("far", "forget");
    await expect(call("far", "echo", { text: "a" })).rejects.toMatchObject({ code: "network" });
    expect(server?.seen.filter(({ method }) => method === "initialize")).toHaveLength(2);
    expect(row("far").state).not.toBe("starting");
  });
  it("list-stalls: is failed at its startup time", async () => {
    const { row } = methods(await start(["--mode", "list-stalls"], { startupTimeoutSec: 1 }));
    expect(row("far")).toMatchObject({ state: "failed", error: "did not become ready within 1 s" });
  });
  it("modern: a header that is not what the server wants has the tools listed anew and the call repeated, once", async () => {
    const { row, call } = methods(await start(["--mode", "modern"]));
    expect(row("far")).toMatchObject({ state: "ready", tools: ["query"] });
    expect(await call("far", "query", { region: "eu" })).toBe("from eu");
    const calls = (): string[] =>
      (server?.seen ?? []).map(({ method }) => method).filter((method) => method === "tools/call");
    await expect.poll(calls).toHaveLength(2);
  });
  it("tells the server that it leaves", async () => {
    const far = await start([]);
    await far.mcp.stopServer("far");
    await server?.child.stop();
    expect(server?.seen.at(-1)).toEqual({ method: "DELETE" });
  });
  it("keeps-session: a server that refuses to end the session is left all the same, its stream is closed", async () => {
    const far = await start(["--mode", "keeps-session"]);
    await expect.poll(() => server?.seen).toContainEqual({ method: "GET" });
    await far.mcp.stopServer("far");
    await expect.poll(() => server?.seen).toContainEqual({ method: "GET closed" });
    expect(far.mcp.logs("far").join("\n")).toContain("the session could not be ended");
  });
  it("is exited when it cannot be reached any more, and tried again by the next call", async () => {
    const { row, call } = methods(await start([]));
    const port = new URL(server?.url ?? "").port;
    await server?.child.stop();
    await expect(call("far", "echo", { text: "a" })).rejects.toMatchObject({ code: "network" });
    expect(row("far")).toMatchObject({ state: "exited", error: expect.stringContaining("ECONNREFUSED") });
    await expect(call("far", "echo", { text: "b" })).rejects.toMatchObject({ code: "unavailable" });
    server = await HttpServer.start("--port", port);
    expect(await call("far", "echo", { text: "c" })).toBe("c");
    expect(row("far").state).toBe("ready");
  });
});

/** The world's methods as functions. */
const methods = (from: World): { row: World["row"]; call: World["call"] } => ({
  row: (name) => from.row(name),
  call: (...args) => from.call(...args),
});
