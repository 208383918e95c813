import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";

let world: World;
const hosts: Host[] = [];
const at = (name: string): string => path.join(world.top, name);
beforeEach(() => {
  world = createWorld();
  for (const folder of ["a", "b"]) {
    const inside = `${folder}/.agent`;
    world.write(
      `${inside}/plugins/jira/plugin.json`,
      JSON.stringify({
        name: "jira",
        description: "Jira.",
        tools: [{ name: "jira_issue", description: "One issue.", command: ["true"], perm: "read" }],
        mcpServers: { search: { command: "none" } },
      }),
    );
    world.write(`${inside}/agents/reviewer.md`, "---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n");
    world.write(`${inside}/skills/tidy/SKILL.md`, "---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n");
    world.write(`${inside}/mcp.json`, JSON.stringify({ mcpServers: { local: { command: "none" } } }));
    world.write(`${folder}/kairox.toml`, '[hooks.Stop.lint]\ncommand = "true"\n');
  }
  world.write("config/mcp.json", JSON.stringify({ mcpServers: { mine: { command: "none" } } }));
  world.write("config/plugins/own/plugin.json", JSON.stringify({ name: "own", description: "Own." }));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  world.remove();
});
async function open(folder: string): Promise<Host> {
  const host = await createHost({
    workspace: at(folder),
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
  });
  hosts.push(host);
  return host;
}
const settings = (): Record<string, unknown> =>
  JSON.parse(fs.readFileSync(at("config/settings.json"), "utf8")) as Record<string, unknown>;

test.each([
  "plugin:jira",
  "tool:jira/jira_issue",
  "mcp:jira/search",
  "agent:project-nacre/reviewer",
  "skill:project-nacre/tidy",
  "mcp:workspace/local",
  "hook:kairox/Stop.lint",
  "skills:project-nacre",
])("what a workspace brings is switched for that workspace alone: %s", async (id) => {
  const here = await open("a");
  const elsewhere = await open("b");
  await here.setSwitch(id, false);
  expect(settings()).toEqual({ workspace_switches: { [at("a")]: { [id]: false } } });
  await elsewhere.reload("mcp");
  expect([here, elsewhere].map((host) => host.switches.isOn(id))).toEqual([false, true]);
});
test.each(["plugin:own", "mcp:user/mine", "agent:bundled/plan", "skills:user-nacre"])(
  "what is the user's own is switched everywhere: %s",
  async (id) => {
    const here = await open("a");
    const elsewhere = await open("b");
    await here.setSwitch(id, false);
    expect(settings()).toEqual({ switches: { [id]: false } });
    await elsewhere.reload("mcp");
    expect(elsewhere.switches.isOn(id)).toBe(false);
  },
);
test("a switch that was stored for all workspaces before still counts, and this workspace's goes before it", async () => {
  world.write("config/settings.json", JSON.stringify({ switches: { "plugin:jira": false } }));
  const host = await open("a");
  expect(host.switches.isOn("plugin:jira")).toBe(false);
  await host.setSwitch("plugin:jira", true);
  expect(host.switches.isOn("plugin:jira")).toBe(true);
  expect(settings()["switches"]).toEqual({ "plugin:jira": false });
});
test("what is not there is not switched", async () => {
  const host = await open("a");
  await expect(host.setSwitch("plugin:gone", false)).rejects.toMatchObject({ code: "not_found" });
  await expect(host.setSwitch("constructor", false)).rejects.toMatchObject({ code: "not_found" });
  expect(fs.existsSync(at("config/settings.json"))).toBe(false);
});
test("the command line in one folder does not touch the other", async () => {
  const env = {
    PATH: process.env["PATH"],
    HOME: world.paths.home,
    NACRE_CONFIG_DIR: world.paths.config,
    NACRE_DATA_DIR: world.paths.data,
    NACRE_CACHE_DIR: world.paths.cache,
  };
  const cli = path.join(import.meta.dirname, "../../bin/nacre.cjs");
  const child = spawn(process.execPath, [cli, "plugins", "disable", "jira", "--workspace", at("a")], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  const [here, elsewhere] = [await open("a"), await open("b")];
  expect([here, elsewhere].map((host) => host.switches.isOn("plugin:jira"))).toEqual([false, true]);
});
