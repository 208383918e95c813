import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { launch } from "./electron-stand-in/launch.ts";
import { connectTo } from "./support/host-socket.ts";
import { leftovers } from "./support/leftovers.ts";
import { startServe } from "./support/shells.ts";
import { createWorld, root, type World } from "./support/world.ts";

test.skip(process.platform !== "linux", "the process table of the tests is /proc");

/** For what has to run before anything is looked at: servers start slowly on a busy machine. */
const patient = { timeout: 30_000 };
let world: World;
test.afterEach(async () => {
  for (const line of leftovers(world)) process.kill(Number.parseInt(line), "SIGKILL");
  await world.stop();
});
const server = path.join(root, "e2e/fixtures/mcp-servers/misbehaving.mjs");
const file = (name: string): string => path.join(world.folder, name);
const pidIn = (name: string): number => Number(readFileSync(file(name), "utf8"));
const left = (...words: string[]): string[] =>
  leftovers(world).filter((line) => words.length === 0 || words.some((word) => line.includes(word)));

/** Three servers that do not end by themselves, and a plugin's tool that runs for an hour. */
async function createHardWorld(): Promise<void> {
  world = await createWorld({
    steps: [{ toolCalls: [{ name: "sleepy", input: {} }] }, { text: "done", repeat: true }],
  });
  const declare = (mode: string) => ({
    command: process.execPath,
    args: [server, mode, file(mode)],
    env: { CANARY: world.canary },
  });
  writeFileSync(
    path.join(world.workspace, ".agent/mcp.json"),
    JSON.stringify({
      mcpServers: {
        stubborn: declare("stubborn"),
        grandchild: declare("grandchild"),
        daemon: declare("daemon"),
      },
    }),
  );
  const plugin = path.join(world.workspace, ".agent/plugins/sleepy");
  mkdirSync(plugin, { recursive: true });
  const script = `trap '' TERM; echo $$ > ${file("tool")}; while :; do sleep 1; done`;
  writeFileSync(
    path.join(plugin, "plugin.json"),
    JSON.stringify({
      name: "sleepy",
      version: "1.0.0",
      description: "Sleeps.",
      tools: [
        {
          name: "sleepy",
          description: "Sleeps.",
          command: ["sh", "-c", script],
          parameters: { type: "object", properties: {} },
          perm: "read",
          timeout: 3600,
        },
      ],
    }),
  );
  const trusting = nacre("plugins", "trust");
  expect(await once(trusting, "exit")).toEqual([0, null]);
}
function nacre(...args: string[]): ChildProcess {
  return spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), ...args], {
    cwd: world.workspace,
    env: world.env,
    stdio: "ignore",
  });
}
/** Resolves when all of it runs: the servers, what they left, the tool, the helper. @returns every pid but the app's */
async function everythingRuns(app: number): Promise<number[]> {
  await expect
    .poll(() => ["grandchild", "daemon", "tool"].every((name) => existsSync(file(name))), patient)
    .toBe(true);
  await expect.poll(() => left("misbehaving.mjs stubborn", "helper.cjs").length, patient).toBe(2);
  // The helper hears of a tool only after it has started.
  await expect.poll(() => runFileOf(app), patient).toContain(`"pid":${pidIn("tool")}`);
  return leftovers(world)
    .map((line) => Number.parseInt(line))
    .filter((pid) => pid !== app);
}
function runFileOf(app: number): string {
  const folder = path.join(world.folder, "data/run");
  const name = readdirSync(folder).find((one) => one.startsWith(`${app}-`));
  return name === undefined ? "" : readFileSync(path.join(folder, name), "utf8");
}
const helperPid = (): number => Number.parseInt(left("helper.cjs")[0] ?? "");

