import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";

let world: World;
let host: Host;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await host.stop();
  world.remove();
});
async function open(): Promise<readonly string[]> {
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
  });
  await host.start();
  return host.skills.rows().map(({ name, state }) => `${name} ${state}`);
}
const skill = (folder: string, name: string): void => {
  world.write(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: D.\n---\nBody of ${name}.\n`);
};

test.each([["./"], ["."], [["./"]], ["./x/../"], [["."]], ["././"]])(
  "a plugin's own folder as its skills path brings the skills beside its manifest (%j)",
  async (skills) => {
    world.write("config/plugins/p/.claude-plugin/plugin.json", JSON.stringify({ name: "p", skills }));
    skill("config/plugins/p/a", "a");
    skill("config/plugins/p/b", "b");
    expect(await open()).toEqual(["p:a on", "p:b on"]);
    expect(host.plugins.rows()).toMatchObject([{ state: "on", diagnostics: [] }]);
    expect((await host.skills.registry.get("a"))?.content).toBe("Body of a.\n");
  },
);
test("a plugin's folder that is one skill itself is that one skill", async () => {
  world.write("config/plugins/pdf/plugin.json", JSON.stringify({ name: "docs", skills: "." }));
  skill("config/plugins/pdf", "pdf");
  expect(await open()).toEqual(["docs:pdf on"]);
});
test("what lies outside the plugin is refused, and its skills folder by convention is read", async () => {
  world.write("config/plugins/p/plugin.json", JSON.stringify({ name: "p", skills: ["../other", "skills"] }));
  skill("config/plugins/other/c", "c");
  skill("config/plugins/p/skills/d", "d");
  expect(await open()).toEqual(["p:d on"]);
  expect(host.plugins.rows()[0]?.diagnostics).toMatchObject([{ code: "plugin-path-outside" }]);
});
