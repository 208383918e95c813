import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { run, spawn, type SpawnSpec } from "../kit/process.ts";
import { groupIsRunning, processesWith } from "../kit/process-table.ts";
import { ProtectedTrees } from "./guarded.ts";
import { type Confinement, confinementRoots, createSandbox, type Sandbox } from "./sandbox.ts";
import { userPlaces } from "./user-places.ts";

let world: World;
let sandbox: Sandbox;
let confinement: Confinement;
beforeEach(() => setUp("/var/tmp"));
function setUp(parent: string): void {
  world = createWorld(parent);
  sandbox = createSandbox({ platform: process.platform, env: process.env, paths: world.paths });
  fs.mkdirSync(path.join(world.top, "tmp"));
  confinement = {
    workspace: world.workspace,
    writableRoots: [],
    network: false,
    tmp: path.join(world.top, "tmp"),
  };
}
afterEach(() => world.remove());

const wrap = async (spec: SpawnSpec, over: Confinement): Promise<SpawnSpec> => {
  const trees = new ProtectedTrees(userPlaces(world.paths));
  const guarded = await Promise.all(confinementRoots(over).map((root) => trees.scan(root)));
  return sandbox.wrap(spec, { ...over, guarded });
};
const shell = async (
  script: string,
  over: Partial<Confinement> = {},
): Promise<{ code: number | null; output: string }> => {
  const spec = { command: "sh", args: ["-c", script], env: { PATH: process.env["PATH"] } };
  const { exit, output } = await run(await wrap(spec, { ...confinement, ...over }));
  return { code: exit.code, output };
};
const works = createSandbox({ platform: process.platform, env: process.env, paths: createProbePaths() });
function createProbePaths(): World["paths"] {
  const nowhere = "/nonexistent-nacre-probe";
  return { home: nowhere, config: nowhere, data: nowhere, cache: nowhere, cst: nowhere };
}
const canConfine = process.platform === "linux" && (await works.verify()).ok;

