import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { fingerprint } from "./digest.ts";
import { argumentFiles, entryFiles } from "./named-files.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());
const at = (name: string): string => path.join(world.workspace, name);
const here = () => ({ cwd: world.workspace, workspace: world.workspace });
const named = (...words: string[]): string[] =>
  argumentFiles(words, here()).map((file) => path.relative(world.workspace, file));

test("arguments that name regular files of the workspace are brought along", () => {
  const server = world.write("ws/server.js", "");
  const flag = world.write("ws/conf/a.json", "");
  world.write("outside.js", "");
  const argv = [
    "node",
    "server.js",
    "--config=conf/a.json",
    "conf",
    "../outside.js",
    "missing",
    "",
    "x\0y",
    server,
  ];
  expect(argumentFiles(argv, here())).toEqual([flag, server].sort());
  expect(argumentFiles(["a.json"], { cwd: at("conf"), workspace: world.workspace })).toEqual([flag]);
});
test("with a file come the links on the way to it; one that leads outside, or nowhere, comes alone", () => {
  world.write("ws/lib/server.js", "1");
  world.write("outside/one.js", "1");
  world.write("outside/two.js", "2");
  fs.symlinkSync("lib", at("current"));
  fs.symlinkSync("../outside/one.js", at("far.js"));
  fs.symlinkSync("far.js", at("chain.js"));
  fs.symlinkSync("nothing.js", at("dangling.js"));
  fs.symlinkSync("circle", at("circle"));
  expect(named("current/server.js")).toEqual(["current", "current/server.js"]);
  expect(named("chain.js")).toEqual(["chain.js", "far.js"]);
  expect(named("dangling.js")).toEqual(["dangling.js"]);
  expect(named("circle")).toEqual(["circle"]);
  const digest = (...words: string[]): string =>
    fingerprint({}, argumentFiles(words, here()), { within: world.workspace }).digest;
  const words = ["chain.js", "dangling.js", "circle", "current/server.js"];
  const before = digest(...words);
  fs.rmSync(at("far.js"));
  fs.symlinkSync("../outside/two.js", at("far.js"));
  const turned = digest(...words);
  expect(turned).not.toBe(before);
  world.write("outside/two.js", "3");
  expect(digest(...words), "content outside is not the workspace's").toBe(turned);
  world.write("ws/nothing.js", "now it is there");
  expect(digest(...words)).not.toBe(turned);
});

const entry = (...command: string[]): string[] => {
  const { files, packages } = entryFiles(command, here());
  return [...files, ...packages].map((file) => path.relative(world.workspace, file)).sort();
};
test("what plainly would be run is brought along: a folder's entry, a script without its ending, a module, a runner's package", () => {
  for (const file of [
    "pkg/start.mjs",
    "pkg/index.js",
    "server.cjs",
    "mod/__main__.py",
    "mod/sub.py",
    "index.js",
  ])
    world.write(`ws/${file}`, "");
  world.write("ws/pkg/package.json", '{"main": "start.mjs"}');
  world.write("ws/package.json", '{"scripts": {"x": "node server"}}');
  world.write("ws/node_modules/.bin/tool", "");
  const table: [string[], string[]][] = [
    [
      ["node", "./pkg"],
      ["pkg/index.js", "pkg/package.json", "pkg/start.mjs"],
    ],
    [
      ["/usr/bin/node", "--inspect", "server", "."],
      ["index.js", "package.json", "server.cjs"],
    ],
    [["node", "server", "."], ["server.cjs"]],
    [["python3", "-m", "mod"], ["mod/__main__.py"]],
    [["python3.11", "-u", "-m", "mod.sub"], ["mod/sub.py"]],
    [["npm", "run", "x"], ["package.json"]],
    [
      ["npx", "-y", "tool"],
      ["node_modules/.bin/tool", "package.json"],
    ],
    [
      ["npx", "./pkg"],
      ["package.json", "pkg/index.js", "pkg/package.json", "pkg/start.mjs"],
    ],
    [
      ["sh", "-c", "exec node ./pkg"],
      ["pkg/index.js", "pkg/package.json", "pkg/start.mjs"],
    ],
    [["docker", "run", "pkg"], []],
  ];
  for (const [command, files] of table) expect(entry(...command), command.join(" ")).toEqual(files);
});
test("of a package.json what it runs counts, and not its version or what it depends on", () => {
  const digest = (): string => {
    const { files, packages } = entryFiles(["npm", "run", "x"], here());
    return fingerprint({}, files, { packages }).digest;
  };
  world.write("ws/package.json", '{"version": "1", "scripts": {"x": "node a"}}');
  const before = digest();
  world.write("ws/package.json", '{"version": "2", "dependencies": {"y": "1"}, "scripts": {"x": "node a"}}');
  expect(digest()).toBe(before);
  world.write("ws/package.json", '{"version": "2", "scripts": {"x": "node b"}}');
  expect(digest()).not.toBe(before);
});
