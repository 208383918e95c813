import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Config } from "./config/types.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createFoundation, type Foundation } from "./foundation.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import { createUserTrust } from "./user-trust.ts";
import { watchFiles } from "./watch-files.ts";

let world: World;
let foundation: Foundation;
let rooms: Rooms;
const patience = { timeout: 15_000, interval: 20 };
const at = (...names: string[]): string => path.join(world.top, ...names);
const server = (extra: object = {}): object => ({
  command: process.execPath,
  args: [path.join(import.meta.dirname, "../../e2e/fixtures/mcp-servers/misbehaving.mjs"), "well"],
  ...extra,
});
const servers = (map: Record<string, object>): string => JSON.stringify({ mcpServers: map }, null, 1);

beforeEach(async () => {
  world = createWorld();
  world.write("config/mcp.json", servers({ one: server(), two: server() }));
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
  rooms.mcp.start();
  expect((await rooms.mcp.settled(60_000)).notReady).toEqual([]);
  foundation.disposables.add(watchFiles(foundation, rooms, Number.POSITIVE_INFINITY));
  // Watches are set up in slices behind the start: one that answers says that all are there.
  for (let turn = 0; heard.length === 0; turn++) {
    world.write("config/keybinds.json", `{"turn": "f${(turn % 12) + 1}"}`);
    await wait(20);
    heard = Object.keys(current().keybinds);
  }
});
let heard: string[] = [];
afterEach(async () => {
  heard = [];
  await Promise.all([rooms.mcp.stop(), rooms.plugins.stop()]);
  await rooms.executor.stop();
  await foundation.disposables.dispose();
  foundation.log.close();
  world.remove();
});
const current = (): Config => foundation.config.current;
const pidOf = async (name: string): Promise<number> => {
  const { content } = await rooms.mcp.call(name, "pid", {}, {}, new AbortController().signal);
  const [part] = content;
  return Number(part?.["text"]);
};
const until = (check: () => void): Promise<void> => vi.waitFor(check, patience);
const instructions = (): string[] => current().instructions.map(({ text }) => text.trim());
const shows = (...texts: string[]): Promise<void> => until(() => expect(instructions()).toEqual(texts));

describe("a watched change of mcp.json", () => {
  test("restarts the server that changed and leaves the other its process", async () => {
    const [one, two] = [await pidOf("one"), await pidOf("two")];
    world.write("config/mcp.json", servers({ two: server(), one: server({ env: { CHANGED: "yes" } }) }));
    await until(() => expect(rooms.mcp.declaration("one").config.env).toEqual({ CHANGED: "yes" }));
    await rooms.mcp.settled(60_000);
    expect(await pidOf("one")).not.toBe(one);
    expect(await pidOf("two")).toBe(two);
  });
  test("that only moves lines, comments or a note restarts nothing", async () => {
    world.write("config/mcp.json", servers({ one: server({ env: { N: 1 } }), two: server() }));
    await until(() => expect(rooms.mcp.declaration("one").config.env).toEqual({ N: "1" }));
    await rooms.mcp.settled(60_000);
    const [one, two] = [await pidOf("one"), await pidOf("two")];
    world.write(
      "config/mcp.json",
      `// moved\n\n\n${servers({ one: server({ env: { N: 1 } }), two: server(), three: server({ disabled: true }) })}`,
    );
    await until(() => expect(rooms.mcp.rows()).toHaveLength(3));
    expect(await Promise.all([pidOf("one"), pidOf("two")])).toEqual([one, two]);
  });
  test("that breaks the file keeps both servers, and the fault is told with its line", async () => {
    const [one, two] = [await pidOf("one"), await pidOf("two")];
    world.write("config/mcp.json", '{\n "mcpServers": {\n  "one" }');
    await until(() =>
      expect(current().diagnostics).toMatchObject([
        { code: "file-broken", path: at("config/mcp.json"), line: 3 },
      ]),
    );
    expect(await Promise.all([pidOf("one"), pidOf("two")])).toEqual([one, two]);
  });
});