/** `nacre serve` or `nacre run`, in the middle of a turn. */
async function inTheMiddle(shell: "serve" | "run"): Promise<{ pid: number; gone: Promise<unknown> }> {
  if (shell === "run") {
    const child = nacre("run", "begin");
    return { pid: child.pid ?? 0, gone: once(child, "exit") };
  }
  const served = await startServe(world);
  const socket = await connectTo(served.url);
  await expect.poll(() => left("misbehaving.mjs").length, patient).toBeGreaterThanOrEqual(3);
  const session = await socket.call("chat.create", {});
  await socket.call("chat.send", { sessionId: session["id"], text: "begin" });
  return { pid: served.pid, gone: served.gone };
}

for (const shell of ["serve", "run"] as const) {
  test(`kill -9 of ${shell} in a turn: no server, grandchild, daemon or tool is alive 3 s later`, async () => {
    await createHardWorld();
    const app = await inTheMiddle(shell);
    const pids = await everythingRuns(app.pid);
    expect(pids.length).toBeGreaterThanOrEqual(7);
    process.kill(app.pid, "SIGKILL");
    await expect.poll(() => leftovers(world), { timeout: 3_000 }).toEqual([]);
    expect(pids.filter(isRunning)).toEqual([]);
    await app.gone;
  });
}
/** False too for what has ended and was not collected. */
function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) [ZX]/.test(readFileSync(stat, "utf8"));
}

test("kill -9 of the helper: the servers go on, another one watches, and the app ends clean", async () => {
  await createHardWorld();
  const served = await startServe(world);
  await expect.poll(() => left("misbehaving.mjs", "helper.cjs").length, patient).toBe(4);
  const [first, servers] = [helperPid(), left("misbehaving.mjs")];
  process.kill(first, "SIGKILL");
  await expect.poll(() => left("helper.cjs").length === 1 && helperPid() !== first, patient).toBe(true);
  expect(left("misbehaving.mjs")).toEqual(servers);
  const socket = await connectTo(served.url);
  const session = await socket.call("chat.create", {});
  await socket.call("chat.send", { sessionId: session["id"], text: "begin" });
  await expect.poll(() => existsSync(file("tool")), patient).toBe(true);
  socket.close();
  await served.stop();
  expect(leftovers(world)).toEqual([]);
  expect(readdirSync(path.join(world.folder, "data/run"))).toEqual([]);
});

test("kill -9 of the desktop app and its helper at once: no server, grandchild, daemon or tool is alive 3 s later", async () => {
  await createHardWorld();
  const app = await launch({ args: [world.workspace], env: world.env });
  const pid = app.process().pid ?? 0;
  const page = await app.firstWindow();
  await expect.poll(() => left("misbehaving.mjs").length, patient).toBeGreaterThanOrEqual(3);
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill("begin");
  await box.press("Enter");
  await everythingRuns(pid);
  const ours = () =>
    left("misbehaving.mjs", "while :; do sleep", "sleep 1", "helper.cjs", "nacre-last-watch");
  const pids = ours().map((line) => Number.parseInt(line));
  expect(pids.length).toBeGreaterThanOrEqual(7);
  process.kill(pid, "SIGKILL");
  process.kill(helperPid(), "SIGKILL");
  await expect.poll(ours, { timeout: 3_000 }).toEqual([]);
  expect(pids.filter(isRunning)).toEqual([]);
  await app.close();
});

test("kill -9 of app and helper at once: the next start ends what was left, and nothing else", async () => {
  await createHardWorld();
  const app = await inTheMiddle("serve");
  await everythingRuns(app.pid);
  process.kill(helperPid(), "SIGKILL");
  process.kill(app.pid, "SIGKILL");
  await app.gone;
  await expect.poll(() => left("helper.cjs")).toEqual([]);
  const other = spawn("sleep", ["60"], { env: {}, stdio: "ignore" });
  expect(left("stubborn", "sleep 1").length).toBeGreaterThan(1);
  expect(await once(nacre("sessions", "list"), "exit")).toEqual([0, null]);
  await expect.poll(() => leftovers(world)).toEqual([]);
  expect(isRunning(other.pid ?? 0)).toBe(true);
  other.kill();
  expect(readdirSync(path.join(world.folder, "data/run"))).toEqual([]);
});
