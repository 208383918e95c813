import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { declare, fixture, fixtureServer, World } from "./mcp.testkit.ts";

let world: World;
const open = (...args: ConstructorParameters<typeof World>): World => (world = new World(...args));
afterEach(async () => {
  expect(await world.end()).toEqual([]);
});
const small = (name: string, config: Parameters<typeof fixtureServer>[2] = {}) =>
  fixtureServer(name, ["small.mjs"], config);
const pids = (file: string): number[] =>
  fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
/** A server that writes a line to `file` whenever it starts. */
const counted = (name: string, file: string, config: Parameters<typeof fixtureServer>[2] = {}) =>
  fixtureServer(name, ["misbehaving.mjs", "dies-once", file], config);

describe("trust and switches", () => {
  it.each(["untrusted", "needs_approval"] as const)(
    "%s: nothing runs before it is decided",
    async (state) => {
      open([]);
      const canary = path.join(world.folder, "canary");
      world.declarations = [counted("x", canary), declare("far", { url: "http://127.0.0.1:9/mcp" })];
      world.trust.set("mcp:user/x", state).set("mcp:user/far", state);
      expect(await world.start()).toEqual([]);
      await world.mcp.restartAll();
      expect([world.row("x"), world.row("far")]).toMatchObject([{ state }, { state }]);
      await expect(world.mcp.startServer("x")).rejects.toMatchObject({ code: "not_trusted" });
      await expect(world.mcp.restartServer("x")).rejects.toMatchObject({ code: "not_trusted" });
      await expect(world.call("x", "echo")).rejects.toMatchObject({ code: "not_trusted" });
      expect([fs.existsSync(canary), world.tools.size, world.events]).toEqual([false, 0, []]);

      world.trust.clear();
      world.trust.set("mcp:user/far", state);
      world.trustChanged.emit();
      await world.until("x", "ready");
      expect(pids(canary)).toHaveLength(1);

      world.trust.set("mcp:user/x", state);
      world.trustChanged.emit();
      await world.until("x", state);
      expect(world.tools.size).toBe(0);
    },
  );
  it("asks with the declaration that is started, right before it is", async () => {
    const asked: unknown[] = [];
    open([small("x")], { digestOf: (declaration) => String(asked.push(declaration)) });
    await world.start();
    expect(new Set(asked).size).toBe(1);
    // A file that changes behind the approval: the digest differs at the next start.
    world.trust.set("mcp:user/x", "needs_approval");
    await expect(world.mcp.restartServer("x")).rejects.toMatchObject({ code: "not_trusted" });
  });
  it("counts what cannot be compared as not approved", async () => {
    open([small("x")], {
      digestOf: () => {
        throw new Error("unreadable");
      },
    });
    await world.start();
    expect(world.row("x").state).toBe("needs_approval");
  });
  it("switches servers and single tools off and on", async () => {
    open([small("x"), small("off", { disabled: true })]);
    await world.start();
    expect(world.row("off")).toMatchObject({ state: "disabled", enabled: false });
    const mcp = world.mcp.commands[0];
    const run = async (args: string) =>
      mcp?.run(args, { sessionId: null, onOutput: () => undefined, signal: new AbortController().signal });
    expect(await run("enable off")).toMatchObject({
      text: expect.stringMatching(/^off {2}(starting|ready)/),
    });
    await world.until("off", "ready");
    await run("disable x");
    expect(world.row("x")).toMatchObject({ state: "disabled", enabled: false, toolCount: 0 });
    await expect(world.call("x", "echo")).rejects.toMatchObject({ code: "denied" });
    world.switches.set("tool:mcp.off/echo", false);
    world.switchesChanged.emit();
    expect(world.tools.has("mcp__off__echo")).toBe(false);
    expect(world.row("off").toolCount).toBe(7);
    await expect(world.call("off", "echo")).rejects.toMatchObject({ code: "denied" });
  });
  it("what waits or is off shadows nothing", async () => {
    const mine = { owner: "workspace", scope: "workspace" } as const;
    open([
      { ...small("db", { args: [fixture("small.mjs"), "evil"] }), ...mine },
      small("db", { args: [fixture("small.mjs"), "own"] }),
    ]);
    world.trust.set("mcp:workspace/db", "untrusted");
    await world.start();
    expect(world.row("db")).toMatchObject({ id: "mcp:user/db", state: "ready" });
    expect(await world.call("db", "where")).toContain("own");
    expect(world.mcp.shadowed()).toMatchObject([{ owner: "workspace" }]);
    // It stands before the one that runs, and would win if it were trusted.
    expect(world.mcp.shadowedRows()).toMatchObject([{ id: "mcp:workspace/db", state: "untrusted" }]);
    expect(world.mcp.shadowedRows()[0]).not.toHaveProperty("shadowedBy");
    world.trust.clear();
    await world.mcp.reload();
    await world.mcp.settled(30_000);
    expect(world.row("db")).toMatchObject({ id: "mcp:workspace/db", state: "ready", origin: "workspace" });
    expect(await world.call("db", "where")).toContain("evil");
    expect(world.mcp.rows()).toHaveLength(1);
    expect(world.mcp.shadowedRows()).toMatchObject([
      {
        id: "mcp:user/db",
        name: "db",
        state: "stopped",
        enabled: true,
        toolCount: 0,
        shadowedBy: "workspace",
      },
    ]);
    world.switches.set("mcp:workspace/db", false);
    world.switches.set("mcp:user/db", false);
    world.switchesChanged.emit();
    await world.mcp.reload();
    expect(world.row("db")).toMatchObject({ id: "mcp:workspace/db", state: "disabled" });
    expect(world.mcp.shadowedRows()).toMatchObject([
      { id: "mcp:user/db", state: "disabled", enabled: false },
    ]);
    expect(world.mcp.shadowedRows()[0]).not.toHaveProperty("shadowedBy");
  });
  it("a workspace's server with the name of one of the user's says so, so that nothing meant for that one allows it", async () => {
    const mine = { owner: "workspace", scope: "workspace" } as const;
    open([
      { ...small("db"), ...mine },
      { ...small("other"), ...mine },
    ]);
    await world.start();
    await world.mcp.settled(30_000);
    const borrowed = (name: string): string | undefined => world.tools.get(name)?.borrowedName;
    expect([world.tools.has("mcp__db__echo"), borrowed("mcp__db__echo")]).toEqual([true, undefined]);
    // The user declares one too, switched off even: the names are theirs.
    world.declarations = [...world.declarations, small("db", { disabled: true })];
    await world.mcp.reload();
    expect(borrowed("mcp__db__echo")).toBe("workspace");
    expect(borrowed("mcp__other__echo")).toBeUndefined();
  });
});

