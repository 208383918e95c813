import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host, type HostOptions } from "./host.ts";
import { TrustStore } from "./policy/trust.ts";
import { ConfigStore } from "./config/store.ts";

let world: World;
const hosts: Host[] = [];
const signal = new AbortController().signal;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  world.remove();
});
async function open(more: Partial<HostOptions> = {}): Promise<Host> {
  const host = await createHost({
    workspace: world.workspace,
    env: { PATH: process.env["PATH"] },
    paths: world.paths,
    version: "0",
    shell: "cli",
    canAsk: false,
    built: world.top,
    ...more,
  });
  hosts.push(host);
  return host;
}
const fixture = path.join(import.meta.dirname, "../../e2e/fixtures/mcp-servers/small.mjs");
const canaryFile = (): string => path.join(world.top, "canary");
/** What has run so far, one line a start. */
const canary = (): string[] =>
  fs.existsSync(canaryFile()) ? fs.readFileSync(canaryFile(), "utf8").trim().split("\n") : [];
/** A program that leaves its mark and serves MCP. */
const program = (mark: string): string =>
  `import fs from "node:fs";\nfs.appendFileSync(${JSON.stringify(canaryFile())}, "${mark}\\n");\nawait import(${JSON.stringify(fixture)});\n`;
const server = (more: object = {}) => ({ command: process.execPath, args: ["server.mjs"], ...more });
const declare = (name: string, declaration: object, file = "ws/.mcp.json"): void =>
  void world.write(file, JSON.stringify({ mcpServers: { [name]: declaration } }));
const stateOf = (host: Host, name = "one"): string | undefined =>
  host.mcp.rows().find((row) => row.name === name)?.state;
const trustAll = (host: Host): Promise<void> => host.trustWorkspace(host.declarations());
async function ready(host: Host): Promise<void> {
  await host.start();
  await host.settled(20_000);
  expect(stateOf(host)).toBe("ready");
}

describe("what is started is what was approved, with the files swapped in between", () => {
  test("at a start: between approval and start", async () => {
    world.write("ws/server.mjs", program("approved"));
    declare("one", server());
    const host = await open();
    await trustAll(host);
    world.write("ws/server.mjs", program("swapped"));
    await host.start();
    await host.settled(20_000);
    expect([stateOf(host), canary()]).toEqual(["needs_approval", []]);
    world.write("ws/server.mjs", program("approved"));
    await host.mcp.startServer("one");
    expect([stateOf(host), canary()]).toEqual(["ready", ["approved"]]);
  });
  test("at a restart: the old one ends and the new one does not run", async () => {
    world.write("ws/server.mjs", program("approved"));
    declare("one", server());
    const host = await open();
    await trustAll(host);
    await ready(host);
    world.write("ws/server.mjs", program("swapped"));
    await expect(host.mcp.restartServer("one")).rejects.toMatchObject({ code: "not_trusted" });
    await host.mcp.stopServer("one");
    await expect(host.mcp.startServer("one")).rejects.toMatchObject({ code: "not_trusted" });
    expect([stateOf(host), canary()]).toEqual(["needs_approval", ["approved"]]);
  });
  test("at a restart by itself, after it has ended unasked", async () => {
    world.write(
      "ws/server.mjs",
      `${program("approved")}fs.watchFile(${JSON.stringify(path.join(world.top, "end"))}, { interval: 20 }, (now) => now.mtimeMs > 0 && process.exit(1));\n`,
    );
    declare("one", server({ auto_restart: true, max_restart_attempts: 3 }));
    const host = await open();
    await trustAll(host);
    await ready(host);
    world.write("ws/server.mjs", program("swapped"));
    world.write("end", "now");
    await vi.waitFor(() => expect(stateOf(host)).toBe("needs_approval"), 20_000);
    expect(canary()).toEqual(["approved"]);
  });
  test("at a lazy start by the first call", async () => {
    world.write("ws/server.mjs", program("approved"));
    declare("one", server({ start: "lazy" }));
    const first = await open();
    await trustAll(first);
    await ready(first);
    await first.stop();
    hosts.length = 0;
    const host = await open();
    await host.start();
    expect(stateOf(host)).toBe("stopped");
    world.write("ws/server.mjs", program("swapped"));
    const call = host.mcp.call("one", "echo", { text: "x" }, {}, signal);
    await expect(call).rejects.toMatchObject({ code: "not_trusted" });
    expect(canary()).toEqual(["approved"]);
  });
  test("a plugin's server and its tool, by the whole folder of the plugin", async () => {
    const plugin = "ws/.agent/plugins/both";
    world.write(`${plugin}/server.mjs`, program("approved"));
    world.write(`${plugin}/tool.mjs`, `import "./lib.mjs";\n`);
    world.write(`${plugin}/lib.mjs`, `console.log("fine");\n`);
    world.write(
      `${plugin}/plugin.json`,
      JSON.stringify({
        name: "both",
        tools: [{ name: "look", description: "x", perm: "read", command: [process.execPath, "tool.mjs"] }],
        mcpServers: { one: { command: process.execPath, args: ["${CLAUDE_PLUGIN_ROOT}/server.mjs"] } },
      }),
    );
    const host = await open();
    await trustAll(host);
    await ready(host);
    expect(await host.callTool("look", {}, signal)).toMatchObject({ isError: false, output: "fine" });
    world.write(`${plugin}/lib.mjs`, program("swapped"));
    expect(await host.callTool("look", {}, signal)).toMatchObject({
      isError: true,
      output: expect.stringContaining("changed since it was approved"),
    });
    await expect(host.mcp.restartServer("one")).rejects.toMatchObject({ code: "not_trusted" });
    expect(canary()).toEqual(["approved"]);
  });
  test("a link that is turned to another file, also outside of the folder", async () => {
    world.write("out/good.mjs", program("approved"));
    world.write("out/evil.mjs", program("swapped"));
    const link = path.join(world.workspace, "server.mjs");
    fs.symlinkSync("../out/good.mjs", link);
    declare("one", server());
    const host = await open();
    await trustAll(host);
    fs.rmSync(link);
    fs.symlinkSync("../out/evil.mjs", link);
    await host.start();
    await host.settled(20_000);
    expect([stateOf(host), canary()]).toEqual(["needs_approval", []]);
  });
});

