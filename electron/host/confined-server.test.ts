import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorld } from "./config/world.testkit.ts";
import { createHost } from "./host.ts";
import { processesWith } from "./kit/process-table.ts";
import { declare, fixture, fixtureServer, World } from "./mcp/mcp.testkit.ts";
import { createSandbox } from "./policy/sandbox.ts";
import { homeOf } from "./tools/confined-program.ts";
import { type Bench, createBench } from "./tools/tools.testkit.ts";

/** Where the fixtures lie: also in the host's /tmp, which is out of sight for what runs confined. */
const checkout = path.join(import.meta.dirname, "../..");
const env = { ...process.env };
const probe = createSandbox({
  platform: process.platform,
  env,
  paths: { home: "/nowhere", config: "/nowhere", data: "/nowhere", cache: "/nowhere", cst: "/nowhere" },
});
const works = process.platform === "linux" && (await probe.verify()).ok;

let bench: Bench;
let world: World;
let home: string;
function setUp(searchPath = env["PATH"]): void {
  // Below /var/tmp: the host's /tmp is out of sight for what runs confined anyway.
  bench = createBench({
    parent: "/var/tmp",
    sandbox: (paths) =>
      createSandbox({ platform: process.platform, env: { ...env, PATH: searchPath }, paths }),
  });
  home = bench.paths.home;
}
beforeEach(() => setUp());
afterEach(async () => {
  expect(await world.end()).toEqual([]);
  await bench.stop();
});
/** The servers of a workspace with the executor that confines them, as the host wires them. */
function open(declarations: ConstructorParameters<typeof World>[0]): void {
  const here = declarations.map((declaration) => ({ ...declaration, base: bench.workspace }));
  world = new World(here, {
    paths: bench.paths,
    workspace: bench.workspace,
    confine: (spec, server) =>
      bench.executor.confine(spec, {
        id: server.id,
        writableRoots: [],
        readableRoots: [checkout],
        network: true,
        ownHome: { declared: server.env, env: { HOME: home } },
      }),
  });
}
const shell = (name: string, sandbox = true) => fixtureServer(name, ["shell.mjs"], { sandbox });
const sh = (server: string, command: string): Promise<string> => world.call(server, "sh", { command });

