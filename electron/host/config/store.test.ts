import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigStore } from "./store.ts";
import { createWorld, type World } from "./world.testkit.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());
const open = (): Promise<ConfigStore> => ConfigStore.open(world);
const server = (command: string): string => JSON.stringify({ mcpServers: { s: { command } } });

test("no file at all is an empty configuration without a word", async () => {
  const { current } = await open();
  expect(current).toMatchObject({ mcp: [], others: [], rules: [], instructions: [], diagnostics: [] });
  expect(Object.isFrozen(current.settings.policy)).toBe(true);
});

describe("MCP servers", () => {
  test("the files stand in the order of precedence, losers behind", async () => {
    world.write("config/mcp.json", server("user"));
    world.write("cst/mcp.json", server("cst"));
    world.write("ws/.agent/mcp.json", server("workspace"));
    world.write("ws/.mcp.json", server("project"));
    world.write("ws/.kairox/config.toml", '[mcp_servers.s]\ncommand = "toml"\n');
    world.write("home/.kairox/config.toml", '[mcp_servers.s]\ncommand = "home"\n');
    const { current } = await open();
    expect(current.mcp.map(({ owner, scope, config }) => `${owner} ${scope} ${config.command}`)).toEqual([
      "workspace workspace workspace",
      "project workspace project",
      "kairox~1 workspace toml",
      "user user user",
      "cst user cst",
      "kairox user home",
    ]);
    expect(current.mcp.every(({ base }) => base === world.workspace)).toBe(true);
  });
  test("TOML restarts by default, mcp.json does not", async () => {
    world.write(
      "ws/kairox.toml",
      '[mcp_servers.t]\ncommand = "x"\n[mcp_servers.u]\nurl = "http://x"\nauto_restart = false\n',
    );
    world.write("ws/.mcp.json", server("y"));
    const { current } = await open();
    expect(Object.fromEntries(current.mcp.map(({ name, config }) => [name, config.autoRestart]))).toEqual({
      s: false,
      t: true,
      u: false,
    });
  });
  test("Kairox's layers: local over config over the old name, nearest first; disabled ids are a union", async () => {
    fs.mkdirSync(path.join(world.workspace, ".git"));
    const workspace = path.join(world.workspace, "apps/web");
    world.write("ws/apps/web/.kairox/config.toml", '[mcp_servers.a]\ncommand = "config"\n');
    world.write("ws/apps/web/.kairox/config.local.toml", '[mcp_servers.a]\ncommand = "local"\n');
    world.write(
      "ws/kairox.toml",
      'disabled_mcp_servers = ["b"]\n[mcp_servers.a]\ncommand = "root"\n[mcp_servers.b]\ncommand = "b"\n',
    );
    world.write("home/.kairox/config.toml", '[mcp_servers.b]\ncommand = "mine"\n');
    const { current } = await ConfigStore.open({ workspace, paths: world.paths });
    expect(current.mcp.map(({ owner, config }) => [owner, config.command, config.disabled])).toEqual([
      ["kairox", "local", false],
      ["kairox~1", "config", false],
      ["kairox~2", "root", false],
      ["kairox~1", "b", true],
      ["kairox", "mine", false],
    ]);
  });
  test("hooks, language servers and debuggers of TOML files are declarations", async () => {
    world.write(
      "ws/.kairox/config.toml",
      '[hooks.PreToolUse.lint]\ncommand = "lint"\n[lsp_servers.rust]\ncommand = "ra"\n[dap_servers.lldb]\ncommand = "l"\n',
    );
    const { current } = await open();
    expect(current.others.map(({ kind, name, scope, owner }) => [kind, name, scope, owner])).toEqual([
      ["lsp", "rust", "workspace", "kairox"],
      ["dap", "lldb", "workspace", "kairox"],
      ["hook", "PreToolUse.lint", "workspace", "kairox"],
    ]);
  });
  test("in the home folder the user's own files stay the user's", async () => {
    world.write("home/.kairox/config.toml", '[mcp_servers.k]\ncommand = "x"\n');
    world.write("home/.mcp.json", server("y"));
    const { current } = await ConfigStore.open({ workspace: world.paths.home, paths: world.paths });
    expect(current.mcp.map(({ name, scope }) => [name, scope])).toEqual([
      ["s", "workspace"],
      ["k", "user"],
    ]);
  });
});

