// The longest time that the host's thread is held after start, in the browser shell: a window looks, asks, 20 tools run.
// A goal in ms, not a ratio: it counts what a window would feel. Not on Windows (signals).
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";
import { interleave, report, rounds, scratch } from "./lib/measure.mjs";
import { startModel } from "./lib/model.mjs";
import { environment, nacre, root, writeServers, writeSkills } from "./lib/worlds.mjs";

const folder = scratch();
const workspace = path.join(folder, "ws");
mkdirSync(workspace);
writeSkills(workspace, 1000);
writeFileSync(path.join(workspace, "text.txt"), "A line of text.\n".repeat(2000));
const model = await startModel((step) =>
  step < 20
    ? {
        name: step % 2 === 0 ? "read_file" : "mcp__small-0__echo",
        input: step % 2 === 0 ? { path: "text.txt" } : { text: "hi" },
      }
    : undefined,
);
const env = {
  ...environment(path.join(folder, "home"), model.url),
  NACRE_BENCH_DELAY: path.join(folder, "delay"),
};
mkdirSync(env.NACRE_CONFIG_DIR, { recursive: true });
writeFileSync(path.join(env.NACRE_CONFIG_DIR, "mcp.json"), writeServers(folder, 2));
const meter = path.join(root, "bench/lib/loop-delay.cjs");

/** @param {import("ws").RawData} data one Buffer, as `ws` gives it unless told otherwise */
const messageOf = (data) => JSON.parse(/** @type {Buffer} */ (data).toString());
/** @param {import("node:child_process").ChildProcess} child */
async function stopped(child) {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
  return Number(readFileSync(env.NACRE_BENCH_DELAY, "utf8"));
}
async function host() {
  model.reset();
  const child = spawn(
    process.execPath,
    ["-r", meter, nacre, "serve", "--no-open", "--workspace", workspace],
    {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const line = await new Promise((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  const { origin, hash } = new URL(JSON.parse(line).url);
  // Start is over when the address is printed.
  child.kill("SIGUSR2");
  const socket = new WebSocket(origin.replace("http", "ws"), { headers: { origin } });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ token: hash.slice("#token=".length) }));
  let id = 0;
  /** @param {string} method @param {object} input @returns {Promise<{id?: string}>} */
  const call = (method, input) =>
    new Promise((resolve, reject) => {
      const own = ++id;
      /** @param {import("ws").RawData} data */
      const hear = (data) => {
        const message = messageOf(data);
        if (message.id !== own) return;
        socket.off("message", hear);
        if (message.result.ok) resolve(message.result.value);
        else reject(new Error(message.result.error.message));
      };
      socket.on("message", hear);
      socket.send(JSON.stringify({ id: own, method, input }));
    });
  await call("topic.subscribe", { topic: "workspace" });
  const session = await call("chat.create", {});
  await call("topic.subscribe", { topic: `session:${session.id}` });
  const ended = new Promise((resolve) => {
    socket.on("message", (data) => {
      const { event } = messageOf(data);
      if (event?.type === "entry" && event.entry.type === "turn_end") resolve(undefined);
    });
  });
  await call("chat.send", { sessionId: session.id, text: "go" });
  await ended;
  socket.close();
  return stopped(child);
}
const held = report("longest block of the host's thread", await interleave({ nacre: host }, rounds()), "ms", {
  below: 50,
});
await model.stop();
process.exitCode = held ? 0 : 1;