describe.runIf(works)("an MCP server with sandbox: true", () => {
  it("writes nothing outside and reads no keys, while one without could; its home is its own", async () => {
    fs.mkdirSync(path.join(home, ".ssh"));
    fs.writeFileSync(path.join(home, ".ssh", "id"), "key");
    open([shell("free", false), shell("kept")]);
    expect(await world.start()).toEqual([]);
    const attack = `cat ${home}/.ssh/id; echo x > ${home}/canary && echo wrote; true`;
    expect(await sh("free", attack)).toBe("keywrote\n");
    fs.rmSync(path.join(home, "canary"));
    const said = await sh("kept", attack);
    expect(said).not.toContain("wrote");
    expect(said).not.toContain("key");
    expect(fs.existsSync(path.join(home, "canary"))).toBe(false);
    const own = homeOf(bench.paths, "mcp:user/kept");
    expect(await sh("kept", "echo $HOME; echo here > ~/note; echo in > in.txt; cat ~/note")).toBe(
      `${own}\nhere\n`,
    );
    expect(fs.readFileSync(path.join(own, "note"), "utf8")).toBe("here\n");
    expect(fs.readFileSync(path.join(bench.workspace, "in.txt"), "utf8")).toBe("in\n");
    expect(world.row("kept").confined).toBe(true);
    expect(world.row("free").confined).toBeUndefined();
  });
  it("keeps the network, but reaches no socket of the host", async () => {
    const file = path.join(home, "host.sock");
    const server = net.createServer((socket) => socket.end("reached"));
    const loopback = net.createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(file, resolve));
    await new Promise<void>((resolve) => loopback.listen(0, "127.0.0.1", resolve));
    const address = loopback.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    open([shell("free", false), shell("kept")]);
    await world.start();
    const connect = (to: string): string =>
      `node -e 'require("net").connect(${to}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    expect(await sh("free", connect(JSON.stringify(file)))).toBe("reached\n");
    expect(await sh("kept", connect(JSON.stringify(file)))).toBe("EPERM\n");
    expect(await sh("kept", connect(String(port)))).toBe("reached\n");
    server.close();
    loopback.close();
  });
  it("leaves no protected folder behind when it ends, and no process, not even one that left its group", async () => {
    open([shell("kept")]);
    await world.start();
    await sh("kept", "mkdir -p sub/.agent; echo evil > sub/.agent/mcp.json");
    const beat = path.join(bench.workspace, "beat");
    const loop = `while :; do date +%N > ${beat}; sleep 0.02; done`;
    await sh("kept", `BEAT=${beat} setsid sh -c '${loop}' >/dev/null 2>&1 &`);
    await expect.poll(() => fs.existsSync(beat), { timeout: 15_000 }).toBe(true);
    expect(processesWith("BEAT", beat)).not.toEqual([]);
    await world.mcp.stop();
    await bench.executor.stop();
    await expect.poll(() => processesWith("BEAT", beat)).toEqual([]);
    expect(fs.existsSync(path.join(bench.workspace, "sub", ".agent"))).toBe(false);
    expect(bench.diagnostics.map(({ code }) => code)).toEqual(["quarantined"]);
  });
  it("that npx starts has the cache of npm, but a place of its own for what npx runs", async () => {
    const bin = path.join(home, "bin");
    fs.mkdirSync(bin);
    fs.writeFileSync(
      path.join(bin, "npx"),
      `#!/bin/sh\nexec "${process.execPath}" "${fixture("shell.mjs")}"\n`,
      {
        mode: 0o755,
      },
    );
    fs.mkdirSync(path.join(home, ".npm", "_npx", "of-others"), { recursive: true });
    open([declare("kept", { command: path.join(bin, "npx"), sandbox: true })]);
    expect(await world.start()).toEqual([]);
    expect(
      await sh(
        "kept",
        "echo $npm_config_cache; echo x > $npm_config_cache/fetched; ls $npm_config_cache/_npx",
      ),
    ).toBe(`${home}/.npm\n`);
    await sh("kept", "echo x > $npm_config_cache/_npx/program");
    expect(fs.readFileSync(path.join(home, ".npm", "fetched"), "utf8")).toBe("x\n");
    expect(fs.readdirSync(path.join(home, ".npm", "_npx"))).toEqual(["of-others"]);
    // A link in its own home leads it nowhere at its next start.
    await sh("kept", `rm -rf ~/.npm/_npx ~/.npm; mkdir ~/.npm; ln -s ${home} ~/.npm/_npx`);
    await world.mcp.restartServer("kept");
    await sh("kept", "echo x > $npm_config_cache/_npx/canary");
    expect(fs.existsSync(path.join(home, "canary"))).toBe(false);
  });
  it("whose program is missing fails with the name of it", async () => {
    open([declare("none", { command: "nacre-no-such-program", sandbox: true })]);
    expect(await world.start()).toEqual(["none"]);
    expect(world.row("none")).toMatchObject({
      state: "failed",
      error: "exited with code 127 before it was ready",
      stderr: expect.stringMatching(/nacre-no-such-program: (command )?not found/),
    });
  });
  it("whose confinement cannot be made is told as that, and does not start", async () => {
    open([declare("lost", { command: "true", sandbox: true, cwd: "gone" })]);
    expect(await world.start()).toEqual(["lost"]);
    expect(world.row("lost").error).toMatch(
      /^it did not run: its confinement could not be made \(Can't chdir/,
    );
  });
  it("works as it does unconfined: the reference server", async () => {
    const everything = path.join(
      import.meta.dirname,
      "../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    );
    open([declare("everything", { command: process.execPath, args: [everything, "stdio"], sandbox: true })]);
    expect(await world.start()).toEqual([]);
    expect(await world.call("everything", "echo", { message: "pearl" })).toBe("Echo: pearl");
  });
});

it("does not start where nothing can run confined, and says why and what to do", async () => {
  await bench.stop();
  setUp("/nonexistent");
  open([shell("kept")]);
  expect(await world.start()).toEqual(["kept"]);
  expect(world.row("kept")).toMatchObject({
    state: "failed",
    error: expect.stringMatching(
      /^it asks for a sandbox, and nothing can run confined here: .*; .*set sandbox to false$/,
    ),
  });
});

it.runIf(works)("the host confines it: the folder is writable, the home folder is not", async () => {
  open([]);
  const place = createWorld("/var/tmp");
  const program = path.join(place.top, "shell.mjs");
  fs.copyFileSync(fixture("shell.mjs"), program);
  place.write(
    "config/mcp.json",
    JSON.stringify({
      mcpServers: { kept: { command: process.execPath, args: [program], sandbox: true } },
    }),
  );
  const { workspace, paths } = place;
  const host = await createHost({
    workspace,
    env,
    paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: place.top,
  });
  try {
    await host.start();
    expect(await host.settled(60_000)).toEqual({ notReady: [] });
    const command = `echo in > inside; echo out > ${paths.home}/canary; echo $HOME`;
    const { output, sandboxed } = await host.callTool(
      "mcp__kept__sh",
      { command },
      new AbortController().signal,
      true,
    );
    expect(sandboxed).toBe(true);
    expect(output).toContain(homeOf(paths, "mcp:user/kept"));
    expect(fs.existsSync(path.join(workspace, "inside"))).toBe(true);
    expect(fs.existsSync(path.join(paths.home, "canary"))).toBe(false);
    expect((await host.doctor()).sandbox).toEqual({ kind: "bubblewrap", ok: true });
  } finally {
    await host.stop();
    place.remove();
  }
});
