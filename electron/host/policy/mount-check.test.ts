import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { run, type SpawnSpec } from "../kit/process.ts";
import { confinementFailure } from "./confinement-failure.ts";
import { ProtectedTrees } from "./guarded.ts";
import { mountLine } from "./mount-check.ts";
import { type Confinement, confinementRoots, createSandbox } from "./sandbox.ts";

let world: World;
beforeEach(() => {
  world = createWorld("/var/tmp");
  fs.mkdirSync(path.join(world.top, "tmp"));
});
afterEach(() => world.remove());

/** A command in the sandbox that is started only after `between`: what stands in the workspace then is another thing. */
async function confined(
  command: string,
  between: () => void,
  over: Partial<Confinement> = {},
): Promise<{ code: number | null; output: string }> {
  const sandbox = createSandbox({ platform: process.platform, env: process.env, paths: world.paths });
  const confinement = {
    workspace: world.workspace,
    writableRoots: [],
    network: false,
    tmp: path.join(world.top, "tmp"),
    ...over,
  };
  const trees = new ProtectedTrees();
  const guarded = await Promise.all(confinementRoots(confinement).map((root) => trees.scan(root)));
  const spec: SpawnSpec = { command: "sh", args: ["-c", command], env: { PATH: process.env["PATH"] } };
  const wrapped = await sandbox.wrap(spec, { ...confinement, guarded });
  between();
  const { exit, output } = await run(wrapped);
  return { code: exit.code, output };
}
const probe = { home: "/nonexistent", config: "/nonexistent", data: "/nonexistent", cache: "/nonexistent" };
const canConfine =
  process.platform === "linux" &&
  (
    await createSandbox({
      platform: process.platform,
      env: process.env,
      paths: { ...probe, cst: "/nonexistent" },
    }).verify()
  ).ok;
const ws = (file: string): string => path.join(world.workspace, file);

describe.runIf(canConfine)("what is exchanged between the look and the mounts", () => {
  test("a folder for a link that leads outside: nothing runs, and nothing outside is opened", async () => {
    world.write("ws/deep/d2/.agent/mcp.json", "{}");
    world.write("outside/.agent/file", "theirs");
    const { code, output } = await confined("echo ran > deep/d2/canary", () => {
      fs.renameSync(ws("deep/d2"), ws("deep/old"));
      fs.symlinkSync("../../outside", ws("deep/d2"));
    });
    expect(fs.existsSync(path.join(world.top, "outside", "canary"))).toBe(false);
    expect(code).toBe(125);
    expect(confinementFailure(output, code)).toMatch(
      /^it did not run: .*deep\/d2.* was exchanged for another while it was being confined.*run it again/,
    );
  });
  test("two protected folders for each other, and one for a link to the other", async () => {
    for (const name of ["a", "b"]) world.write(`ws/${name}/.agent/${name}`, "");
    const swap = (): void => {
      fs.renameSync(ws("a"), ws("c"));
      fs.symlinkSync("b", ws("a"));
    };
    expect((await confined("echo ran", swap)).output).not.toContain("ran");
  });
  test("a writable root that lies in another one", async () => {
    fs.mkdirSync(ws("sub"));
    fs.mkdirSync(path.join(world.top, "outside"));
    const swap = (): void => {
      fs.rmdirSync(ws("sub"));
      fs.symlinkSync("../outside", ws("sub"));
    };
    const { output } = await confined("echo ran > sub/canary; echo ran", swap, {
      writableRoots: [ws("sub")],
    });
    expect(output).not.toMatch(/^ran/m);
    expect(fs.readdirSync(path.join(world.top, "outside"))).toEqual([]);
  });
  test("what stands as it did runs, whatever signs its names hold", async () => {
    for (const name of ["a b", "tab\tnew\nline", "back\\slash", "*[a-z]?", "'\"$(x)#", "ünïcode", "-n"])
      world.write(`ws/${name}/.agent/file`, "");
    expect(await confined("echo ran", () => undefined)).toEqual({ code: 0, output: "ran\n" });
  });
});

test("a path's place in its file system follows from the innermost mount, the last one where two lie at one place", () => {
  const table = [
    "26 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
    "30 26 0:41 /@home /home rw - btrfs /dev/vdb rw",
    "31 30 0:50 / /home/with\\040space rw - tmpfs none rw",
    "32 26 0:51 /old /var/tmp rw - ext4 none rw",
    "33 26 0:52 /new /var/tmp rw - ext4 none rw",
  ].join("\n");
  expect(mountLine(table, "/home/u/ws")).toBe(" 0:41 /@home/u/ws");
  expect(mountLine(table, "/home")).toBe(" 0:41 /@home");
  expect(mountLine(table, "/homes/x")).toBe(" 254:0 /homes/x");
  expect(mountLine(table, "/home/with space/a\tb")).toBe(" 0:50 /a\\011b");
  expect(mountLine(table, "/var/tmp/x")).toBe(" 0:52 /new/x");
  expect(mountLine(table, "/")).toBe(" 254:0 /");
});