describe("rules", () => {
  const permission = (value: unknown): string => JSON.stringify({ permission: value });
  test("join in order: settings, user dropstone.json, project from the root down", async () => {
    fs.mkdirSync(path.join(world.workspace, ".git"));
    const workspace = path.join(world.workspace, "sub");
    world.write("config/settings.json", permission({ run_shell: { "git *": "allow" } }));
    world.write(
      "home/.config/dropstone/dropstone.json",
      permission({ skill: { "*": "allow", "x-*": "deny" } }),
    );
    world.write("ws/dropstone.json", permission({ write_file: "ask" }));
    world.write("ws/sub/dropstone.json", permission("deny"));
    const { current } = await ConfigStore.open({ workspace, paths: world.paths });
    expect(
      current.rules.map((rule) => `${rule.tool} ${rule.pattern} ${rule.answer} ${rule.trusted}`),
    ).toEqual([
      "run_shell git * allow true",
      "skill * allow true",
      "skill x-* deny true",
      "write_file * ask false",
      "* * deny false",
    ]);
    expect(current.rules.map(({ source }) => source).slice(-1)).toEqual([
      `dropstone:${workspace}/dropstone.json`,
    ]);
  });
  test("order is the text's, for names of digits too", async () => {
    world.write("ws/dropstone.json", '{"permission": {"skill": {"*": "allow", "3000": "deny"}}}');
    expect((await open()).current.rules.map(({ pattern }) => pattern)).toEqual(["*", "3000"]);
  });
  test("an unknown answer counts as ask, with the line", async () => {
    world.write("ws/dropstone.json", '{\n "permission": {"skill": "maybe"}\n}');
    const { current } = await open();
    expect(current.rules).toMatchObject([{ answer: "ask" }]);
    expect(current.diagnostics).toMatchObject([
      { code: "permission-invalid", line: 2, path: path.join(world.workspace, "dropstone.json") },
    ]);
  });
  test("roles have rules and tools; an untrusted workspace only switches off", async () => {
    world.write(
      "config/settings.json",
      '{"agent": {"plan": {"permission": {"skill": "ask"}, "tools": {"skill": true}}}}',
    );
    world.write(
      "ws/dropstone.json",
      '{"agent": {"plan": {"permission": {"skill": "deny"}, "tools": {"skill": false, "x": true}}}}',
    );
    const config = await open();
    expect(config.current.agents["plan"]).toMatchObject({
      rules: [
        { answer: "ask", trusted: true },
        { answer: "deny", trusted: false },
      ],
      tools: { skill: false },
    });
    await config.updateSettings([{ path: ["trusted_workspaces"], value: [world.workspace] }]);
    expect(config.current.agents["plan"]?.tools).toEqual({ skill: false, x: true });
    expect(config.current.agents["plan"]?.rules.map(({ trusted }) => trusted)).toEqual([true, true]);
  });
  test("remembered answers of this workspace come first", async () => {
    world.write(
      "config/settings.json",
      JSON.stringify({
        remembered: { [world.workspace]: ["run_shell:make test"], "/other": ["x"] },
        permission: "ask",
      }),
    );
    expect((await open()).current.rules).toEqual([
      { tool: "run_shell", pattern: "make test", answer: "allow", source: "always", trusted: true },
      { tool: "*", pattern: "*", answer: "ask", source: "settings", trusted: true },
    ]);
  });
});

