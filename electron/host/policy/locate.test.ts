import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { locatePaths, type LocatedPath } from "./locate.ts";
import { isSecretName } from "../kit/path-names.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const isFolder = (real: string): boolean =>
  fs.statSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false;
function locate(given: string, access: "reads" | "writes" = "writes"): LocatedPath {
  const territory = {
    workspace: world.workspace,
    writableRoots: [path.join(world.top, "root")],
    readableFolders: [path.join(world.top, "skill")],
    config: world.paths.config,
    data: world.paths.data,
    home: world.paths.home,
  };
  const found = locatePaths({ [access]: [given] }, territory, isFolder)[0];
  if (!found) throw new Error("nothing found");
  return found;
}

describe("places", () => {
  test.each([
    ["a/b.txt", "workspace", "a/b.txt"],
    [".", "workspace", "."],
    ["../root/x", "writable", undefined],
    ["../skill/x", "readable", undefined],
    ["../ws-evil/x", "outside", undefined],
    ["a/../../outside", "outside", undefined],
    ["~/notes.txt", "outside", "~/notes.txt"],
    ["~", "outside", undefined],
    ["/etc/passwd", "outside", undefined],
  ])("%s lies in: %s", (given, place, name) => {
    const found = locate(given);
    expect(found.place).toBe(place);
    if (name !== undefined) expect(found.names).toContain(name);
    expect(found.names).toContain(found.real);
  });
  test("links are resolved, for files that do not exist yet too", () => {
    fs.symlinkSync(world.paths.home, path.join(world.workspace, "link"));
    fs.symlinkSync("/nowhere/at/all", path.join(world.workspace, "dangling"));
    expect(locate("link/new.txt")).toMatchObject({
      place: "outside",
      real: path.join(world.paths.home, "new.txt"),
    });
    expect(locate("dangling").place).toBe("outside");
    expect(locate("link/../ws/x")).toMatchObject({ place: "workspace" });
  });
  test("the folder is what an answer opens", () => {
    world.write("out/a.txt", "");
    expect(locate("../out/a.txt", "reads").folder).toBe(path.join(world.top, "out"));
    expect(locate("../out", "reads").folder).toBe(path.join(world.top, "out"));
  });
});

describe("protected", () => {
  test.each([
    [".git/hooks/pre-commit", ".git"],
    [".agent/mcp.json", ".agent"],
    ["packages/a/.claude/settings.json", ".claude"],
    ["../root/.kairox/config.toml", ".kairox"],
    [".GIT/config", ".git"],
    [".mcp.json", ".mcp.json"],
    ["sub/dropstone.json", "dropstone.json"],
    ["kairox.toml", "kairox.toml"],
    [".gitignore", null],
    ["git/x", null],
    ["../elsewhere/.git/config", null],
  ])("%s: %s", (given, name) => {
    expect(locate(given).protectedFolder).toBe(name);
  });
  test("<config> is protected wherever it lies", () => {
    expect(locate("../config/settings.json").protectedFolder).toBe("<config>");
    fs.symlinkSync(world.paths.config, path.join(world.workspace, "harmless"));
    expect(locate("harmless/settings.json").protectedFolder).toBe("<config>");
  });
  test("a link to a protected folder, and a protected name that is a link, are no way in", () => {
    fs.mkdirSync(path.join(world.workspace, ".agent"));
    fs.symlinkSync(".agent", path.join(world.workspace, "alias"));
    expect(locate("alias/mcp.json").protectedFolder).toBe(".agent");
    fs.mkdirSync(path.join(world.workspace, "shared"));
    fs.symlinkSync("shared", path.join(world.workspace, ".claude"));
    expect(locate(".claude/settings.json").protectedFolder).toBe(".claude");
    expect(locate("shared/settings.json").protectedFolder).toBe(".claude");
  });
});

test.each([
  [".env", true],
  [".env.local", true],
  [".envrc", true],
  [".env.example", false],
  ["environment", false],
  ["id_rsa", true],
  ["id_ed25519", true],
  ["id_rsa.pub", false],
  ["server.pem", true],
  ["tls.KEY", true],
  ["keys.ts", false],
  [".git-credentials", true],
])("%s is secret: %s", (name, secret) => {
  expect(isSecretName(name)).toBe(secret);
  expect(locate(`sub/${name}`, "reads").secret).toBe(secret);
});
test("~/.ssh and <config> are secret whole", () => {
  expect(locate("~/.ssh/known_hosts", "reads").secret).toBe(true);
  expect(locate("../config/settings.json", "reads").secret).toBe(true);
});
