import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigStore } from "./store.ts";
import { createWorld, type World } from "./world.testkit.ts";

let world: World;
let file: string;
beforeEach(() => {
  world = createWorld();
  file = path.join(world.paths.config, "settings.json");
});
afterEach(() => world.remove());
const open = (): Promise<ConfigStore> => ConfigStore.open(world);
const besides = (): string[] => fs.readdirSync(world.paths.config).filter((name) => name !== "settings.json");

describe("what is not changed stays to the letter", () => {
  test("comments, unknown and misspelt keys, trailing commas, CRLF and a byte order mark", async () => {
    const text =
      '\uFEFF{\r\n\t// mine\r\n\t"theirs": [1, 2,], /* kept */\r\n\t"polcy": {"sandboks": "read_only",},\r\n\t"model": "a/b", // the model\r\n}\r\n';
    fs.writeFileSync(file, text);
    const config = await open();
    await config.updateSettings([{ path: ["model"], value: "c/d" }]);
    expect(fs.readFileSync(file, "utf8")).toBe(text.replace("a/b", "c/d"));
    await config.updateSettings([{ path: ["appearance", "theme"], value: "dark" }]);
    const added = fs.readFileSync(file, "utf8");
    expect(added).toContain(text.slice(0, text.indexOf("\r\n}")).replace("a/b", "c/d"));
    expect(added.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(config.current.settings).toMatchObject({ model: "c/d", appearance: { theme: "dark" } });
    expect(besides()).toEqual([]);
  });
  test("a key that stands twice is changed where it counts, and goes with all of them", async () => {
    fs.writeFileSync(file, '{"model": "a/b", "model": "c/d"}');
    const config = await open();
    await config.updateSettings([{ path: ["model"], value: "e/f" }]);
    expect(config.current.settings.model).toBe("e/f");
    expect(fs.readFileSync(file, "utf8")).toBe('{"model": "a/b", "model": "e/f"}');
    await config.updateSettings([{ path: ["model"], value: undefined }]);
    expect(config.current.settings.model).toBeNull();
  });
  test("names of the language are keys like any other", async () => {
    const config = await open();
    await config.updateSettings([
      { path: ["switches", "__proto__"], value: false },
      { path: ["switches", "constructor"], value: true },
      { path: ["__proto__", "polluted"], value: 1 },
    ]);
    expect(Object.entries(config.current.settings.switches)).toEqual([
      ["__proto__", false],
      ["constructor", true],
    ]);
    expect({}).not.toHaveProperty("polluted");
  });
  test.skipIf(process.platform === "win32")("who may read it, and links on the way", async () => {
    const real = world.write("dotfiles/nacre.json", "{}");
    fs.chmodSync(real, 0o600);
    fs.symlinkSync("../dotfiles/hop.json", file);
    fs.symlinkSync("nacre.json", path.join(world.top, "dotfiles/hop.json"));
    await (await open()).updateSettings([{ path: ["model"], value: "c/d" }]);
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(fs.lstatSync(path.join(world.top, "dotfiles/hop.json")).isSymbolicLink()).toBe(true);
    expect(fs.statSync(real).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(real, "utf8")).toContain("c/d");
  });
});

describe("several hosts", () => {
  test("processes that write at one time lose nothing, and no reader sees half a file", async () => {
    const names = Array.from({ length: 8 }, (_none, index) => `p${index}`);
    for (const name of names)
      world.write(`config/plugins/${name}/plugin.json`, JSON.stringify({ name, description: name }));
    fs.writeFileSync(file, '{\n  // mine\n  "theirs": 1\n}\n');
    const env = {
      PATH: process.env["PATH"],
      HOME: world.paths.home,
      NACRE_CONFIG_DIR: world.paths.config,
      NACRE_DATA_DIR: world.paths.data,
      NACRE_CACHE_DIR: world.paths.cache,
    };
    const cli = path.join(import.meta.dirname, "../../../bin/nacre.cjs");
    const disable = (name: string): Promise<number | null> => {
      const args = [cli, "plugins", "disable", name, "--workspace", world.workspace];
      const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "inherit"] });
      return new Promise((resolve) => child.on("close", resolve));
    };
    let writing = true;
    const all = Promise.all(names.map(disable)).finally(() => (writing = false));
    const config = await open();
    for (let own = 0; writing; own++) {
      await config.updateSettings([{ path: ["switches", `own${own % 20}`], value: false }]);
      JSON.parse(fs.readFileSync(file, "utf8").replace("// mine", ""));
    }
    expect(await all).toEqual(names.map(() => 0));
    const { switches } = (await open()).current.settings;
    for (const name of names) expect(switches[`plugin:${name}`]).toBe(false);
    expect(fs.readFileSync(file, "utf8")).toContain('// mine\n  "theirs": 1');
    expect(fs.readdirSync(path.join(world.paths.data, "locks"))).toEqual([]);
  });
  test("what another host wrote between reading and writing stays", async () => {
    fs.writeFileSync(file, '{"model": "a/b"}');
    const [one, other] = [await open(), await open()];
    await other.updateSettings([{ path: ["theirs"], value: 1 }]);
    expect(one.current.settings.model).toBe("a/b");
    await one.updateSettings([{ path: ["model"], value: "c/d" }]);
    expect(world.readSettings()).toEqual({ model: "c/d", theirs: 1 });
  });
});