test("instructions are read outermost first, each file once", async () => {
  fs.mkdirSync(path.join(world.workspace, ".git"));
  world.write("config/AGENTS.md", "mine");
  world.write("home/.kairox/config.toml", 'instructions = "kairox"\n');
  world.write("ws/AGENTS.md", "root");
  world.write("ws/sub/AGENTS.md", "sub");
  world.write("ws/sub/kairox.toml", 'instructions = "nearest"\n');
  const { current } = await ConfigStore.open({
    workspace: path.join(world.workspace, "sub"),
    paths: world.paths,
  });
  expect(current.instructions.map(({ text }) => text)).toEqual(["kairox", "mine", "root", "sub", "nearest"]);
});

describe("a workspace's instructions file", () => {
  const trust = (): string =>
    world.write("config/settings.json", JSON.stringify({ trusted_workspaces: [world.workspace] }));
  const link = (target: string): void => fs.symlinkSync(target, path.join(world.workspace, "AGENTS.md"));

  test.each([false, true])("brings no file from outside to the model (trusted: %s)", async (trusted) => {
    if (trusted) trust();
    link(world.write("home/.ssh/id_rsa", "the key"));
    const { current } = await open();
    expect(current.instructions).toEqual([]);
    expect(current.diagnostics).toMatchObject([
      { code: "file-refused", path: path.join(world.workspace, "AGENTS.md") },
    ]);
  });
  test("brings no secret of the home folder either where that is the project", async () => {
    world.write("config/settings.json", JSON.stringify({ trusted_workspaces: [world.paths.home] }));
    fs.symlinkSync(world.write("home/.ssh/id_rsa", "the key"), path.join(world.paths.home, "AGENTS.md"));
    const { current } = await ConfigStore.open({ workspace: world.paths.home, paths: world.paths });
    expect(current.instructions).toEqual([]);
    expect(current.diagnostics).toMatchObject([{ code: "file-refused" }]);
  });
  test("may lead to another file of the project", async () => {
    link(world.write("ws/CLAUDE.md", "ours"));
    const { current } = await open();
    expect(current.instructions).toEqual([{ path: path.join(world.workspace, "AGENTS.md"), text: "ours" }]);
    expect(current.diagnostics).toEqual([]);
  });
  test("is not the user's own, which may be a link to anywhere", async () => {
    fs.symlinkSync(world.write("dotfiles/AGENTS.md", "mine"), path.join(world.paths.config, "AGENTS.md"));
    expect((await open()).current.instructions).toMatchObject([{ text: "mine" }]);
  });
});