describe("what is written in any way shows", () => {
  test("a file and a folder that are made later, also folders in folders", async () => {
    world.write("ws/AGENTS.md", "first");
    await shows("first");
    world.write("ws/.kairox/config.toml", 'instructions = "toml"');
    await shows("first", "toml");
    fs.rmSync(at("ws/.kairox"), { recursive: true });
    await shows("first");
    fs.mkdirSync(at("ws/.kairox"));
    world.write("ws/.kairox/config.toml", 'instructions = "again"');
    await shows("first", "again");
    world.write("home/.config/dropstone/dropstone.json", '{"permission": "deny"}');
    await until(() => expect(current().rules).toMatchObject([{ answer: "deny" }]));
  });
  test("by editors that rename over it, that cut it and that remove it first", async () => {
    const file = world.write("ws/AGENTS.md", "old");
    await shows("old");
    fs.writeFileSync(`${file}.tmp`, "renamed");
    fs.renameSync(`${file}.tmp`, file);
    await shows("renamed");
    fs.truncateSync(file, 0);
    fs.appendFileSync(file, "cut");
    await shows("cut");
    fs.rmSync(file);
    await shows();
    fs.writeFileSync(file, "new");
    await shows("new");
  });
  test("fifty quick saves end with the last one", async () => {
    for (let save = 1; save <= 50; save++) world.write("ws/AGENTS.md", `save ${save}`);
    await shows("save 50");
  });
  test("a file that becomes a folder and a file again", async () => {
    const file = world.write("config/AGENTS.md", "mine");
    await shows("mine");
    fs.rmSync(file);
    fs.mkdirSync(file);
    await until(() => expect(current().diagnostics).toMatchObject([{ code: "file-unreadable", path: file }]));
    fs.rmdirSync(file);
    fs.writeFileSync(file, "back");
    await shows("back");
    expect(current().diagnostics).toEqual([]);
  });
  test("behind links: the target, the link itself, and a folder that is a link", async () => {
    const [first, second] = [world.write("dot/a/AGENTS.md", "a"), world.write("dot/b/AGENTS.md", "b")];
    const link = at("config/AGENTS.md");
    fs.symlinkSync(at("dot/current/AGENTS.md"), link);
    fs.symlinkSync(at("dot/a"), at("dot/current"));
    await shows("a");
    fs.writeFileSync(first, "a, changed");
    await shows("a, changed");
    fs.symlinkSync(at("dot/b"), at("dot/next"));
    fs.renameSync(at("dot/next"), at("dot/current"));
    await shows("b");
    fs.writeFileSync(second, "b, changed");
    await shows("b, changed");
    fs.rmSync(link);
    fs.symlinkSync(first, link);
    await shows("a, changed");
  });
});

test("a tree of many files costs no watch of its own and no reading", async () => {
  const counted = (): number =>
    fs
      .readdirSync("/proc/self/fdinfo")
      .map((name) => {
        try {
          return fs.readFileSync(`/proc/self/fdinfo/${name}`, "utf8").match(/^inotify wd/gm)?.length ?? 0;
        } catch {
          // Closed meanwhile.
          return 0;
        }
      })
      .reduce((sum, count) => sum + count, 0);
  const before = process.platform === "linux" ? counted() : 0;
  // What was written to see that the watches are there.
  await wait(400);
  const reload = vi.spyOn(foundation.config, "reload");
  for (let folder = 0; folder < 40; folder++) {
    fs.mkdirSync(at("ws/tree", String(folder)), { recursive: true });
    for (let file = 0; file < 25; file++) world.write(`ws/tree/${folder}/AGENTS.md.${file}`, "text");
    world.write(`ws/note-${folder}.md`, "text");
  }
  await wait(400);
  expect(reload).not.toHaveBeenCalled();
  if (process.platform === "linux") expect(counted()).toBe(before);
});
