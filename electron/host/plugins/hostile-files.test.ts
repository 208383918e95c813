import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPluginWorld, userRoot, type PluginWorld } from "./world.testkit.ts";

let world: PluginWorld;
beforeEach(async () => {
  world = await createPluginWorld();
});
afterEach(async () => {
  await world.plugins.stop();
  world.remove();
});
const states = (): string[] =>
  world.plugins.rows().map(({ name, scope, state }) => `${scope} ${name}: ${state}`);

test("nesting without end, a device and a file without measure are one broken plugin each", async () => {
  world.plugin("fine", { name: "fine" }, userRoot);
  const deep = `{"name": "deep",\n"tools": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  world.write(`${userRoot}/deep/plugin.json`, deep);
  world.plugin("servers", { name: "servers" }, userRoot);
  world.write(`${userRoot}/servers/.mcp.json`, deep);
  world.write(`${userRoot}/large/plugin.json`, `{"name": "large"}${" ".repeat(4 * 1024 * 1024)}`);
  world.write(`${userRoot}/device/note`, "");
  fs.symlinkSync("/dev/zero", path.join(world.paths.config, "plugins/device/plugin.json"));
  await world.plugins.start();
  expect(states()).toEqual([
    "user deep: invalid",
    "user device: invalid",
    "user fine: on",
    "user large: invalid",
    "user servers: on",
  ]);
  const messages = world.plugins.diagnostics().map(({ message, line }) => `${message} ${line ?? ""}`);
  expect(messages).toEqual([
    "the manifest cannot be read: nested deeper than 200 levels 2",
    expect.stringContaining("is no regular file"),
    expect.stringContaining("is larger than 4 MB"),
    "the file does not parse: nested deeper than 200 levels 2",
  ]);
});
test("names of the language in a manifest are names like any other, and change nothing", async () => {
  world.write(
    `${userRoot}/p/plugin.json`,
    '{"name": "p", "__proto__": {"version": "evil"}, "constructor": {"prototype": {"evil": 1}}, "mcpServers": {"__proto__": {"command": "x"}, "constructor": {"command": "y"}}, "tools": [{"name": "__proto__", "command": "z", "parameters": {"type": "object", "properties": {"__proto__": {"type": "string"}}}}]}',
  );
  await world.plugins.start();
  expect(world.plugins.rows()[0]).toMatchObject({ name: "p", version: "", state: "on" });
  expect([...world.servers].flat().map(({ name, config }) => [name, config.command])).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
  expect(world.tools.list().map(({ name }) => name)).toEqual(["__proto__"]);
  expect(Object.prototype).not.toHaveProperty("evil");
  expect({}).not.toHaveProperty("version");
});