const system = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
/** A file system of its own on a folder, which takes root; false where that cannot be had. */
const mount = (folder: string, options: string): boolean =>
  process.platform === "linux" && system("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder);
const unmount = (folder: string): boolean => system("umount", folder);

describe("where nothing can be written", () => {
  let folder: string;
  beforeEach(() => {
    folder = path.join(world.top, "disk");
    fs.mkdirSync(folder);
  });
  afterEach(() => void unmount(folder));
  const onDisk = (): { paths: World["paths"]; settings: string } => ({
    paths: { ...world.paths, config: folder },
    settings: path.join(folder, "settings.json"),
  });
  const openOnDisk = (): Promise<ConfigStore> =>
    ConfigStore.open({ workspace: world.workspace, paths: onDisk().paths });

  test("a file that is marked read-only is not replaced", async () => {
    fs.writeFileSync(file, '{"model": "a/b"}', { mode: 0o444 });
    const config = await open();
    await expect(config.updateSettings([{ path: ["model"], value: "c/d" }])).rejects.toMatchObject({
      code: "io",
      message: `${file} was not changed: it is marked read-only; allow writing it first`,
    });
    expect(fs.readFileSync(file, "utf8")).toBe('{"model": "a/b"}');
    expect(fs.readdirSync(path.join(world.paths.data, "locks"))).toEqual([]);
  });
  test("a full disk is told, the file stays whole and nothing is left beside it", async (context) => {
    if (!mount(folder, "size=64k"))
      context.skip("no file system can be mounted here: this needs root on Linux");
    const { settings } = onDisk();
    const text = `{\n  // ${"long ".repeat(4000)}\n  "model": "a/b"\n}\n`;
    fs.writeFileSync(settings, text);
    fs.writeFileSync(path.join(folder, "filler"), "x".repeat(36 * 1024));
    const config = await openOnDisk();
    await expect(config.updateSettings([{ path: ["model"], value: "c/d" }])).rejects.toMatchObject({
      code: "io",
      message: expect.stringMatching(/^cannot write .*settings\.json: .*ENOSPC/),
    });
    expect(fs.readFileSync(settings, "utf8")).toBe(text);
    expect(fs.readdirSync(folder).sort()).toEqual(["filler", "settings.json"]);
    expect(config.current.settings.model).toBe("a/b");
    fs.rmSync(path.join(folder, "filler"));
    await config.updateSettings([{ path: ["model"], value: "c/d" }]);
    expect(config.current.settings.model).toBe("c/d");
  });
  test("a folder that is read-only is told, and the file stays as it is", async (context) => {
    const { settings } = onDisk();
    const isRoot = process.getuid?.() === 0;
    if (isRoot && !mount(folder, "size=64k"))
      context.skip("root writes anywhere, and nothing can be mounted here");
    fs.writeFileSync(settings, '{"model": "a/b"}');
    if (isRoot) system("mount", "-o", "remount,ro", folder);
    else fs.chmodSync(folder, 0o500);
    try {
      const config = await openOnDisk();
      await expect(config.updateSettings([{ path: ["model"], value: "c/d" }])).rejects.toMatchObject({
        code: "io",
        message: expect.stringMatching(/^cannot write .*settings\.json: .*(EROFS|EACCES)/),
      });
      expect(fs.readFileSync(settings, "utf8")).toBe('{"model": "a/b"}');
    } finally {
      if (!isRoot) fs.chmodSync(folder, 0o700);
    }
  });
});
