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

describe("the MCP room", () => {
  it("starts a server, offers its tools, calls them", async () => {
    open([small("small")]);
    expect(world.row("small")).toMatchObject({ state: "stopped", toolCount: 0, transport: "stdio" });
    expect(await world.start()).toEqual([]);
    expect(world.row("small")).toMatchObject({ state: "ready", toolCount: 8, enabled: true, origin: "user" });
    expect(world.row("small").tools).toContain("echo");
    expect(await world.call("small", "echo", { text: "héllo 漢" })).toBe("héllo 漢");
    expect(world.events.map(({ type }) => type)).toEqual(["McpServerStarting", "McpServerReady"]);
    expect(world.events[1]).toMatchObject({ toolCount: 8 });
  });

  it("offers tools of class net with their schema as it came; autoApprove makes them reads", async () => {
    open([
      small("small", {
        autoApprove: ["echo"],
        enabledTools: ["echo", "add", "fail"],
        disabledTools: ["fail"],
      }),
    ]);
    await world.start();
    expect([...world.tools.keys()].toSorted()).toEqual(["mcp__small__add", "mcp__small__echo"]);
    expect(world.tools.get("mcp__small__echo")).toMatchObject({
      perm: "read",
      permFrom: expect.stringMatching(/^autoApprove of .+/),
      title: "mcp.small.echo",
      origin: { kind: "mcp", owner: "small" },
      foreignSchema: true,
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    });
    expect(world.tools.get("mcp__small__add")).toMatchObject({ perm: "net", title: "mcp.small.add" });
    expect(world.tools.get("mcp__small__add")).not.toHaveProperty("permFrom");
    expect(world.row("small")).toMatchObject({ toolCount: 2, tools: ["echo", "add"] });
    await expect(world.call("small", "fail")).rejects.toMatchObject({ code: "denied" });
    await expect(world.call("small", "gone")).rejects.toMatchObject({ code: "not_found" });
    await expect(world.call("gone", "echo")).rejects.toMatchObject({ code: "not_found" });
  });

  it("runs a tool as the registry does", async () => {
    open([small("small")]);
    await world.start();
    const heard: string[] = [];
    const output = await world.tools.get("mcp__small__progress")?.run(
      { steps: 2, ms: 1 },
      {
        callId: "1",
        workspace: world.workspace,
        sessionId: null,
        confinement: null,
        caller: {
          kind: "user",
          sessionId: null,
          role: null,
          canAsk: false,
          policy: {
            approval: "never",
            sandbox: "read_only",
            writableRoots: [],
            networkAccess: false,
            rules: [],
            allow: [],
          },
        },
        onOutput: (text) => heard.push(text),
        signal: new AbortController().signal,
      },
    );
    expect(output).toEqual({
      output: "all steps done",
      isError: false,
      sandboxed: null,
      content: [{ type: "text", text: "all steps done" }],
    });
    expect(heard).toEqual(["step 1 (1/2)\n", "step 2 (2/2)\n"]);
  });

  it("gives the child its own variables, its folder, its arguments and none of ours", async () => {
    open([
      declare("small", {
        command: process.execPath,
        args: [fixture("small.mjs"), "${WHO:-nobody}", "two words"],
        env: { GREETING: "hello ${WHO}", OWN_TOKEN: "" },
        cwd: "sub",
      }),
    ]);
    fs.mkdirSync(path.join(world.workspace, "sub"));
    // What a server needs to reach the network and to find its person's files.
    const passed = {
      HTTPS_PROXY: "http://proxy:1",
      no_proxy: "localhost",
      NODE_EXTRA_CA_CERTS: "/no/such/ca.pem",
      LANG: "de_DE.UTF-8",
      TMPDIR: world.folder,
      XDG_CONFIG_HOME: "/x/config",
      SSH_AUTH_SOCK: "/x/agent",
    };
    Object.assign(world.env, passed, {
      WHO: "you",
      OWN_TOKEN: "t0ken",
      NACRE_API_KEY: "ours",
      NODE_OPTIONS: "--no-warnings",
    });
    await world.start();
    expect(JSON.parse(await world.call("small", "where"))).toEqual({
      cwd: path.join(world.workspace, "sub"),
      args: ["you", "two words"],
    });
    const env = (name: string) => world.call("small", "env", { name });
    expect(await Promise.all(["GREETING", "OWN_TOKEN", "NACRE_API_KEY", "NODE_OPTIONS"].map(env))).toEqual([
      "hello you",
      "t0ken",
      "",
      "",
    ]);
    expect(world.masked).toContain("t0ken");
    expect(world.row("small").command).toContain("${WHO:-nobody}");
    expect(await Promise.all(Object.keys(passed).map(env))).toEqual(Object.values(passed));
  });

  it("reads secrets of declarations from their own corner of the store", async () => {
    const other = small("other", { env: { A_KEY: "${secret:mcp/small/gh}" } });
    open([small("small", { env: { A_KEY: "${secret:mcp/small/gh}" } }), other]);
    world.secrets.set("mcp/small/gh", "s3cret");
    expect(await world.start()).toEqual(["other"]);
    expect(world.row("other").error).toBe("not set: secret:mcp/small/gh");
    expect(await world.call("small", "env", { name: "A_KEY" })).toBe("s3cret");
    expect(world.masked).toContain("s3cret");
  });

  it("names what is not set and starts once it is", async () => {
    open([small("small", { env: { A: "${MISSING_ONE}", MISSING_TWO: "" } })]);
    expect(await world.start()).toEqual(["small"]);
    expect(world.row("small")).toMatchObject({
      state: "needs_setup",
      error: "not set: MISSING_ONE, MISSING_TWO",
      toolCount: 0,
    });
    await expect(world.call("small", "echo")).rejects.toMatchObject({
      code: "needs_setup",
      message: expect.stringContaining("MISSING_ONE, MISSING_TWO"),
    });
    Object.assign(world.env, { MISSING_ONE: "1", MISSING_TWO: "2" });
    await world.mcp.restartServer("small");
    expect(world.row("small").state).toBe("ready");
  });

  it.each([
    [{ command: "x", url: "http://h" }, "both command and url"],
    [{ command: "x", type: "carrier-pigeon" }, '"carrier-pigeon" is unknown'],
    [{ command: "nacre-no-such-program" }, "nacre-no-such-program"],
    [{ command: process.execPath, cwd: "no/such/folder" }, "no/such/folder"],
    [{ command: process.execPath, sandbox: true }, "sandbox"],
  ])("shows %j as failed with the reason", async (config, reason) => {
    open([declare("x", config)]);
    expect(await world.start()).toEqual(["x"]);
    expect(world.row("x")).toMatchObject({ state: "failed", error: expect.stringContaining(reason) });
    expect(world.events.at(-1)).toMatchObject({
      type: "McpServerFailed",
      reason: expect.stringContaining(reason),
    });
  });

  it("confines a server that asks for it", async () => {
    const asked: string[] = [];
    open([small("small", { sandbox: true })], {
      confine: (spec, { id }) => {
        asked.push(id);
        const ended = (): Promise<void> => Promise.resolve(void asked.push("ended"));
        return Promise.resolve({ spec: { ...spec, args: [...spec.args, "confined"] }, ended });
      },
    });
    await world.start();
    expect(asked).toEqual(["mcp:user/small"]);
    expect(world.row("small").confined).toBe(true);
    expect(JSON.parse(await world.call("small", "where"))).toMatchObject({ args: ["confined"] });
    await world.mcp.stop();
    await expect.poll(() => asked).toEqual(["mcp:user/small", "ended"]);
  });

  it("ends the watch over a confined server that the gate closed meanwhile, and starts nothing", async () => {
    const asked: string[] = [];
    open([small("small", { sandbox: true })], {
      confine: (spec) => {
        world.trust.set("mcp:user/small", "needs_approval");
        return Promise.resolve({ spec, ended: () => Promise.resolve(void asked.push("ended")) });
      },
    });
    await world.start();
    expect(world.row("small").state).toBe("needs_approval");
    expect(asked).toEqual(["ended"]);
  });

  it("starts many at once and gives clashing tools names of their own", async () => {
    const names = Array.from({ length: 18 }, (_, n) => `s${n}`);
    open([...names.map((name) => small(name, { enabledTools: ["echo"] })), small("a.b"), small("a_b")]);
    expect(await world.start()).toEqual([]);
    expect(await Promise.all(names.map((name) => world.call(name, "echo", { text: name })))).toEqual(names);
    const echoes = [...world.tools.values()].filter(({ title }) => /^mcp\.a.b\.echo$/.test(title));
    expect(echoes.map(({ name }) => name)).toEqual([
      "mcp__a_b__echo",
      expect.stringMatching(/^mcp__a_b__echo_\w{8}$/),
    ]);
  });

  it("never mixes two servers that call themselves the same and have the same tools", async () => {
    const args = (own: string) => ({ args: [fixture("small.mjs"), own] });
    open([small("one", args("first")), small("two", args("second"))]);
    await world.start();
    expect(world.mcp.details("one").title).toBe(world.mcp.details("two").title);
    const own = async (server: string): Promise<unknown> => JSON.parse(await world.call(server, "where"));
    expect(await Promise.all([own("one"), own("two")])).toMatchObject([
      { args: ["first"] },
      { args: ["second"] },
    ]);
    expect([world.tools.has("mcp__one__where"), world.tools.has("mcp__two__where")]).toEqual([true, true]);
    await world.mcp.stopServer("one");
    expect([world.tools.has("mcp__one__where"), world.tools.has("mcp__two__where")]).toEqual([false, true]);
  });
  it("waits no longer than it is told, and names who is not ready", async () => {
    open([small("small"), fixtureServer("silent", ["misbehaving.mjs", "silent"])]);
    world.mcp.start();
    await world.until("small", "ready");
    expect(await world.mcp.settled(0)).toEqual({ notReady: ["silent"] });
    await expect(world.mcp.settled(60_000, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    await world.mcp.stop();
    expect(world.row("silent").state).toBe("stopped");
  });
});