describe("a swapped declaration (MCPoison)", () => {
  const table: [what: string, swapped: object, part: string, difference: object][] = [
    [
      "an argument",
      server({ args: ["server.mjs", "--unsafe"] }),
      "args",
      { before: '["server.mjs"]', after: '["server.mjs","--unsafe"]' },
    ],
    [
      "a variable",
      server({ env: { NODE_OPTIONS: "--no-warnings" } }),
      "env.NODE_OPTIONS",
      { before: null, after: "--no-warnings" },
    ],
    [
      "a url in place of the command",
      { url: "http://127.0.0.1:9/mcp" },
      "url",
      { before: null, after: "http://127.0.0.1:9/mcp" },
    ],
    ["what its tools may do", server({ autoApprove: true }), "autoApprove", { before: null, after: "true" }],
  ];
  for (const [what, swapped, part, difference] of table)
    test(`${what} changed on disk waits and shows the difference; nothing of it is started`, async () => {
      world.write("ws/server.mjs", program("approved"));
      declare("one", server());
      const host = await open();
      await trustAll(host);
      declare("one", swapped);
      const again = await open();
      await again.start();
      await again.settled(20_000);
      expect([stateOf(again), canary()]).toEqual(["needs_approval", []]);
      const { declarations } = await again.handlers["trust.review"]({}, signal);
      expect(declarations).toMatchObject([
        {
          id: "mcp:project/one",
          state: "needs_approval",
          changes: expect.arrayContaining([{ what: part, ...difference }]),
        },
      ]);
    });
  test("what changes between the review and the answer is refused, whatever kind it is", async () => {
    world.write("ws/server.mjs", program("approved"));
    world.write("ws/hook.sh", "true");
    world.write("ws/.agent/plugins/p/plugin.json", JSON.stringify({ name: "p", tools: [] }));
    world.write("ws/dropstone.json", '{"permission": {"run_shell": {"ls": "allow"}}}');
    world.write("ws/kairox.toml", '[hooks.SessionStart.a]\ncommand = "sh ./hook.sh"\n');
    declare("one", server());
    const host = await open();
    const swaps: [string, () => Promise<unknown> | void][] = [
      ["a server's file", () => void world.write("ws/server.mjs", program("swapped"))],
      ["a hook's file", () => void world.write("ws/hook.sh", "false")],
      ["a plugin's new file", () => void world.write("ws/.agent/plugins/p/x.js", "1")],
      [
        "a rule",
        async () => {
          world.write("ws/dropstone.json", '{"permission": "allow"}');
          await host.reload("mcp");
        },
      ],
    ];
    for (const [what, swap] of swaps) {
      const { grant } = await host.handlers["trust.review"]({}, signal);
      await swap();
      await expect(
        (async () => host.handlers["trust.grant"]({ grant }, signal))(),
        what,
      ).rejects.toMatchObject({ code: "denied" });
      expect(host.trust.isTrusted(), what).toBe(false);
    }
    const { grant } = await host.handlers["trust.review"]({}, signal);
    await host.handlers["trust.grant"]({ grant }, signal);
    expect(host.waiting()).toEqual([]);
  });
});

