import fs from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createFoundation, type Foundation } from "./foundation.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import { createUserTrust } from "./user-trust.ts";
import { watchFiles } from "./watch-files.ts";

let world: World;
let foundation: Foundation;
let rooms: Rooms;
const skill = (name: string, description: string): string =>
  world.write(
    `ws/.agent/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`,
  );
const description = (name: string): string | undefined =>
  rooms.skills.rows().find((row) => row.name === name)?.description;
const problems = (): (string | undefined)[] => foundation.diagnostics.all().map(({ path: file }) => file);

beforeEach(async () => {
  world = createWorld();
  skill("tidy", "Tidies up.");
  foundation = await createFoundation({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
  });
  rooms = createRooms(foundation, await createUserTrust(foundation), {
    onTrace: () => undefined,
    changeSettings: async () => undefined,
  });
  await rooms.ready;
});
afterEach(async () => {
  await rooms.plugins.stop();
  await rooms.executor.stop();
  await foundation.disposables.dispose();
  foundation.log.close();
  world.remove();
});
const watch = async (): Promise<void> => {
  foundation.disposables.add(watchFiles(foundation, rooms, Number.POSITIVE_INFINITY));
  // Watches are set up in slices, at least one folder in each turn of the event loop.
  for (let folder = 0; folder < 200; folder++) await setImmediate();
};
/** Resolves when the watcher has read the configuration again. */
const configRead = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = foundation.config.onChange.on(() => {
      void stop();
      resolve();
    });
  });

test("a changed skill shows, and nobody else looks at files again", async () => {
  await watch();
  const others = [vi.spyOn(rooms.roles, "reload"), vi.spyOn(rooms.mcp, "reload")];
  skill("tidy", "Sweeps the floor.");
  await vi.waitFor(() => expect(description("tidy")).toBe("Sweeps the floor."), 10_000);
  for (const reload of others) expect(reload).not.toHaveBeenCalled();
});
test("files of the workspace that are none of the configuration have nothing read again", async () => {
  await watch();
  const reloads = [foundation.config, rooms.plugins, rooms.roles, rooms.mcp].map((owner) =>
    vi.spyOn(owner, "reload"),
  );
  const heard = new Set<string | null>();
  const own = fs.watch(world.workspace, (_event, name) => void heard.add(name));
  const names = Array.from({ length: 200 }, (_none, index) => `notes-${index}.txt`);
  for (const name of names) fs.writeFileSync(path.join(world.workspace, name), "notes");
  fs.mkdirSync(path.join(world.workspace, "src"));
  fs.writeFileSync(path.join(world.workspace, "src", "kairox.toml"), "x = 1");
  await vi.waitFor(() => expect(heard).toContain("src"), 10_000);
  own.close();
  // What is taken in now takes in, too, all that was heard before.
  skill("tidy", "Sweeps the floor.");
  await vi.waitFor(() => expect(description("tidy")).toBe("Sweeps the floor."), 10_000);
  for (const reload of reloads) expect(reload).not.toHaveBeenCalled();
  fs.writeFileSync(path.join(world.workspace, "kairox.toml"), "instructions = 'x'");
  await vi.waitFor(() => expect(foundation.config.current.instructions).toHaveLength(1), 10_000);
});
test("a file that says the same as before is nobody's business", async () => {
  const file = world.write("ws/.mcp.json", '{"mcpServers": {"a": {"command": "x"}}}');
  await foundation.config.reload();
  const heard = vi.fn<() => void>();
  foundation.config.onChange.on(heard);
  const before = foundation.config.current;
  fs.writeFileSync(file, '{ "mcpServers": {"a": {"command": "x"}} }  ');
  expect(await foundation.config.reload()).toBe(before);
  expect(heard).not.toHaveBeenCalled();
});
test("settings that say how skills are read have them read again", async () => {
  await watch();
  const reload = vi.spyOn(rooms.skills, "reload");
  const theme = configRead();
  world.write("config/settings.json", JSON.stringify({ appearance: { theme: "dark" } }));
  await theme;
  expect(reload).not.toHaveBeenCalled();
  world.write("config/settings.json", JSON.stringify({ skills: { strict: true } }));
  await vi.waitFor(() => expect(reload).toHaveBeenCalled(), 10_000);
});
test("a file that changes below a plugin's folder has the plugins looked at", async () => {
  world.write(
    "ws/.agent/plugins/jira/.claude-plugin/plugin.json",
    JSON.stringify({ name: "jira", version: "1.0.0", description: "Jira." }),
  );
  world.write(
    "ws/.agent/plugins/jira/skills/issue/SKILL.md",
    "---\nname: issue\ndescription: Reads issues.\n---\n",
  );
  await rooms.plugins.reload();
  await watch();
  const reload = vi.spyOn(rooms.plugins, "reload");
  world.write(
    "ws/.agent/plugins/jira/skills/issue/SKILL.md",
    "---\nname: issue\ndescription: Closes issues.\n---\n",
  );
  await vi.waitFor(() => expect(reload).toHaveBeenCalled(), 10_000);
  await vi.waitFor(() => expect(description("jira:issue")).toBe("Closes issues."), 10_000);
});
test("a file that is mended is a problem no more, by the watcher and by /skills reload", async () => {
  const broken = world.write("ws/.agent/skills/tidy/SKILL.md", "---\nname: Not A Name\n---\n");
  await rooms.skills.reload();
  await vi.waitFor(() => expect(problems()).toContain(broken));
  skill("tidy", "Tidies up.");
  await rooms.skills.reload();
  await vi.waitFor(() => expect(problems()).not.toContain(broken));

  await watch();
  fs.writeFileSync(broken, "---\nname: Not A Name\n---\n");
  await vi.waitFor(() => expect(problems()).toContain(broken), 10_000);
  skill("tidy", "Tidies up.");
  await vi.waitFor(() => expect(problems()).not.toContain(broken), 10_000);
});
