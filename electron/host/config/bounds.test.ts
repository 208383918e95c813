import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigStore } from "./store.ts";
import type { Config } from "./types.ts";
import { createWorld, type World } from "./world.testkit.ts";

// Were anything of it done once for each pair, these would run into the limit of a test by far.
const many = 10_000;
const numbers = Array.from({ length: many }, (_none, index) => index);
let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());
const open = async (): Promise<Config> => (await ConfigStore.open(world)).current;
const map = (value: (index: number) => unknown): object =>
  Object.fromEntries(numbers.map((index) => [`k${index}`, value(index)]));
const first50AndTheNumberOfOthers = (config: Config, file: string, code: string): void => {
  expect(config.diagnostics).toHaveLength(51);
  expect(config.diagnostics.slice(0, 50).every((one) => one.code === code && one.line !== undefined)).toBe(
    true,
  );
  expect(config.diagnostics.at(-1)).toEqual({
    code: "more-problems",
    severity: "warning",
    message: `${path.join(world.top, file)} has ${many - 50} problems more than are shown`,
    path: path.join(world.top, file),
  });
};

test("10,000 servers are read", async () => {
  world.write("ws/.mcp.json", JSON.stringify({ mcpServers: map(() => ({ command: "x", args: ["a"] })) }));
  const { mcp, diagnostics } = await open();
  expect(mcp).toHaveLength(many);
  expect(diagnostics).toEqual([]);
});
test("10,000 servers of one fault each are kept, and the first 50 faults are told with their lines", async () => {
  world.write(
    "ws/.mcp.json",
    JSON.stringify({ mcpServers: map(() => ({ command: "x", args: 1 })) }, null, 1),
  );
  const config = await open();
  expect(config.mcp).toHaveLength(many);
  expect(config.mcp.at(-1)?.diagnostics).toMatchObject([{ line: 5 + (many - 1) * 4 }]);
  first50AndTheNumberOfOthers(config, "ws/.mcp.json", "mcp-invalid");
});
test("10,000 servers in TOML, all with faults", async () => {
  world.write(
    "ws/kairox.toml",
    numbers.map((n) => `[mcp_servers.k${n}]\ncommand = "x"\nargs = 1\n`).join(""),
  );
  const config = await open();
  expect(config.mcp).toHaveLength(many);
  first50AndTheNumberOfOthers(config, "ws/kairox.toml", "mcp-invalid");
});
test("10,000 rules, and as many that are none", async () => {
  world.write("ws/dropstone.json", JSON.stringify({ permission: { skill: map(() => "deny") } }));
  expect((await open()).rules).toHaveLength(many);
  world.write("ws/dropstone.json", JSON.stringify({ permission: { skill: map(() => "perhaps") } }));
  const config = await open();
  expect(config.rules.every(({ answer }) => answer === "ask")).toBe(true);
  first50AndTheNumberOfOthers(config, "ws/dropstone.json", "permission-invalid");
});
test("10,000 roles with tools, and 10,000 rules whose names look like an index", async () => {
  const digits = numbers.map((n) => `"${n}": "deny"`).join(",");
  world.write(
    "ws/dropstone.json",
    `{"agent": ${JSON.stringify(map(() => ({ tools: { x: false }, permission: { skill: { 1: "deny" } } })))}, "permission": {"skill": {${digits}}}}`,
  );
  const { agents, rules } = await open();
  expect(Object.keys(agents)).toHaveLength(many);
  expect(rules.map(({ pattern }) => pattern)).toEqual(numbers.map(String));
});
test("10,000 unknown and 10,000 equal keys in settings.json", async () => {
  world.write("config/settings.json", JSON.stringify(map(() => 1)));
  first50AndTheNumberOfOthers(await open(), "config/settings.json", "settings-invalid");
  world.write("config/settings.json", `{"model": "a/b"${',"model": "c/d"'.repeat(many)}}`);
  const config = await open();
  expect(config.settings.model).toBe("c/d");
  first50AndTheNumberOfOthers(config, "config/settings.json", "key-twice");
});
test("a settings.json over 4 MB is not read, and until it is mended nothing is written", async () => {
  world.write("config/settings.json", `{"model": "a/b"}${" ".repeat(4 * 1024 * 1024)}`);
  const { settings, diagnostics } = await open();
  expect(settings).toMatchObject({
    model: null,
    policy: { sandbox: "read_only" },
    sandbox: { pluginNetwork: false },
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(["file-unreadable", "settings-unusable"]);
  expect(diagnostics[0]?.message).toContain("is larger than 4 MB");
});
test("a reload of unchanged thousands gives the same object", async () => {
  world.write("ws/.mcp.json", JSON.stringify({ mcpServers: map(() => ({ command: "x" })) }));
  const store = await ConfigStore.open(world);
  const before = store.current;
  expect(await store.reload()).toBe(before);
  world.write("config/settings.json", '{"model": "a/b"}');
  const after = await store.reload();
  expect(after).not.toBe(before);
  expect(after.mcp).toBe(before.mcp);
  expect(after.settings.skills).toBe(before.settings.skills);
});
