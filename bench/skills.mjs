// What thousands of skills cost: cold and warm listings beside the least that reading them costs, in fresh processes.
// node bench/skills.mjs [--rounds N] [--sample]
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { interleave, report, rounds, scratch } from "./lib/measure.mjs";
import { runNode } from "./lib/run.mjs";
import { seed, writeLibrary } from "./lib/skill-library.mjs";
import { buildSkillRoom } from "./lib/skill-room.mjs";
import { root } from "./lib/worlds.mjs";

const isSample = process.argv.includes("--sample");
const count = isSample ? 250 : 5_000;
const folder = scratch();
console.log(`seed ${seed} · ${count} skills`);
const room = await buildSkillRoom(folder);

/** @param {string} name @param {number} size */
function world(name, size) {
  const workspace = path.join(folder, name);
  mkdirSync(workspace);
  writeLibrary(workspace, size);
  return { workspace, home: path.join(folder, `${name}-home`) };
}
/**
 * One run in a process of its own.
 * @param {string} program in bench/lib @param {readonly string[]} args
 * @returns {Promise<{wall: number, cpu: number, count: number}>} ms
 */
async function measured(program, args) {
  const { stdout } = await runNode([path.join(root, "bench/lib", program), ...args], process.env, folder);
  return JSON.parse(stdout);
}
/** @param {{workspace: string, home: string}} where @param {"read" | "stat"} what */
const floorOf = ({ workspace }, what) => measured("skills-floor.mjs", [what, workspace]);
/** @param {{workspace: string, home: string}} where */
async function cold({ workspace, home }) {
  rmSync(home, { recursive: true, force: true });
  return measured("list-skills.mjs", [room, workspace, home, "save"]);
}
/** @param {{workspace: string, home: string}} where */
const warm = ({ workspace, home }) => measured("list-skills.mjs", [room, workspace, home]);

/**
 * Wall time decides; CPU time, of all threads, is told beside it, as other work on the machine touches it less.
 * @param {string} title @param {number} goal
 * @param {() => Promise<{wall: number, cpu: number}>} floor @param {() => Promise<{wall: number, cpu: number}>} nacre
 */
async function ratio(title, goal, floor, nacre) {
  /** @type {{floor: number[], nacre: number[]}} */
  const cpu = { floor: [], nacre: [] };
  /** @param {"floor" | "nacre"} name @param {() => Promise<{wall: number, cpu: number}>} run */
  const one = (name, run) => async () => {
    const figure = await run();
    cpu[name].push(figure.cpu);
    return figure.wall;
  };
  const wall = await interleave({ floor: one("floor", floor), nacre: one("nacre", nacre) }, rounds());
  const held = report(title, wall, "ms", { ratio: goal });
  report("  CPU", cpu, "ms", { ratio: goal });
  return held;
}

const library = world("library", count);
const held = [
  await ratio(
    "cold listing beside readdir, read, gray-matter",
    1.3,
    () => floorOf(library, "read"),
    () => cold(library),
  ),
  await ratio(
    "warm listing beside one stat each",
    2.5,
    () => floorOf(library, "stat"),
    () => warm(library),
  ),
];
process.exitCode = held.every(Boolean) ? 0 : 1;