describe("faults", () => {
  test("links to devices and in circles end as diagnostics", async () => {
    fs.symlinkSync("/dev/zero", path.join(world.paths.config, "AGENTS.md"));
    fs.symlinkSync(".mcp.json", path.join(world.workspace, ".mcp.json"));
    world.write("config/settings.json", JSON.stringify({ trusted_workspaces: [world.workspace] }));
    const { current } = await open();
    expect(
      new Set(current.diagnostics.map(({ code, path: at }) => `${code} ${path.basename(at ?? "")}`)),
    ).toEqual(new Set(["file-unreadable AGENTS.md", "file-unreadable .mcp.json"]));
  });
  test("a broken file is one diagnostic with its line, and the last good values stay", async () => {
    world.write("config/settings.json", '{"model": "a/b"}');
    world.write("ws/.mcp.json", server("x"));
    world.write("ws/kairox.toml", '[mcp_servers.t]\ncommand = "x"\n');
    const config = await open();
    const file = world.write("config/settings.json", '{\n  "model": "c/d"\n  "oops"\n}');
    world.write("ws/.mcp.json", "{");
    world.write("ws/kairox.toml", "[mcp_servers.t]\ncommand = \n");
    const current = await config.reload();
    expect(current.settings.model).toBe("a/b");
    expect(current.mcp.map(({ name }) => name)).toEqual(["s", "t"]);
    expect(
      current.diagnostics.map(({ code, path: at, line }) => [code, path.basename(at ?? ""), line]),
    ).toEqual([
      ["file-broken", "settings.json", 3],
      ["file-broken", ".mcp.json", 1],
      ["file-broken", "kairox.toml", 2],
    ]);
    expect(current.diagnostics[0]).toMatchObject({ path: file, severity: "error", fix: "mend this line" });
    world.write("config/settings.json", '{"model": "e/f"}');
    expect((await config.reload()).settings.model).toBe("e/f");
  });
  test.each([
    [".mcp.json", `{\n"mcpServers":\n${"[".repeat(20_000)}${"]".repeat(20_000)}}`, 3],
    ["dropstone.json", `{ // open\n"permission": ${'{"a":'.repeat(20_000)}`, 2],
    ["kairox.toml", `\na = ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`, 2],
    ["kairox.toml", `\na${".a".repeat(20_000)} = 1\n`, 2],
  ])(
    "%s nested without end is one diagnostic with its line, and all else loads",
    async (name, text, line) => {
      world.write(`ws/${name}`, text);
      world.write("config/mcp.json", server("mine"));
      const { current } = await open();
      expect(current.mcp.map(({ owner }) => owner)).toEqual(["user"]);
      expect(current.diagnostics).toMatchObject([
        { code: "file-broken", severity: "error", path: path.join(world.workspace, name), line },
      ]);
      expect(current.diagnostics[0]?.message).toContain("nested deeper than 200 levels");
    },
  );
  test.each<[string, (file: string) => void]>([
    ["does not parse", (file) => fs.writeFileSync(file, '{ "policy": { "sandbox": "read_only" ')],
    ["is too large", (file) => fs.writeFileSync(file, " ".repeat(4 * 1024 * 1024 + 1))],
    ["is a folder", (file) => fs.mkdirSync(file)],
    ["is no object", (file) => fs.writeFileSync(file, "[]")],
  ])("until a settings.json that %s is mended, nothing is written", async (_what, make) => {
    const file = path.join(world.paths.config, "settings.json");
    make(file);
    const config = await open();
    expect(config.current.settings.policy).toMatchObject({ sandbox: "read_only", approval: "on_request" });
    const found = config.current.diagnostics.find(({ code }) => code === "settings-unusable");
    expect(found).toMatchObject({ severity: "error", path: file });
    expect(found?.message).toContain("until then nothing is written: policy read_only");
    fs.rmSync(file, { recursive: true });
    fs.writeFileSync(file, "{}");
    const mended = await config.reload();
    expect(mended.settings.policy.sandbox).toBe("workspace_write");
    expect(mended.diagnostics).toEqual([]);
  });
  test("a folder in place of a file, and a byte order mark, cost nothing else", async () => {
    fs.mkdirSync(path.join(world.workspace, ".mcp.json"));
    world.write("cst/mcp.json", `\uFEFF${server("cst")}`);
    const { current } = await open();
    expect(current.mcp.map(({ owner }) => owner)).toEqual(["cst"]);
    expect(current.diagnostics).toMatchObject([{ code: "file-unreadable" }]);
  });
  test("a file where a folder would be is no fault", async () => {
    world.write("ws/.agent", "");
    world.write("ws/.kairox", "");
    expect((await open()).current.diagnostics).toEqual([]);
  });
  test("a wrong key is named with its line", async () => {
    world.write("config/settings.json", '{\n  // mine\n  "policy": {\n    "approval": 1\n  }\n}');
    expect((await open()).current.diagnostics).toMatchObject([{ code: "settings-invalid", line: 4 }]);
  });
  test("a server's fault is named once, with its line", async () => {
    world.write("ws/.mcp.json", '{"mcpServers": {\n "bad": {\n  "command": "x",\n  "args": 1 }}}');
    const { current } = await open();
    expect(current.diagnostics).toMatchObject([{ code: "mcp-invalid", line: 4 }]);
    expect(current.mcp[0]?.diagnostics).toEqual(current.diagnostics);
  });
});

