import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installSteps, type InstallStep, type MarketEvent, type Receipt } from "../../../shared/market.ts";
import { canonicalJson } from "../../../shared/json.ts";
import { sha256 } from "../kit/files.ts";
import { fileSecrets, marketIn, treeOf, worldIn, type TestWorld } from "./market.testkit.ts";
import type { Market } from "./market.ts";

let world: TestWorld;
beforeEach(() => {
  world = worldIn(fs.mkdtempSync(path.join(tmpdir(), "nacre-market-")));
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

const never = new AbortController().signal;
interface How {
  readonly scope?: "user" | "workspace";
  readonly variables?: Record<string, string>;
  readonly onStep?: (step: InstallStep) => void;
  readonly signal?: AbortSignal;
}
async function put(market: Market, id: string, how: How = {}): Promise<Receipt> {
  const { scope = "user", variables = {}, onStep = () => undefined, signal = never } = how;
  const plan = await market.plan(id, scope, variables);
  return market.install({ plan, variables }, onStep, signal);
}
const read = (file: string): string => fs.readFileSync(path.join(world.root, file), "utf8");
const readJson = (file: string): unknown => JSON.parse(read(file));

test("search tells what is installed and what it needs", async () => {
  const { market } = await marketIn(world);
  const { items, sources } = await market.search("memory", "mcp");
  expect(items[0]).toEqual({
    id: "memory",
    kind: "mcp",
    name: "Memory",
    description: "Remembers facts between sessions as a small graph",
    source: "builtin",
    version: "2026.8.31",
    author: "Model Context Protocol",
    trust: "verified",
    installed: false,
    requirements: [expect.objectContaining({ kind: "node", ok: true, found: process.versions.node })],
  });
  expect(sources).toEqual([
    { id: "builtin", kind: "builtin", url: "builtin.json", enabled: true, ok: true, stale: false },
  ]);
  await put(market, "memory");
  expect((await market.search("memory", "mcp")).items[0]).toMatchObject({ installed: true });
});
test("the detail of a server shows its command, that of a skill its text", async () => {
  const { market } = await marketIn(world);
  expect(await market.detail("memory")).toMatchObject({
    command: ["npx", "-y", "@modelcontextprotocol/server-memory@2026.8.31"],
    author: "Model Context Protocol",
  });
  expect((await market.detail("code-review")).readme).toMatch(/^# Code review\n/);
  await expect(market.detail("nothing")).rejects.toMatchObject({ code: "not_found" });
});
test("a server goes into mcp.json with comments kept, and its receipt says so", async () => {
  const file = path.join(world.paths.config, "mcp.json");
  fs.mkdirSync(world.paths.config);
  fs.writeFileSync(file, '{\n  // mine\n  "mcpServers": {\n    "own": { "command": "own" }\n  }\n}\n');
  const { market, installed, config } = await marketIn(world);
  const steps: InstallStep[] = [];
  const events: MarketEvent[] = [];
  market.onEvent.on((event) => events.push(event));
  const receipt = await put(market, "filesystem", { onStep: (step) => steps.push(step) });

  expect(steps).toEqual(installSteps);
  expect(read("config/mcp.json")).toContain("// mine");
  const value = {
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "."],
  };
  expect(config.current.mcp.map(({ name, raw }) => [name, raw])).toEqual([
    ["own", { command: "own" }],
    ["filesystem", value],
  ]);
  expect(receipt).toEqual({
    v: 1,
    id: "filesystem",
    kind: "mcp",
    name: "filesystem",
    scope: "user",
    files: [],
    entries: [{ path: file, pointer: ["mcpServers", "filesystem"], sha256: sha256(canonicalJson(value)) }],
    source: "builtin",
    version: "2026.8.31",
    installedAt: "2026-01-01T00:00:00.000Z",
  });
  expect(installed).toEqual([receipt]);
  expect(market.receipts()).toEqual([receipt]);
  expect(market.view().installs).toEqual([
    { id: "filesystem", name: "Filesystem", step: "enable", state: "done" },
  ]);
  expect(events.at(-1)).toEqual({ type: "receipts", receipts: [receipt] });
  expect(fs.readdirSync(path.join(world.paths.data, "staging"))).toEqual([]);
});
test("a skill goes into its folder, file by file as planned", async () => {
  const { market } = await marketIn(world);
  const plan = await market.plan("code-review", "workspace");
  const receipt = await put(market, "code-review", { scope: "workspace" });
  const stored = fs.readdirSync(path.join(world.workspace, ".agent/receipts"));
  expect(plan.writes.map((write) => write.path)).toEqual(receipt.files.map((file) => file.path));
  for (const { path: file, bytes } of plan.writes) expect(fs.statSync(file).size).toBe(bytes);
  expect(read("workspace/.agent/skills/code-review/SKILL.md")).toContain("name: code-review");
  expect(plan.commands).toEqual([]);
  // In the workspace's own record paths are relative: the folder may move.
  expect(read(`workspace/.agent/receipts/${stored[0]}`)).toContain(
    '"path": ".agent/skills/code-review/SKILL.md"',
  );
  expect(market.receipts()).toEqual([receipt]);
});
test("a folder of the user's own choice", async () => {
  fs.mkdirSync(world.paths.config);
  fs.writeFileSync(
    path.join(world.paths.config, "settings.json"),
    '{ "market": { "targets": { "skill": "~/.kairox/skills" } } }',
  );
  const { market } = await marketIn(world);
  await put(market, "changelog");
  expect(read("home/.kairox/skills/changelog/SKILL.md")).toContain("name: changelog");
});
test("a secret lies in the store and never in a file", async () => {
  const { market } = await marketIn(world);
  await put(market, "github", { variables: { GITHUB_TOKEN: "s3cret" } });
  expect(readJson("config/mcp.json")).toEqual({
    mcpServers: {
      github: {
        type: "streamable_http",
        url: "https://api.githubcopilot.com/mcp/",
        headers: { Authorization: "Bearer ${secret:mcp/github/GITHUB_TOKEN}" },
      },
    },
  });
  expect(fileSecrets(world).all()).toEqual({ "mcp/github/GITHUB_TOKEN": "s3cret" });
  const { "keyring.json": _store, ...files } = treeOf(world);
  expect(JSON.stringify(files)).not.toContain("s3cret");
  await market.uninstall("github");
  expect(fileSecrets(world).all()).toEqual({});
});
test("without a store a secret is refused, a reference is not", async () => {
  const secrets = { ...fileSecrets(world), probe: () => Promise.resolve("none" as const) };
  const { market } = await marketIn(world, { secrets });
  const tree = treeOf(world);
  await expect(put(market, "github", { variables: { GITHUB_TOKEN: "s3cret" } })).rejects.toMatchObject({
    code: "needs_setup",
  });
  await expect(put(market, "github")).rejects.toThrow("needs GITHUB_TOKEN");
  expect(treeOf(world)).toEqual(tree);
  await put(market, "github", { variables: { GITHUB_TOKEN: "${MY_TOKEN}" } });
  expect(read("config/mcp.json")).toContain("Bearer ${MY_TOKEN}");
});
test("what is there already is refused before anything is staged", async () => {
  const { market } = await marketIn(world);
  await put(market, "memory");
  await put(market, "changelog");
  for (const id of ["memory", "changelog"])
    await expect(market.plan(id, "user")).rejects.toMatchObject({ code: "already_exists" });
  await put(market, "memory", { scope: "workspace" });
});
test("an empty folder of the name does not count, one with a file does", async () => {
  const folder = path.join(world.paths.config, "skills/changelog");
  fs.mkdirSync(path.join(folder, "references"), { recursive: true });
  const { market } = await marketIn(world);
  await put(market, "changelog");
  await market.uninstall("changelog");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "mine.txt"), "mine");
  await expect(put(market, "changelog")).rejects.toMatchObject({ code: "already_exists" });
  expect(fs.readdirSync(folder)).toEqual(["mine.txt"]);
});
test("a missing runtime is named with its hint", async () => {
  const { market } = await marketIn(world, { env: { PATH: "/nowhere" } });
  const plan = await market.plan("memory", "user");
  expect(plan.requirements).toEqual([
    { kind: "node", ok: false, need: ">=18", hint: "install Node.js from https://nodejs.org" },
  ]);
  await expect(put(market, "memory")).rejects.toThrow(
    "Memory needs node >=18, which is not on this computer: install Node.js",
  );
});
test("a plan that is not the one shown is refused", async () => {
  const { market } = await marketIn(world);
  const plan = await market.plan("memory", "user");
  const other = { ...plan, digest: "0".repeat(64) };
  await expect(market.install({ plan: other, variables: {} }, () => undefined, never)).rejects.toMatchObject({
    code: "denied",
  });
  await expect(
    market.install({ plan: { ...plan, scope: "workspace" }, variables: {} }, () => undefined, never),
  ).rejects.toMatchObject({ code: "denied" });
  expect(market.receipts()).toEqual([]);
});
test.each(
  ["code-review", "github"].flatMap((id) =>
    (["user", "workspace"] as const).flatMap((scope) => installSteps.map((step) => ({ id, scope, step }))),
  ),
)("$id ($scope) cancelled at $step leaves nothing", async ({ id, scope, step }) => {
  const { market, installed, removed } = await marketIn(world);
  const tree = treeOf(world);
  const variables = id === "github" ? { GITHUB_TOKEN: "s3cret" } : undefined;
  const onStep = (now: InstallStep): void => {
    if (now === step) market.cancel(id);
  };
  await expect(put(market, id, { scope, onStep, ...(variables ? { variables } : {}) })).rejects.toMatchObject(
    { code: "stopped" },
  );
  fs.rmdirSync(path.join(world.paths.data, "staging"));
  expect(treeOf(world)).toEqual(tree);
  expect(market.view().installs).toMatchObject([{ id, step, state: "cancelled" }]);
  expect(removed).toEqual(installed);
});
test("an install that cannot be switched on leaves nothing", async () => {
  const { market, removed } = await marketIn(world, {
    onInstalled: () => Promise.reject(new Error("no approval was written")),
  });
  const tree = treeOf(world);
  await expect(put(market, "memory")).rejects.toThrow("no approval was written");
  fs.rmdirSync(path.join(world.paths.data, "staging"));
  expect(treeOf(world)).toEqual(tree);
  expect(removed.map(({ id }) => id)).toEqual(["memory"]);
  expect(market.view().installs).toMatchObject([{ state: "failed", error: "no approval was written" }]);
});
test("a broken mcp.json is left as it is", async () => {
  fs.mkdirSync(world.paths.config);
  fs.writeFileSync(path.join(world.paths.config, "mcp.json"), '{ "mcpServers": {');
  const { market } = await marketIn(world);
  const tree = treeOf(world);
  await expect(put(market, "memory")).rejects.toMatchObject({ code: "configuration" });
  fs.rmdirSync(path.join(world.paths.data, "staging"));
  expect(treeOf(world)).toEqual(tree);
});
test("the same thing is installed once at a time", async () => {
  const { market } = await marketIn(world);
  const both = await Promise.allSettled([put(market, "changelog"), put(market, "changelog")]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(market.receipts()).toHaveLength(1);
});
test("removal takes exactly what the receipt lists", async () => {
  const { market, removed } = await marketIn(world);
  const file = path.join(world.paths.config, "mcp.json");
  fs.mkdirSync(world.paths.config, { recursive: true });
  fs.writeFileSync(file, '{\n  // mine\n  "mcpServers": {\n    "own": { "command": "own" }\n  }\n}\n');
  const before = treeOf(world);
  await put(market, "memory");
  await put(market, "code-review");
  const folder = path.join(world.paths.config, "skills/code-review");
  fs.writeFileSync(path.join(folder, "notes.md"), "the user's");
  expect(await market.uninstall("memory")).toMatchObject({ id: "memory", kept: [] });
  expect(await market.uninstall("code-review")).toMatchObject({ id: "code-review", kept: [] });
  expect(removed.map(({ id }) => id)).toEqual(["memory", "code-review"]);
  expect(read("config/mcp.json")).toBe(before["config/mcp.json"]);
  expect(fs.readdirSync(folder)).toEqual(["notes.md"]);
  expect(market.receipts()).toEqual([]);
  await expect(market.uninstall("memory")).rejects.toMatchObject({ code: "not_found" });
});
test("what the user changed is kept beside, so that nothing loads it, and named", async () => {
  const { market } = await marketIn(world);
  await put(market, "code-review");
  await put(market, "memory");
  const skill = path.join(world.paths.config, "skills/code-review/SKILL.md");
  fs.appendFileSync(skill, "my own line\n");
  const servers = path.join(world.paths.config, "mcp.json");
  fs.writeFileSync(servers, read("config/mcp.json").replace("-y", "--yes"));
  expect((await market.uninstall("code-review")).kept).toEqual([`${skill}.kept`]);
  expect(fs.readFileSync(`${skill}.kept`, "utf8")).toMatch(/my own line\n$/);
  expect(fs.existsSync(skill)).toBe(false);
  expect((await market.uninstall("memory")).kept).toEqual([`${servers}.memory.kept`]);
  expect(readJson("config/mcp.json.memory.kept")).toMatchObject({ args: expect.arrayContaining(["--yes"]) });
  expect(readJson("config/mcp.json")).toEqual({ mcpServers: {} });
});
test("a receipt of the workspace cannot name what lies outside of it", async () => {
  const victim = path.join(world.root, "victim.txt");
  fs.writeFileSync(victim, "precious");
  const folder = path.join(world.workspace, ".agent/receipts");
  fs.mkdirSync(folder, { recursive: true });
  fs.symlinkSync(world.root, path.join(world.workspace, ".agent/link"));
  const receipt = { v: 1, kind: "skill", name: "x", entries: [], source: "s", installedAt: "" };
  const names = [victim, "../victim.txt", ".agent/../../victim.txt", ".agent/link/victim.txt"];
  names.forEach((name, index) => {
    const files = [{ path: name, sha256: sha256("precious") }];
    fs.writeFileSync(
      path.join(folder, `${index}.json`),
      JSON.stringify({ ...receipt, id: `${index}`, files }),
    );
  });
  const found: unknown[] = [];
  const { market } = await marketIn(world, {
    onDiagnostics: (list) => found.splice(0, found.length, ...list),
  });
  expect(market.receipts()).toEqual([]);
  expect(found).toHaveLength(names.length);
  await expect(market.uninstall("0")).rejects.toMatchObject({ code: "not_found" });
  expect(fs.readFileSync(victim, "utf8")).toBe("precious");
});

/** A folder on another disk, where this computer has one. */
const otherDisk = ["/dev/shm"].find(
  (folder) => fs.existsSync(folder) && fs.statSync(folder).dev !== fs.statSync(tmpdir()).dev,
);
test.skipIf(otherDisk === undefined)("a skill goes to another disk, whole or not at all", async () => {
  const other = fs.mkdtempSync(path.join(otherDisk ?? "", "nacre-market-"));
  try {
    fs.mkdirSync(world.paths.config);
    fs.writeFileSync(
      path.join(world.paths.config, "settings.json"),
      JSON.stringify({ market: { targets: { skill: path.join(other, "deep/skills") } } }),
    );
    const { market } = await marketIn(world);
    const cancelled = put(market, "code-review", {
      onStep: (step) => step === "receipt" && market.cancel("code-review"),
    });
    await expect(cancelled).rejects.toMatchObject({ code: "stopped" });
    expect(fs.readdirSync(other)).toEqual([]);
    const receipt = await put(market, "code-review");
    for (const file of receipt.files) expect(sha256(fs.readFileSync(file.path))).toBe(file.sha256);
    expect(fs.readdirSync(path.join(other, "deep"))).toEqual(["skills"]);
  } finally {
    fs.rmSync(other, { recursive: true, force: true });
  }
});