describe("reload", () => {
  it("restarts only what changed, ten times over", async () => {
    open([]);
    const files = ["a", "b"].map((name) => path.join(world.folder, name));
    const [a = "", b = ""] = files;
    world.declarations = [counted("a", a), counted("b", b)];
    await world.start();
    for (let round = 0; round < 10; round++) {
      world.declarations = [counted("a", a), counted("b", b, { env: { ROUND: String(round) } })];
      await world.mcp.reload();
    }
    await world.mcp.settled(30_000);
    expect(pids(a)).toHaveLength(1);
    expect(pids(b).length).toBeGreaterThan(1);
    expect(world.row("b").state).toBe("ready");
    expect(await world.call("b", "pid")).toBe(String(pids(b).at(-1)));
  });
  it("takes away and adds", async () => {
    open([small("a"), small("b")]);
    await world.start();
    let lists = 0;
    world.mcp.onRows.on(() => lists++);
    world.declarations = [small("c"), small("b")];
    await world.mcp.reload();
    await world.mcp.settled(30_000);
    expect(world.mcp.rows().map(({ name, state }) => [name, state])).toEqual([
      ["c", "ready"],
      ["b", "ready"],
    ]);
    expect(lists).toBe(1);
    expect([...world.tools.keys()].some((name) => name.startsWith("mcp__a__"))).toBe(false);
  });
  it("/mcp reload reads the files and restarts everything that is on", async () => {
    let read = 0;
    open([], { reloadFiles: () => Promise.resolve(void read++) });
    const file = path.join(world.folder, "a");
    world.declarations = [counted("a", file), small("off", { disabled: true })];
    await world.start();
    await world.mcp.commands[0]?.run("reload", {
      sessionId: null,
      onOutput: () => undefined,
      signal: new AbortController().signal,
    });
    expect(read).toBe(1);
    expect(pids(file)).toHaveLength(2);
    expect(world.row("a").state).toBe("ready");
    expect(world.row("off").state).toBe("disabled");
  });
  it("starts, stops and restarts in any order without a trace", async () => {
    open([small("x")]);
    world.mcp.start();
    const { mcp } = world;
    await Promise.all([
      mcp.stopServer("x"),
      mcp.startServer("x"),
      mcp.restartServer("x"),
      mcp.stopServer("x"),
    ]);
    expect(world.row("x").state).toBe("stopped");
    await Promise.all([mcp.startServer("x"), mcp.startServer("x")]);
    expect(world.row("x").state).toBe("ready");
    await mcp.stop();
    await mcp.startServer("x");
    expect(world.row("x").state).toBe("stopped");
  });
});

