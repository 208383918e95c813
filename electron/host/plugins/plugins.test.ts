import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PluginRow } from "../../../shared/extension-rows.ts";
import { validatePlugin } from "./validate.ts";
import { approvable, createPluginWorld, userRoot, workspaceRoot, type PluginWorld } from "./world.testkit.ts";

let world: PluginWorld;
beforeEach(async () => {
  world = await createPluginWorld();
});
afterEach(async () => {
  await world.plugins.stop();
  world.remove();
});

const canary = (): string => path.join(world.workspace, "canary");
const jira = (more: object = {}) => ({
  name: "jira",
  version: "1.0.0",
  description: "Reads issues.",
  tools: [{ name: "jira_issue", command: ["node", "issue.mjs"], perm: "net" }],
  mcpServers: { search: { command: "node", args: ["server.mjs"] } },
  ...more,
});
const script = (text = "ran"): string =>
  `import fs from "node:fs"; fs.writeFileSync("canary", ""); console.log(${JSON.stringify(text)});`;
const install = (root = workspaceRoot, more: object = {}): void => {
  world.plugin("jira", jira(more), root);
  world.write(`${root}/jira/issue.mjs`, script(root));
};
const states = (): string[] =>
  world.plugins.rows().map(({ name, scope, state }) => `${scope} ${name}: ${state}`);
const row = (): PluginRow => {
  const [first] = world.plugins.rows();
  if (!first) throw new Error("no plugin");
  return first;
};
const toolNames = (): string[] => world.tools.list().map(({ name }) => name);
const settled = (): Promise<void> => new Promise((resolve) => void world.plugins.onChange.on(resolve));

describe("trust", () => {
  test("a workspace's plugin does nothing before its folder is trusted, and waits again when it changes", async () => {
    install();
    world.write(`${workspaceRoot}/jira/skills/a/SKILL.md`, "---\nname: a\ndescription: D.\n---\n");
    await world.plugins.start();
    expect(states()).toEqual(["workspace jira: untrusted"]);
    expect(toolNames()).toEqual([]);
    expect(world.servers.size).toBe(0);
    expect([...world.skillRoots]).toMatchObject([
      { plugin: "jira", owner: "jira", trusted: false, enabled: true },
    ]);
    expect(row().contributions.map(({ id, state }) => `${id} ${state}`)).toEqual([
      "tool:jira/jira_issue untrusted",
      "mcp:jira/search untrusted",
    ]);
    expect(world.plugins.declarations()).toMatchObject([
      {
        id: "plugin:jira",
        name: "jira",
        scope: "workspace",
        runs: [
          {
            what: "jira_issue",
            command: expect.arrayContaining([expect.any(String)]),
            settings: [{ name: "perm", value: expect.any(String) }],
          },
          { what: "search", command: expect.arrayContaining([expect.any(String)]) },
        ],
      },
    ]);

    let wait = settled();
    await world.trust.trust(approvable(world.plugins));
    await wait;
    expect(states()).toEqual(["workspace jira: on"]);
    expect([...world.skillRoots]).toMatchObject([{ trusted: true }]);
    expect([...world.servers].flat()).toMatchObject([{ name: "search", owner: "jira", scope: "plugin" }]);
    expect(await world.call("jira_issue")).toMatchObject({ output: workspaceRoot, isError: false });
    fs.rmSync(canary());

    world.write(`${workspaceRoot}/jira/issue.mjs`, script("changed"));
    await expect(world.call("jira_issue")).rejects.toMatchObject({ code: "not_trusted" });
    expect(fs.existsSync(canary())).toBe(false);
    await world.plugins.reload();
    expect(states()).toEqual(["workspace jira: needs_approval"]);
    expect(toolNames()).toEqual([]);
    expect(world.servers.size).toBe(0);

    wait = settled();
    await world.trust.trust(approvable(world.plugins));
    await wait;
    expect(await world.call("jira_issue")).toMatchObject({ output: "changed" });
    wait = settled();
    await world.trust.untrust();
    await wait;
    expect(states()).toEqual(["workspace jira: untrusted"]);
    expect(toolNames()).toEqual([]);
  });
  test("another file in the folder counts too", async () => {
    install();
    await world.plugins.start();
    await world.trust.trust(approvable(world.plugins));
    await world.plugins.reload();
    world.write(`${workspaceRoot}/jira/lib/new.mjs`, "");
    await expect(world.call("jira_issue")).rejects.toThrow("changed since it was approved");
  });
  test("the user's own loads as it stands", async () => {
    install(userRoot);
    install("cst/plugins", {
      name: "hermit",
      tools: [{ name: "h", command: ["node", "issue.mjs"] }],
      mcpServers: {},
    });
    await world.plugins.start();
    expect(states()).toEqual(["user jira: on", "user hermit: on"]);
    expect(await world.call("jira_issue")).toMatchObject({ output: userRoot });
    expect(world.plugins.declarations()).toEqual([]);
  });
  test("a foreign folder takes no plugin of the user's away until it is trusted", async () => {
    install(userRoot);
    install();
    await world.plugins.start();
    expect(states()).toEqual(["workspace jira: untrusted", "user jira: on"]);
    expect(await world.call("jira_issue")).toMatchObject({ output: userRoot });
    expect(world.plugins.rows()[1]?.contributions.map(({ id }) => id)).toEqual([
      "tool:jira~1/jira_issue",
      "mcp:jira~1/search",
    ]);
    await world.trust.trust(approvable(world.plugins));
    await world.plugins.reload();
    expect(states()).toEqual(["workspace jira: on", "user jira: shadowed"]);
    expect(await world.call("jira_issue")).toMatchObject({ output: workspaceRoot });
  });
  test("a workspace root that is the user's own folder by a link stays the user's", async () => {
    install(userRoot);
    fs.mkdirSync(path.join(world.workspace, ".agent"));
    fs.symlinkSync(path.join(world.paths.config, "plugins"), path.join(world.workspace, ".agent/plugins"));
    await world.plugins.start();
    expect(states()).toEqual(["user jira: on"]);
  });
});

