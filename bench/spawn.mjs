// What starting a program costs a host of 20 MB and one of 400 MB: time until it runs, and how long the host's thread is
// held, started by the host itself and by the helper, beside a bare spawn of Node in the same host. Not on Windows.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { interleave, median, rounds, scratch } from "./lib/measure.mjs";
import { root } from "./lib/worlds.mjs";

const folder = scratch();
/** @param {string} name @param {string} entry */
const bundle = (name, entry) =>
  build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: path.join(root, entry),
      outDir: path.join(folder, name),
      target: "node20",
      rolldownOptions: { output: { format: "cjs", entryFileNames: `${name}.cjs` } },
    },
  });
await Promise.all([
  bundle("process", "electron/host/kit/process.ts"),
  bundle("helper", "electron/host/kit/helper/main.ts"),
]);
const kit = await import(pathToFileURL(path.join(folder, "process/process.cjs")).href);
const helper = path.join(folder, "helper/helper.cjs");
const program = { command: "/bin/true", args: [], env: { PATH: process.env["PATH"] } };
const megabyte = 2 ** 20;

/** The longest time between two turns of the thread while `work` goes on, ms. @param {() => Promise<unknown>} work */
async function heldDuring(work) {
  let longest = 0;
  let last = performance.now();
  let going = true;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (going) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  tick();
  going = false;
  return longest;
}
/** From so many bytes on the helper starts the programs. @param {number} spawnAbove @returns {() => Promise<void>} */
const keep = (spawnAbove) =>
  kit.keepChildren(
    {
      folder: path.join(folder, "run"),
      env: process.env,
      report: () => undefined,
      startHelper: (/** @type {NodeJS.ProcessEnv} */ env) => kit.forkHelper(helper, env),
    },
    spawnAbove,
  );
const bare = async () => {
  const child = spawn(program.command, program.args, { env: program.env, detached: true });
  await once(child, "close");
};
const ours = () => kit.run(program);

/** @type {Buffer[]} */
const ballast = [];
const release = keep(0);
const first = await kit.spawn({ ...program, command: "/bin/sleep", args: ["1000"] });
await kit.helperSettled();
await first.stop();
const count = Math.max(15, rounds());
for (const size of [20, 400]) {
  while (ballast.length < size) ballast.push(Buffer.alloc(megabyte, 1));
  /** @type {Record<string, () => Promise<number>>} */
  const times = {};
  /** @type {Record<string, number[]>} */
  const held = { bare: [], direct: [], helper: [] };
  for (const [name, work, above] of /** @type {const} */ ([
    ["bare", bare, 0],
    ["direct", ours, Infinity],
    ["helper", ours, 0],
  ]))
    times[name] = async () => {
      // The helper stays: `release` below holds it.
      const leave = keep(above);
      let took = 0;
      const longest = await heldDuring(async () => {
        const begin = performance.now();
        await work();
        took = performance.now() - begin;
      });
      held[name]?.push(longest);
      await leave();
      return took;
    };
  const figures = await interleave(times, count);
  /** @param {Record<string, number[]>} all */
  const line = (all) =>
    Object.entries(all)
      .map(([name, values]) => `${name} ${median(values).toFixed(1)} ms`)
      .join(" · ");
  console.log(`host of ${size} MB and Node's own, /bin/true to its end: ${line(figures)} (${count} runs)`);
  console.log(`host of ${size} MB, its thread held for: ${line(held)}`);
}
await release();