describe.skipIf(!canConfine)("bubblewrap", () => {
  test("writes land in the workspace and in a /tmp of its own, nowhere else", async () => {
    const root = path.join(world.top, "root");
    fs.mkdirSync(root);
    const result = await shell(
      `echo in > inside.txt; echo t > /tmp/mine.txt; echo r > ${root}/root.txt
       for place in /etc /usr /var/tmp ${world.paths.home} ${world.top}; do echo x > "$place/nacre-escape" && echo "wrote $place"; done; true`,
      { writableRoots: [root] },
    );
    expect(result.output).not.toContain("wrote");
    expect(world.read("ws/inside.txt")).toBe("in\n");
    expect(world.read("tmp/mine.txt")).toBe("t\n");
    expect(fs.readFileSync(path.join(root, "root.txt"), "utf8")).toBe("r\n");
    expect(fs.existsSync("/etc/nacre-escape")).toBe(false);
    expect(fs.existsSync(path.join(world.top, "nacre-escape"))).toBe(false);
  });
  test("mounts cannot be undone", async () => {
    const result = await shell(
      "mount -o remount,rw / && echo undone; umount /tmp && echo undone; mount -t tmpfs x /etc && echo undone; true",
    );
    expect(result.output).not.toContain("undone");
  });
  test("the kernel's settings are read-only, for root too", async () => {
    const file = "/proc/sys/kernel/hostname";
    const result = await shell(`cat ${file} > ${file} && echo written; cat ${file} | wc -l`);
    expect(result.output).not.toContain("written");
    expect(result.output.trim()).toMatch(/1$/);
  });
  test("the host's network, sockets and processes are out of reach", async () => {
    const server = net.createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const connect = `node -e 'require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    expect((await shell(connect)).output.trim()).toBe("ECONNREFUSED");
    expect((await shell(connect, { network: true })).output.trim()).toBe("reached");
    server.close();
    expect((await shell("ls -A /run; ls /proc | grep -c '^[0-9]'")).output.trim().split("\n")).toHaveLength(
      1,
    );
  });
  test("keys and the app's own files are empty, also where they lie in the workspace", async () => {
    world.write("home/.ssh/id_rsa", "key");
    world.write("config/settings.json", "{}");
    world.write("data/trust/x.json", "{}");
    const paths = `${world.paths.home}/.ssh ${world.paths.config} ${world.paths.data}`;
    const script = `for f in ${paths}; do ls -A "$f"; touch "$f/new" && echo "wrote $f"; done; true`;
    expect((await shell(script, { workspace: world.top })).output).not.toMatch(/id_rsa|settings|trust|wrote/);
    expect((await shell(script)).output).not.toMatch(/id_rsa|settings|trust|wrote/);
    expect(world.read("home/.ssh/id_rsa")).toBe("key");
  });
  test("a workspace below a hidden folder stays in reach", async () => {
    world.write("data/remote/ws/file.txt", "here");
    const workspace = path.join(world.paths.data, "remote/ws");
    const result = await shell(
      `cat ${workspace}/file.txt; ls ${world.paths.data}; echo ok > ${workspace}/out`,
      { workspace },
    );
    expect(result.output).toBe("hereremote\n");
    expect(world.read("data/remote/ws/out")).toBe("ok\n");
  });
  test("a workspace and a skill in the host's /tmp stand in the /tmp of the sandbox", async () => {
    world.remove();
    setUp("/tmp");
    const skill = path.dirname(world.write("config/skills/pdf/run.sh", "echo ran"));
    world.write("config/settings.json", "{}");
    const script = `sh ${skill}/run.sh; echo x > ${skill}/new || echo closed; ls ${world.paths.config}; echo in > file`;
    const result = await shell(script, { readableRoots: [skill] });
    expect(result.output.replaceAll(/^sh:.*\n/gm, "")).toBe("ran\nclosed\nskills\n");
    expect(world.read("ws/file")).toBe("in\n");
    expect(fs.existsSync("/tmp/mine.txt")).toBe(false);
  });
  test("protected folders are read-only and cannot be moved away; commits work", async () => {
    for (const name of [".agent", ".claude", "packages/a/.agents"]) world.write(`ws/${name}/file`, "old");
    world.write("ws/.mcp.json", "{}");
    const git = await run({ command: "git", args: ["init", "-q"], cwd: world.workspace });
    expect(git.exit.code).toBe(0);
    const result = await shell(
      `for f in .agent/file .claude/new packages/a/.agents/file .mcp.json .git/hooks/pre-commit .git/config .git/info/exclude .git/modules/x
       do echo new > $f && echo "wrote $f"; done
       for f in .agent .git .git/hooks packages packages/a; do mv $f moved && echo "moved $f"; done
       rm -rf .agent && echo removed
       echo text > code.txt; git add code.txt && git -c user.name=n -c user.email=n@n commit -q -m done && echo committed`,
    );
    expect(result.output).not.toMatch(/^(wrote|moved|removed)/m);
    expect(result.output).toContain("committed");
    expect(world.read("ws/.agent/file")).toBe("old");
    expect(world.read("ws/packages/a/.agents/file")).toBe("old");
  });
  test("protected folders are found deep in a wide tree, and in vendor", async () => {
    for (let at = 0; at < 150; at++) world.write(`ws/wide/${at}/file`, "");
    const files = ["vendor/a/.agent/file", "apps/web/src/a/b/.claude/file"];
    for (const file of files) world.write(`ws/${file}`, "old");
    const result = await shell(
      `for f in ${files.join(" ")}; do echo new > $f && echo "wrote $f"; done; true`,
    );
    expect(result.output).not.toMatch(/^wrote/m);
    for (const file of files) expect(world.read(`ws/${file}`)).toBe("old");
  });
  test("the exit code passes, and the working directory is the one asked for", async () => {
    world.write("ws/sub/file", "");
    const spec = {
      command: "sh",
      args: ["-c", "pwd; echo $TMPDIR; exit 7"],
      cwd: path.join(world.workspace, "sub"),
    };
    const { exit, output } = await run(await wrap(spec, confinement));
    expect(exit.code).toBe(7);
    expect(output).toBe(`${world.workspace}/sub\n/tmp\n`);
  });
  test("stopping ends everything inside, also what left the group", async () => {
    const marker = path.join(world.workspace, "beat");
    const script = `BEAT=${marker} setsid sh -c 'while :; do date +%N > ${marker}; sleep 0.02; done' & sleep 300`;
    const child = await spawn(await wrap({ command: "sh", args: ["-c", script] }, confinement));
    await expect.poll(() => fs.existsSync(marker), { timeout: 15_000 }).toBe(true);
    expect(processesWith("BEAT", marker)).not.toEqual([]);
    await child.stop();
    await expect.poll(() => processesWith("BEAT", marker)).toEqual([]);
  });
  test("what is stopped gets TERM and time to tidy up, whatever waits for it", async () => {
    const ready = path.join(world.workspace, "ready");
    // As a shell with git in it: the shell ends at once, git takes its lock away first.
    world.write(
      "ws/git.sh",
      "trap 'sleep 0.3; rm lock; exit 1' TERM\ntouch lock ready\nwhile :; do sleep 0.05; done",
    );
    const spec = { command: "sh", args: ["-c", "sh git.sh; true"], cwd: world.workspace };
    const child = await spawn(await wrap(spec, confinement));
    await expect.poll(() => fs.existsSync(ready), { timeout: 15_000 }).toBe(true);
    await child.stop();
    expect(fs.readdirSync(world.workspace).toSorted()).toEqual(["git.sh", "ready"]);
  });
  test("what does not heed TERM ends all the same", async () => {
    const spec = { command: "sh", args: ["-c", "trap '' TERM; touch ready; while :; do sleep 1; done"] };
    const child = await spawn(await wrap(spec, confinement));
    await expect
      .poll(() => fs.existsSync(path.join(world.workspace, "ready")), { timeout: 15_000 })
      .toBe(true);
    await child.stop();
    expect(groupIsRunning(child.pid)).toBe(false);
  });
  test("the agents of the host are not named to what runs confined", async () => {
    const env = { PATH: process.env["PATH"], SSH_AUTH_SOCK: "/tmp/agent", KEPT: "yes" };
    const { output } = await run(await wrap({ command: "env", args: [], env }, confinement));
    expect(output).toContain("KEPT=yes");
    expect(output).not.toContain("SSH_AUTH_SOCK");
  });
});

test("without the program there is no sandbox, and the reason says what to install", async () => {
  const none = createSandbox({ platform: "linux", env: { PATH: world.top }, paths: world.paths });
  expect(none.kind).toBe(null);
  const said = { kind: null, ok: false, reason: "bubblewrap is not installed", fix: expect.any(String) };
  expect(none.state()).toMatchObject(said);
  expect(await none.verify()).toMatchObject(said);
  await expect(none.wrap({ command: "true", args: [] }, { ...confinement, guarded: [] })).rejects.toThrow(
    /nothing can run confined here: bubblewrap is not installed; .*bubblewrap/,
  );
});
test("a program that does not work is found out once, and then there is none", async () => {
  fs.writeFileSync(path.join(world.top, "bwrap"), "#!/bin/sh\necho no namespaces here\nexit 1\n", {
    mode: 0o755,
  });
  const broken = createSandbox({ platform: "linux", env: { PATH: `${world.top}:/bin` }, paths: world.paths });
  expect(broken.kind).toBe("bubblewrap");
  expect(broken.state()).toEqual({ kind: "bubblewrap", ok: true });
  expect(await broken.verify()).toMatchObject({
    kind: "bubblewrap",
    ok: false,
    reason: "bubblewrap does not work here: no namespaces here",
  });
  expect(broken.kind).toBe(null);
  expect(broken.state()).toMatchObject({ kind: "bubblewrap", ok: false });
});