describe("a server that ends unasked", () => {
  it("comes back by itself where the file wants it, and is given up after its attempts", async () => {
    open([]);
    const file = path.join(world.folder, "starts");
    world.declarations = [counted("x", file, { autoRestart: true, maxRestartAttempts: 2 })];
    await world.start();
    for (let round = 1; round <= 2; round++) {
      await expect(world.call("x", "die")).rejects.toMatchObject({ code: "unavailable" });
      await world.until("x", "ready");
      expect(pids(file)).toHaveLength(round + 1);
    }
    await expect(world.call("x", "die")).rejects.toMatchObject({ code: "unavailable" });
    expect(world.row("x")).toMatchObject({
      state: "failed",
      error: "gave up after 2 restarts: exited with code 7",
    });
    expect(world.events.at(-1)).toMatchObject({ type: "McpServerFailed", code: "gave_up" });
    await world.mcp.restartServer("x");
    expect(world.row("x").state).toBe("ready");
  });
  it("stays gone where the file does not, and a stop ends the waiting", async () => {
    open([small("x"), small("y", { autoRestart: true })], { restartDelaysMs: [600_000] });
    const file = path.join(world.folder, "starts");
    world.declarations = [counted("x", file), counted("y", file, { autoRestart: true })];
    await world.start();
    await expect(world.call("x", "die")).rejects.toThrow();
    await expect(world.call("y", "die")).rejects.toThrow();
    expect([world.row("x").state, world.row("y").state]).toEqual(["exited", "exited"]);
    expect((await world.mcp.settled(1)).notReady).toEqual(["x", "y"]);
    await world.mcp.stopServer("y");
    expect((await world.mcp.settled(60_000)).notReady).toEqual(["x"]);
  });
});

describe("lazy and idle servers", () => {
  it("lazy: learns its tools once, then starts on the first call", async () => {
    open([]);
    const file = path.join(world.folder, "starts");
    const lazy = (config: object = {}) => [
      { ...counted("x", file, { start: "lazy", ...config }), base: world.folder },
    ];
    world.declarations = lazy();
    await world.start();
    expect(world.row("x").state).toBe("ready");
    await world.mcp.stop();
    const second = new World(world.declarations, {
      paths: { home: "", config: "", cst: "", data: world.folder, cache: path.join(world.folder, "cache") },
    });
    try {
      await second.start();
      expect(second.row("x")).toMatchObject({ state: "stopped", tools: ["echo", "pid", "die"] });
      expect(second.tools.has("mcp__x__echo")).toBe(true);
      expect(pids(file)).toHaveLength(1);
      expect(await second.call("x", "echo", { text: "woke" })).toBe("woke");
      expect(second.row("x").state).toBe("ready");
      second.declarations = lazy({ env: { CHANGED: "1" } });
      await second.mcp.reload();
      await second.mcp.settled(30_000);
      expect(pids(file)).toHaveLength(3);
    } finally {
      await second.mcp.stop();
      fs.rmSync(second.folder, { recursive: true });
    }
  });
  it("idle: stops after its time, keeps its tools, starts on the next call", async () => {
    open([small("x", { idleTimeoutSecs: 0.05 })]);
    await world.start();
    const row = await world.until("x", "stopped");
    expect(row.toolCount).toBe(8);
    expect(await world.call("x", "slow", { ms: 200 })).toBe("done");
    await world.until("x", "stopped");
    await world.mcp.stopServer("x");
    expect(world.row("x").toolCount).toBe(0);
    await expect(world.call("x", "echo")).rejects.toMatchObject({ code: "unavailable" });
  });
});
