import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { Bench } from "./tools.testkit.ts";
import { type Attack, home, later, ws } from "./sandbox-attacks.testkit.ts";

/** A server of the host that answers `reached`. */
async function listen(address: string | { port: 0 }): Promise<net.Server> {
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end("reached");
  });
  if (typeof address === "string" && !address.startsWith("\0"))
    fs.mkdirSync(path.dirname(address), { recursive: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (typeof address === "string") server.listen(address, resolve);
    else server.listen(0, "127.0.0.1", resolve);
  });
  later(() => new Promise((resolve) => server.close(resolve)));
  return server;
}
/** A program of the host that listens and then does something more. @param name an expression of JavaScript */
async function daemon(folder: string, name: string, then = ""): Promise<void> {
  const script = `require("net").createServer((s) => s.end("reached")).listen(${name}, () => { ${then}; console.log("up") })`;
  const server = spawn(process.execPath, ["-e", script], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  later(() => server.kill("SIGKILL"));
  await new Promise((resolve) => server.stdout.once("data", resolve));
}
const connect = (to: string): string =>
  `node -e 'require("net").connect(${to}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
const reached = (_: Bench, output: string): boolean => output.includes("reached");
/** A socket of the host: what makes it, and how whoever attacks names it. */
const socketAttack = (
  name: string,
  address: (bench: Bench) => string,
  prepare: (bench: Bench) => Promise<void> = async (bench) => void (await listen(address(bench))),
): Attack => ({
  name,
  prepare,
  command: (bench) => connect(JSON.stringify(address(bench))),
  worked: reached,
});
const abstract = `\0nacre-escape-${process.pid}`;
let port = 0;

/** What listens on the host, however it is named, from a workspace of its own. */
export const socketAttacks: Attack[] = [
  {
    name: "reaches a loopback server",
    prepare: async () => {
      const address = (await listen({ port: 0 })).address();
      port = typeof address === "object" && address !== null ? address.port : 0;
    },
    command: () => connect(`${port}, "127.0.0.1"`),
    worked: reached,
  },
  socketAttack("reaches a socket in the home folder", (bench) => home(bench, "agent.sock")),
  socketAttack("reaches a socket in the workspace", (bench) => ws(bench, "run/host.sock")),
  socketAttack("reaches Docker's socket in the home folder", (bench) =>
    home(bench, ".docker/run/docker.sock"),
  ),
  socketAttack("reaches a socket in the host's /tmp", () => `/tmp/nacre-escape-${process.pid}.sock`),
  {
    name: "reaches a socket through a link, and after a rename of its folder",
    prepare: async (bench) => void (await listen(ws(bench, "run/host.sock"))),
    command: () => `mv run r2; ln -s r2/host.sock s; ${connect('"s"')}; ${connect('"r2/host.sock"')}`,
    worked: reached,
  },
  socketAttack(
    "reaches a socket that was bound by a relative name",
    (bench) => home(bench, "rel.sock"),
    (bench) => daemon(bench.paths.home, '"rel.sock"'),
  ),
  socketAttack("reaches an abstract socket", () => abstract),
  {
    name: "reaches a socket that is made while it runs",
    prepare(bench) {
      const timer = setInterval(() => {
        if (!fs.existsSync(ws(bench, "started"))) return;
        clearInterval(timer);
        void listen(home(bench, "late.sock"));
      }, 20);
      later(() => clearInterval(timer));
    },
    command: (bench) =>
      `touch started; while ! [ -S ${home(bench, "late.sock")} ]; do sleep 0.05; done; ${connect(JSON.stringify(home(bench, "late.sock")))}`,
    worked: reached,
  },
  socketAttack(
    "reaches a socket that was bound by a relative name, its program in another folder by now",
    (bench) => home(bench, "rel.sock"),
    (bench) => daemon(bench.paths.home, '"rel.sock"', 'process.chdir("/")'),
  ),
  socketAttack(
    "reaches a socket that was renamed",
    (bench) => home(bench, "new.sock"),
    async (bench) => {
      await listen(home(bench, "old.sock"));
      fs.renameSync(home(bench, "old.sock"), home(bench, "new.sock"));
    },
  ),
  socketAttack(
    "reaches a socket whose folder was renamed",
    (bench) => home(bench, "new/host.sock"),
    async (bench) => {
      await listen(home(bench, "old/host.sock"));
      fs.renameSync(home(bench, "old"), home(bench, "new"));
    },
  ),
  socketAttack(
    "reaches a socket by its second name",
    (bench) => home(bench, "second.sock"),
    async (bench) => {
      await listen(home(bench, "first.sock"));
      fs.linkSync(home(bench, "first.sock"), home(bench, "second.sock"));
    },
  ),
  socketAttack("reaches a socket with a line break in its name", (bench) => home(bench, "a\nb.sock")),
  socketAttack(
    "reaches a socket that was bound through /proc/self/fd",
    (bench) => home(bench, "through.sock"),
    (bench) =>
      daemon(bench.paths.home, '"/proc/self/fd/" + require("fs").openSync(".", "r") + "/through.sock"'),
  ),
  {
    name: "sends to a socket from one of a pair",
    prepare: (bench) =>
      new Promise((resolve) => {
        const script = `import os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("log.sock")
os.rename("log.sock", "renamed.sock")
print("up", flush=True)
s.recv(9)
open("heard", "w").close()`;
        const server = spawn("python3", ["-c", script], {
          cwd: bench.paths.home,
          stdio: ["ignore", "pipe", "ignore"],
        });
        later(() => server.kill("SIGKILL"));
        server.stdout.once("data", () => resolve());
      }),
    command: (bench) =>
      `python3 -c 'import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"evil", ${JSON.stringify(home(bench, "renamed.sock"))})'; sleep 0.3`,
    worked: (bench) => fs.existsSync(home(bench, "heard")),
  },
];