test("trust that another host takes away ends at once what runs here, also where nobody looks on", async () => {
  world.write("ws/server.mjs", program("approved"));
  declare("one", server());
  const host = await open();
  await trustAll(host);
  await ready(host);
  const config = await ConfigStore.open({ workspace: world.workspace, paths: world.paths });
  await new TrustStore({ config, paths: world.paths, workspace: world.workspace }).untrust();
  await vi.waitFor(() => expect(stateOf(host)).toBe("untrusted"), 10_000);
});
test("a drafted server is reviewed and approved by its id, not the workspace's of the same name", async () => {
  world.write("ws/server.mjs", program("workspace"));
  declare("one", server());
  const host = await open();
  const review = await host.handlers["mcp.draft"](
    { name: "one", json: JSON.stringify({ command: process.execPath, args: [fixture] }) },
    signal,
  );
  expect(review.run.command).toEqual([process.execPath, fixture]);
  await host.start();
  await host.handlers["mcp.approve"]({ grant: review.grant }, signal);
  const row = host.mcp.rows().find(({ name }) => name === "one");
  expect([row?.id, row?.state, canary()]).toEqual(["mcp:user/one", "ready", []]);
});

test("no server that two windows draft at once starts before it is approved, in either of them", async () => {
  const file = world.write("server.mjs", program("ran"));
  const json = JSON.stringify({ command: process.execPath, args: [file] });
  const first = await open({ shell: "browser", canAsk: true });
  const second = await open({
    shell: "browser",
    canAsk: true,
    workspace: path.dirname(world.write("other/x", "")),
  });
  await Promise.all([first.start(), second.start()]);
  const names = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(
    names.map(async (name, index) => {
      await (index % 2 ? first : second).handlers["mcp.draft"]({ name, json }, signal);
    }),
  );
  for (const host of [first, second])
    await vi.waitFor(() => {
      expect(names.map((name) => stateOf(host, name))).toEqual(names.map(() => "needs_approval"));
    }, 20_000);
  expect(canary()).toEqual([]);
  const { grant } = await first.handlers["mcp.review"]({ name: "a" }, signal);
  await first.handlers["mcp.approve"]({ grant }, signal);
  for (const host of [first, second])
    await vi.waitFor(() => expect(stateOf(host, "a")).toBe("ready"), 20_000);
  expect(names.slice(1).map((name) => stateOf(first, name))).toEqual(
    names.slice(1).map(() => "needs_approval"),
  );
});

test("a server that was edited after its review is not approved by it, also where no watch has told of the edit", async () => {
  const file = world.write("server.mjs", program("ran"));
  const host = await open();
  await host.handlers["mcp.draft"](
    { name: "mine", json: JSON.stringify({ command: process.execPath, args: [file] }) },
    signal,
  );
  const { grant } = await host.handlers["mcp.review"]({ name: "mine" }, signal);
  const other = { command: process.execPath, args: [file, "--evil"] };
  declare("mine", other, "config/mcp.json");
  await expect(host.handlers["mcp.approve"]({ grant }, signal)).rejects.toMatchObject({ code: "denied" });
  expect(stateOf(host, "mine")).toBe("needs_approval");
  expect(canary()).toEqual([]);
});
