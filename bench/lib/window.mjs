// Nacre in the browser shell, and a window at it: what the benches ask of both.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";
import { nacre, root } from "./worlds.mjs";

/**
 * Starts `nacre serve`.
 * @param {string} workspace @param {NodeJS.ProcessEnv} env @param {readonly string[]} [nodeArgs]
 */
export async function serve(workspace, env, nodeArgs = []) {
  const child = spawn(
    process.execPath,
    [...nodeArgs, nacre, "serve", "--no-open", "--workspace", workspace],
    { env, stdio: ["ignore", "pipe", "ignore"] },
  );
  const gone = new Promise((resolve) => child.once("exit", resolve));
  /** @type {string} */
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) =>
      reject(new Error(`nacre serve ended with ${code} before it had an address`)),
    );
  });
  return {
    pid: /** @type {number} */ (child.pid),
    url: new URL(JSON.parse(line).url),
    /** @param {NodeJS.Signals} signal */
    tell: (signal) => child.kill(signal),
    async stop() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** @param {import("ws").RawData} data one Buffer, as `ws` gives it unless told otherwise */
const messageOf = (data) => JSON.parse(/** @type {Buffer} */ (data).toString());

/** A window's socket, let in. @param {URL} url */
export async function openWindow({ origin, hash }) {
  const socket = new WebSocket(origin.replace("http", "ws"), { headers: { origin } });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ token: hash.slice("#token=".length) }));
  let id = 0;
  /** @param {(message: any) => boolean} isIt @returns {Promise<any>} the first message that it is */
  const hear = (isIt) =>
    new Promise((resolve) => {
      /** @param {import("ws").RawData} data */
      const listen = (data) => {
        const message = messageOf(data);
        if (!isIt(message)) return;
        socket.off("message", listen);
        resolve(message);
      };
      socket.on("message", listen);
    });
  return {
    hear,
    /** @param {(event: any) => void} listen hears each event of every topic that is subscribed to */
    onEvent: (listen) =>
      socket.on("message", (data) => {
        const { event } = messageOf(data);
        if (event !== undefined) listen(event);
      }),
    /** @param {string} method @param {object} input @returns {Promise<any>} */
    async call(method, input) {
      const own = ++id;
      const answer = hear((message) => message.id === own);
      socket.send(JSON.stringify({ id: own, method, input }));
      const { result } = await answer;
      if (!result.ok) throw new Error(result.error.message);
      return result.value;
    },
    close: () => socket.close(),
  };
}

/** Where a host leaves a figure: asks for it and waits. */
const figureFile = (/** @type {string} */ folder) => path.join(folder, "figure");

/**
 * The longest time that the host's thread was held. Begins to count when it is told (SIGUSR2), or when the host looks
 * into `from`; told at the end.
 * @param {string} folder @param {string} [from] a folder
 */
export function delayMeter(folder, from) {
  const file = figureFile(folder);
  return {
    nodeArgs: ["-r", path.join(root, "bench/lib/loop-delay.cjs")],
    env: { NACRE_BENCH_DELAY: file, ...(from === undefined ? {} : { NACRE_BENCH_FROM: from }) },
    /** ms; once the host has ended. */
    read: () => Number(readFileSync(file, "utf8")),
  };
}
/**
 * The host's memory after a full collection, in MB, whenever it is asked for.
 * @param {string} folder
 */
export function memoryMeter(folder) {
  const file = figureFile(folder);
  return {
    nodeArgs: ["--expose-gc", "-r", path.join(root, "bench/lib/memory-after-gc.cjs")],
    env: { NACRE_BENCH_MEMORY: file },
    /** @param {{tell(signal: NodeJS.Signals): unknown}} host @returns {Promise<{heap: number, rss: number}>} */
    async read(host) {
      rmSync(file, { force: true });
      host.tell("SIGUSR2");
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
      return JSON.parse(readFileSync(file, "utf8"));
    },
  };
}
