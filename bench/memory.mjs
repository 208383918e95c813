// Peak memory of all Nacre's own processes together, without servers; the floor is the bare Node loop.
// Linux only: it reads /proc. node bench/memory.mjs [--rounds N]
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { interleave, report, rounds, scratch } from "./lib/measure.mjs";
import { startModel } from "./lib/model.mjs";
import { environment, nacre, root, writeSkills } from "./lib/worlds.mjs";

const folder = scratch();
const workspace = path.join(folder, "ws");
mkdirSync(workspace);
writeSkills(workspace, 20);
writeFileSync(path.join(workspace, "text.txt"), "A line of text.\n".repeat(2000));
const model = await startModel((step) =>
  step < 10 ? { name: "read_file", input: { path: "text.txt" } } : undefined,
);
const env = environment(path.join(folder, "home"), model.url);

/** Peak resident sizes of a process and all its descendants that are alive now, in MB. @param {number} pid @returns {Map<number, number>} */
function peaks(pid) {
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const found = new Map();
  for (const candidate of parents.keys()) {
    let up = candidate;
    while (up !== pid && parents.has(up)) up = parents.get(up);
    if (up !== pid) continue;
    try {
      const status = readFileSync(`/proc/${candidate}/status`, "utf8");
      found.set(candidate, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}
/** @param {string[]} args @returns {Promise<number>} */
function peak(args) {
  model.reset();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, cwd: workspace, stdio: "ignore" });
    /** @type {Map<number, number>} */
    const seen = new Map();
    const timer = setInterval(() => {
      for (const [pid, size] of peaks(/** @type {number} */ (child.pid)))
        seen.set(pid, Math.max(size, seen.get(pid) ?? 0));
    }, 10);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`${args.join(" ")} ended with ${code}`));
      else resolve([...seen.values()].reduce((sum, size) => sum + size, 0));
    });
  });
}
const figures = await interleave(
  {
    floor: () => peak([path.join(root, "bench/lib/floor.mjs"), workspace, model.url]),
    nacre: () => peak([nacre, "run", "go"]),
  },
  rounds(),
);
const held = report("peak memory, all own processes", figures, "MB", { below: 130 });
await model.stop();
process.exitCode = held ? 0 : 1;
