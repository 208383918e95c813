import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigStore } from "./store.ts";
import { SwitchStore } from "./switches.ts";
import { createWorld, type World } from "./world.testkit.ts";

let world: World;
let config: ConfigStore;
beforeEach(async () => {
  world = createWorld();
  config = await ConfigStore.open(world);
});
afterEach(() => world.remove());

test("what nobody switched takes the fallback", () => {
  const switches = new SwitchStore(config);
  expect(switches.isOn("mcp:user/a")).toBe(true);
  expect(switches.isOn("mcp:user/a", false)).toBe(false);
});
test("a workspace's contribution is switched for this workspace alone", async () => {
  const switches = new SwitchStore(config);
  const heard: string[][] = [];
  switches.onChange.on((ids) => heard.push([...ids]));
  await switches.set("skill:project-agents/pdf", false, "workspace");
  await switches.set("mcp:user/github", false, "user");
  expect(switches.isOn("skill:project-agents/pdf")).toBe(false);
  expect(heard).toEqual([["skill:project-agents/pdf"], ["mcp:user/github"]]);
  const elsewhere = new SwitchStore(config, "/elsewhere");
  expect(elsewhere.isOn("skill:project-agents/pdf")).toBe(true);
  expect(elsewhere.isOn("mcp:user/github")).toBe(false);
});
test("a switch for all workspaces takes back the one of this workspace", async () => {
  const switches = new SwitchStore(config);
  await switches.set("plugin:jira", false, "workspace");
  await switches.set("plugin:jira", true, "user");
  expect(switches.isOn("plugin:jira")).toBe(true);
  expect(world.readSettings()).toMatchObject({
    switches: { "plugin:jira": true },
    workspace_switches: { [config.workspace]: {} },
  });
});
test("a broken settings file is never overwritten", async () => {
  world.write("config/settings.json", '{"switches": ');
  await expect(new SwitchStore(config).set("mcp:user/a", false, "user")).rejects.toThrow(
    /does not parse \(line 1/,
  );
  expect(world.read("config/settings.json")).toBe('{"switches": ');
});