describe("writing", () => {
  test("comments and unknown keys stay, a link is followed, and everybody hears", async () => {
    const real = world.write(
      "dotfiles/settings.json",
      '{\n  // mine\n  "other": [1],\n  "model": "a/b"\n}\n',
    );
    fs.symlinkSync(real, path.join(world.paths.config, "settings.json"));
    const config = await open();
    const heard: (string | null)[] = [];
    config.onChange.on(({ settings }) => heard.push(settings.model));
    await config.updateSettings([{ path: ["model"], value: "c/d" }]);
    expect(fs.readFileSync(real, "utf8")).toBe('{\n  // mine\n  "other": [1],\n  "model": "c/d"\n}\n');
    expect(fs.lstatSync(path.join(world.paths.config, "settings.json")).isSymbolicLink()).toBe(true);
    expect(heard).toEqual(["c/d"]);
  });
  test("many writers of several hosts lose nothing", async () => {
    const hosts = await Promise.all([open(), open(), open()] as const);
    const writes = Array.from({ length: 60 }, (_none, index) =>
      (hosts[index % hosts.length] ?? hosts[0]).updateSettings([
        { path: ["switches", `mcp:user/s${index}`], value: false },
      ]),
    );
    await Promise.all(writes);
    const settings = (await open()).current.settings;
    expect(Object.keys(settings.switches)).toHaveLength(60);
    expect(fs.readdirSync(path.join(world.paths.data, "locks"))).toEqual([]);
  });
  test("a change made outside between two writes survives", async () => {
    const config = await open();
    await config.updateSettings([{ path: ["model"], value: "a/b" }]);
    world.write("config/settings.json", '{"model": "a/b", "foreign": 1}');
    await config.updateSettings((current) => [{ path: ["copy"], value: current["foreign"] }]);
    expect(world.readSettings()).toEqual({ model: "a/b", foreign: 1, copy: 1 });
  });
  test("a lock that its holder left behind is taken over", async () => {
    const config = await open();
    await config.updateSettings([{ path: ["model"], value: "a/b" }]);
    const { sha256 } = await import("../kit/files.ts");
    const name = sha256(path.join(world.paths.config, "settings.json")).slice(0, 32);
    const lock = world.write(`data/locks/${name}.lock`, "");
    fs.utimesSync(lock, new Date(0), new Date(0));
    await config.updateSettings([{ path: ["model"], value: "c/d" }]);
    expect(config.current.settings.model).toBe("c/d");
  });
});

test("what is watched names each place that a file may appear in, and the files alone", async () => {
  const places = (await open()).watched();
  const namesIn = (folder: string): string[] | undefined => {
    for (const place of places)
      if (typeof place !== "string" && place.folder === path.join(world.top, folder))
        return [...place.names].sort();
    return undefined;
  };
  expect(namesIn("ws")).toEqual([".mcp.json", "AGENTS.md", "dropstone.json", "kairox.toml"]);
  expect(namesIn("ws/.agent")).toEqual(["mcp.json", "nacre.toml"]);
  expect(namesIn("ws/.kairox")).toEqual(["config.local.toml", "config.toml"]);
  expect(namesIn("config")).toEqual([
    "AGENTS.md",
    "keybinds.json",
    "mcp.json",
    "nacre.toml",
    "settings.json",
  ]);
  expect(namesIn("cst")).toEqual(["mcp.json"]);
  expect(namesIn("home/.kairox")).toEqual(["config.toml"]);
  expect(namesIn("home/.config/dropstone")).toEqual(["dropstone.json"]);
  expect(places).toContain(path.join(world.top, "data/trust"));
});

test.each([
  ['{ "policy": { "sandbox": "read_only" }, "policy": { "sandbox": "full_access" } }', "policy"],
  ['{ "policy": { "sandbox": "read_only", "sandbox": "full_access" } }', "policy.sandbox"],
  ['{ "sandbox": { "pluginNetwork": false }, "sandbox": {} }', "sandbox"],
])("a limit that stands twice counts as the strictest, and says so: %s", async (text, key) => {
  world.write("config/settings.json", text);
  const { current } = await open();
  expect(current.settings.policy).toMatchObject({ sandbox: "read_only", networkAccess: false });
  expect(current.settings.sandbox.pluginNetwork).toBe(false);
  expect(current.diagnostics).toMatchObject([
    { code: "key-twice", severity: "error", message: expect.stringContaining(`${key} stands twice`) },
  ]);
});
