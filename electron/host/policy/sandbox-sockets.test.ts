import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../config/world.testkit.ts";
import { helperKit, type HelperKit, parentOfChildren } from "../kit/helper/helper.testkit.ts";
import { run, stopAllProcesses } from "../kit/process.ts";
import { nothingGuarded } from "./guarded.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const nowhere = "/nonexistent-nacre-probe";
const probe = createSandbox({
  platform: process.platform,
  env: process.env,
  paths: { home: nowhere, config: nowhere, data: nowhere, cache: nowhere, cst: nowhere },
});
const canConfine = process.platform === "linux" && (await probe.verify()).ok;
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

let world: World;
let sandbox: Sandbox;
beforeEach(() => {
  world = createWorld("/var/tmp");
  sandbox = createSandbox({ platform: process.platform, env: process.env, paths: world.paths });
  fs.mkdirSync(path.join(world.top, "tmp"));
});
afterEach(() => world.remove());
async function confined(command: string, args: readonly string[], network = false): Promise<string> {
  const { workspace } = world;
  const tmp = path.join(world.top, "tmp");
  const guarded = [nothingGuarded(workspace)];
  const spec = await sandbox.wrap(
    { command, args, cwd: workspace },
    { workspace, writableRoots: [], network, tmp, guarded },
  );
  const { output, exit } = await run(spec);
  return `${output.trim()} (${exit.code})`;
}
const node = (script: string, network?: boolean): Promise<string> =>
  confined(process.execPath, ["-e", script], network);
const python = (script: string, network?: boolean): Promise<string> =>
  confined("python3", ["-c", script], network);
const perl = (script: string): Promise<string> => confined("perl", ["-MSocket", "-e", script]);

describe.runIf(canConfine)("a confined process", () => {
  test.each([false, true])(
    "makes no Unix socket, to connect or to listen, named or abstract (network: %s)",
    async (network) => {
      const name = `\0nacre-sandbox-${process.pid}`;
      const server = net.createServer((socket) => socket.end("reached"));
      await new Promise<void>((resolve) => server.listen(name, resolve));
      const tell = '.on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))';
      expect(await node(`require("net").connect(${JSON.stringify(name)})${tell}`, network)).toBe("EPERM (0)");
      server.close();
      expect(
        await node(
          'require("net").createServer().listen("own.sock").on("error", (e) => console.log(e.code))',
          network,
        ),
      ).toBe("EPERM (0)");
    },
  );
  test.runIf(has("perl"))(
    "whatever language it speaks, makes neither ring, nor key ring, nor x32 call",
    async () => {
      expect(await perl("socket(my $s, AF_UNIX, SOCK_STREAM, 0) or print 0 + $!")).toBe("1 (0)");
      // io_uring_setup, add_key, request_key and keyctl; 40 is AF_VSOCK, 0x40000029 x32's socket.
      const own = process.arch === "x64" ? [425, 248, 249, 250, 0x40000029] : [425, 217, 218, 219];
      const calls = own.map((call) => `$! = 0; syscall(${call}, 1, $memory, 0, 0); print 0 + $!, " ";`);
      expect(await perl(`my $memory = "\\0" x 200; ${calls.join("")}`)).toBe(
        `${own.map(() => 1).join(" ")} (0)`,
      );
      expect(await perl("socket(my $s, 40, SOCK_STREAM, 0) or print 0 + $!")).toBe("1 (0)");
    },
  );
  test.runIf(has("python3"))(
    "has connected pairs and pools of processes, but no pair of datagrams",
    async () => {
      expect(
        await python(
          "import socket; a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))\ntry: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\nexcept OSError as e: print(e.errno)",
        ),
      ).toBe("b'x'\n1 (0)");
      const pool = "import multiprocessing as m\nprint(m.get_context('fork').Pool(2).map(abs, [-1, -2]))";
      expect(await python(pool)).toBe("[1, 2] (0)");
    },
  );
  test("has pipes, children of its own with a channel, and TCP on its own loopback", async () => {
    world.write("ws/child.js", 'process.once("message", (m) => process.send(m + "!", () => process.exit()))');
    const script = `const { execSync, fork } = require("child_process");
console.log(execSync("echo a | tr a b", { encoding: "utf8" }).trim());
const server = require("net").createServer((s) => s.end("tcp")).listen(0, "127.0.0.1", () =>
  require("net").connect(server.address().port, "127.0.0.1").on("data", (d) => {
    console.log(String(d)); server.close();
    const child = fork("child.js"); child.on("message", (m) => console.log(m)); child.send("ipc");
  }));`;
    expect(await node(script)).toBe("b\ntcp\nipc! (0)");
  });
  test.runIf(has("npm"))("runs a script of npm", async () => {
    world.write("ws/package.json", '{"scripts": {"say": "node -e \\"console.log(1 + 1)\\""}}');
    expect(await confined("npm", ["run", "-s", "say"])).toBe("2 (0)");
  });
  test("inherits nothing of what the filter came by", async () => {
    const listed = await node(
      'console.log(require("fs").existsSync("/proc/self/fd/3") && require("fs").readlinkSync("/proc/self/fd/3"))',
    );
    expect(listed).not.toContain("socket:");
  });
  describe("that the helper starts", () => {
    let helper: HelperKit;
    beforeAll(async () => {
      helper = await helperKit();
      expect(await parentOfChildren()).not.toBe(process.pid);
    });
    afterAll(async () => {
      await stopAllProcesses();
      await helper.remove();
    });
    test("makes no Unix socket either", async () => {
      expect(await node('require("net").connect("/x").on("error", (e) => console.log(e.code))')).toBe(
        "EPERM (0)",
      );
    });
  });
});

test.runIf(canConfine)(
  "a machine without a filter of system calls has no sandbox, and says why",
  async () => {
    const none = createSandbox({
      platform: "linux",
      architecture: "riscv64",
      env: process.env,
      paths: world.paths,
    });
    expect(none.kind).toBe(null);
    const said = {
      kind: "bubblewrap",
      ok: false,
      reason: expect.stringMatching(/^on riscv64 nothing keeps/),
    };
    expect(none.state()).toMatchObject(said);
    expect(await none.verify()).toMatchObject(said);
  },
);