describe("switches", () => {
  test("the whole plugin", async () => {
    install(userRoot);
    await world.plugins.start();
    expect(await world.plugins.setEnabled("jira", false)).toMatchObject({ name: "jira", state: "off" });
    expect(toolNames()).toEqual([]);
    expect(world.servers.size).toBe(0);
    expect([...world.skillRoots]).toMatchObject([{ enabled: false }]);
    expect(world.readSettings()).toMatchObject({ switches: { "plugin:jira": false } });
    expect(await world.plugins.setEnabled("jira", true)).toMatchObject({ state: "on" });
    expect(toolNames()).toEqual(["jira_issue"]);
  });
  test("one contribution, and of a workspace for that workspace alone", async () => {
    install();
    await world.plugins.start();
    await world.trust.trust(approvable(world.plugins));
    await world.plugins.reload();
    const changed = await world.plugins.setEnabled("jira", false, "tool:jira/jira_issue");
    expect(changed.state).toBe("on");
    expect(changed.contributions[0]).toMatchObject({
      id: "tool:jira/jira_issue",
      enabled: false,
      state: "off",
    });
    expect(toolNames()).toEqual([]);
    expect(world.servers.size).toBe(1);
    expect(world.readSettings()).toMatchObject({
      workspace_switches: { [world.workspace]: { "tool:jira/jira_issue": false } },
    });
    await expect(world.plugins.setEnabled("jira", false, "tool:jira/other")).rejects.toThrow(
      "jira brings no tool:jira/other",
    );
    await expect(world.plugins.setEnabled("other", false)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("clashes and broken files", () => {
  test("a tool's name that is taken is refused with both owners, the rest loads", async () => {
    install(userRoot);
    world.plugin(
      "other",
      {
        name: "other",
        tools: [
          { name: "jira_issue", command: "x" },
          { name: "mine", command: "y" },
        ],
      },
      userRoot,
    );
    await world.plugins.start();
    expect(toolNames()).toEqual(["jira_issue", "mine"]);
    const [diagnostic] = world.plugins.rows()[1]?.diagnostics ?? [];
    expect(diagnostic).toMatchObject({ code: "plugin-tool-clash", severity: "error" });
    expect(diagnostic?.message).toMatch(/other.*jira|jira.*other/s);
  });
  test("what is broken is shown with its line and hides nothing else", async () => {
    install(userRoot);
    world.write(`${userRoot}/broken/plugin.json`, '{\n "name": "broken",\n oops\n}');
    world.write(`${userRoot}/list/plugin.json`, "[]");
    world.plugin("evil", { name: "../../victim" }, userRoot);
    world.plugin("nameless", { version: "1" }, userRoot);
    fs.mkdirSync(path.join(world.paths.config, "plugins/folder/plugin.json"), { recursive: true });
    fs.mkdirSync(path.join(world.paths.config, "plugins/empty"));
    fs.symlinkSync("loop", path.join(world.paths.config, "plugins/loop"));
    fs.symlinkSync("nowhere", path.join(world.paths.config, "plugins/dangling"));
    await world.plugins.start();
    expect(states()).toEqual([
      "user broken: invalid",
      "user evil: invalid",
      "user folder: invalid",
      "user jira: on",
      "user list: invalid",
      "user nameless: invalid",
    ]);
    expect(row().diagnostics).toMatchObject([{ code: "plugin-manifest-broken", line: 3 }]);
    expect(world.plugins.diagnostics().map(({ code }) => code)).toContain("plugins-unreadable");
  });
  test("the first manifest decides, and a broken first one is not passed over", async () => {
    world.plugin("a", { name: "hermit" }, userRoot);
    world.write(`${userRoot}/a/.claude-plugin/plugin.json`, '{"name":"claude"}');
    world.write(`${userRoot}/b/.kairox-plugin/plugin.json`, "{");
    world.write(`${userRoot}/b/plugin.json`, '{"name":"b"}');
    world.plugin("c", { name: "c", $schema: "https://agent-plugins.org/schema/1.0.0/plugin.json" }, userRoot);
    await world.plugins.start();
    expect(world.plugins.rows().map(({ name, manifest, state }) => [name, manifest, state])).toEqual([
      ["claude", "claude", "on"],
      ["b", "kairox", "invalid"],
      ["c", "agent-plugins", "on"],
    ]);
  });
  test("a platform that is not this one leaves it off with the reason", async () => {
    world.plugin(
      "p",
      { name: "p", compatibility: { platforms: ["amiga"] }, tools: [{ name: "t", command: "x" }] },
      userRoot,
    );
    await world.plugins.start();
    expect(row()).toMatchObject({
      state: "incompatible",
      compatibility: { ok: false, reason: "it runs on amiga only" },
    });
    expect(toolNames()).toEqual([]);
  });
});

describe("what is handed over", () => {
  test("skill folders: named, by default, the plugin itself, one skill; never what leads out", async () => {
    world.write(`${userRoot}/a/one/SKILL.md`, "---\nname: one\ndescription: D.\n---\n");
    fs.symlinkSync(world.workspace, path.join(world.paths.config, "plugins/a/out"));
    world.plugin("a", { name: "a", skills: ["./", "x/../", "one", "../b", "/etc", "out"] }, userRoot);
    world.plugin("b", { name: "b" }, userRoot);
    world.plugin("c", { name: "c", skills: { path: "x" } }, userRoot);
    await world.plugins.start();
    const folder = path.join(world.paths.config, "plugins");
    expect([...world.skillRoots].map((root) => [root.plugin, root.path, "single" in root])).toEqual([
      ["a", path.join(folder, "a"), false],
      ["a", path.join(folder, "a"), false],
      ["a", path.join(folder, "a/one"), true],
      ["b", path.join(folder, "b/skills"), false],
    ]);
    expect(world.plugins.diagnostics().map(({ code }) => code)).toEqual([
      "plugin-path-outside",
      "plugin-path-outside",
      "plugin-path-outside",
      "plugin-skills-invalid",
    ]);
  });
  test("servers: of the manifest, of a file it names, of .mcp.json; the manifest wins a name, a file counts once", async () => {
    world.plugin("a", { name: "a", mcpServers: { one: { command: "manifest" } } }, userRoot);
    world.write(
      `${userRoot}/a/.mcp.json`,
      JSON.stringify({ mcpServers: { one: { command: "file" }, two: { command: "file" } } }),
    );
    world.plugin("b", { name: "b", mcpServers: "./.mcp.json" }, userRoot);
    world.write(
      `${userRoot}/b/.mcp.json`,
      JSON.stringify({ three: { command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/s.js"] } }),
    );
    world.write(
      `${userRoot}/c/.claude-plugin/plugin.json`,
      JSON.stringify({ name: "c", mcpServers: { four: { type: "sse", url: "https://x.test/sse" } } }),
    );
    world.write(
      `${userRoot}/c/.claude-plugin/.mcp.json`,
      JSON.stringify({ mcpServers: { five: { command: "x" } } }),
    );
    world.plugin("d", { name: "d", mcpServers: ["../a/.mcp.json", "none.json"] }, userRoot);
    world.write(`${userRoot}/d/.mcp.json`, "{ broken");
    await world.plugins.start();
    const found = [...world.servers]
      .flat()
      .map(({ name, owner, config, base }) => [owner, name, config.command, path.basename(base)]);
    expect(found).toEqual([
      ["a", "one", "manifest", "a"],
      ["a", "two", "file", "a"],
      ["b", "three", "node", "b"],
      ["c", "four", undefined, "c"],
      ["c", "five", "x", "c"],
    ]);
    const [declaration] = [...world.servers].flat().filter(({ name }) => name === "three");
    expect(declaration?.variables).toMatchObject({
      CLAUDE_PLUGIN_ROOT: path.join(world.paths.config, "plugins/b"),
    });
    expect(world.plugins.rows()[3]?.diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ["plugin-path-outside", undefined],
      ["mcp-invalid", undefined],
      ["mcp-invalid", 1],
    ]);
  });
  test("what the skills room knows of them stands in the inventory", async () => {
    world.plugin("a", { name: "a" }, userRoot);
    const known = {
      id: "skill:a/x",
      kind: "skill",
      name: "a:x",
      origin: "plugin",
      scope: "plugin",
      state: "on",
      enabled: true,
      diagnostics: [],
    } as const;
    world.skills.set("a", [known]);
    await world.plugins.start();
    expect(row().contributions).toEqual([known]);
  });
  test("a claim of trust is shown as it is", async () => {
    world.plugin(
      "a",
      { name: "a", publisher: "Example Labs", trust: "verified", permissions: { tools: ["read"] } },
      userRoot,
    );
    await world.plugins.start();
    expect(row()).toMatchObject({
      trust: "verified",
      publisher: "Example Labs",
      permissions: { tools: ["read"] },
    });
  });
});

test("a reload loads what is new, drops what is gone and leaves the rest as it is", async () => {
  install(userRoot);
  await world.plugins.start();
  const tool = world.tools.get("jira_issue");
  world.plugin("new", { name: "new", tools: [{ name: "n", command: "x" }] }, userRoot);
  await world.plugins.reload();
  expect(world.tools.get("jira_issue")).toBe(tool);
  expect(toolNames()).toEqual(["jira_issue", "n"]);
  fs.rmSync(path.join(world.paths.config, "plugins/jira"), { recursive: true });
  await world.plugins.reload();
  expect(toolNames()).toEqual(["n"]);
  expect(world.servers.size).toBe(0);
  await world.plugins.stop();
  expect(toolNames()).toEqual([]);
});

test("/plugins", async () => {
  install();
  await world.plugins.start();
  const [command] = world.plugins.commands;
  const say = async (args: string) =>
    command?.run(args, { sessionId: null, onOutput: () => undefined, signal: new AbortController().signal });
  expect(await say("")).toMatchObject({
    kind: "text",
    text: expect.stringContaining("`jira` (untrusted, 1.0.0, 2 contributions)"),
  });
  expect(await say("trust")).toMatchObject({ text: expect.stringContaining(world.workspace) });
  expect(await say("reload")).toMatchObject({ text: expect.stringContaining("`jira` (on") });
  expect(await say("disable jira")).toMatchObject({ text: expect.stringContaining("`jira` (off") });
  expect(world.readSettings()).toMatchObject({
    workspace_switches: { [world.workspace]: { "plugin:jira": false } },
  });
  expect(await say("enable")).toMatchObject({ isError: true });
  await expect(say("enable other")).rejects.toThrow("no plugin other");
  expect(await say("enable jira")).toMatchObject({ text: expect.stringContaining("`jira` (on") });
  await say("untrust");
  expect(world.trust.isTrusted()).toBe(false);
});

test("validation tells everything that is wrong and runs nothing", () => {
  install(userRoot);
  const folder = path.join(world.paths.config, "plugins/jira");
  expect(validatePlugin(folder)).toEqual([]);
  world.plugin("bad", { name: "a b", tools: [{ name: "x" }], mcpServers: { s: { args: "oops" } } }, userRoot);
  const bad = validatePlugin(path.join(world.paths.config, "plugins/bad"));
  expect(bad.map(({ code }) => code)).toEqual(
    expect.arrayContaining(["plugin-name-invalid", "plugin-tool-invalid", "mcp-invalid"]),
  );
  expect(validatePlugin(world.workspace)).toMatchObject([
    { code: "plugin-manifest-missing", severity: "error" },
  ]);
  expect(fs.existsSync(canary())).toBe(false);
});
