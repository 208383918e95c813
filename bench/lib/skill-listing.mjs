// The skills of a workspace listed as the app does, and the least that looking at their files costs.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { skillsFolder } from "./skill-library.mjs";

const require = createRequire(import.meta.url);
const nothing = () => undefined;
/** @param {string} message @param {unknown} data */
const fail = (message, data) => {
  throw new Error(`${message} ${JSON.stringify(data)}`);
};
const log = { debug: nothing, info: nothing, warn: fail, error: fail, child: () => log };

/**
 * A room of skills as a new start has it, with nothing in memory.
 * @param {string} room made by `buildSkillRoom` @param {string} workspace @param {string} home with the index
 */
export function createListing(room, workspace, home) {
  /** @type {{createLocalFiles(options: object): object; createSkills(options: object): {reload(): Promise<void>; look(): {resolved: readonly object[]}; saveIndex(): Promise<void>}}} */
  const { createSkills, createLocalFiles } = require(room);
  const skills = createSkills({
    workspace,
    paths: {
      home,
      config: path.join(home, "config"),
      data: path.join(home, "data"),
      cache: path.join(home, "cache"),
      cst: path.join(home, "cst"),
    },
    settings: () => ({
      dirs: [],
      strict: false,
      catalogDescriptionMaxLength: 500,
      placement: "reminder",
      resourceListing: "files",
      collectCacheMaxEntries: 128,
    }),
    env: {},
    files: createLocalFiles({ yields: false }),
    yields: false,
    switches: { isOn: () => true, set: nothing, onChange: { on: () => nothing } },
    rules: () => [],
    trusted: () => true,
    log,
  });
  return {
    /** @returns {Promise<number>} how many there are */
    async list() {
      await skills.reload();
      return skills.look().resolved.length;
    },
    /** Keeps the index for the next one. */
    save: () => skills.saveIndex(),
  };
}

/** @param {string} workspace */
export function statEach(workspace) {
  const root = path.join(workspace, skillsFolder);
  let count = 0;
  for (const name of readdirSync(root)) {
    statSync(`${root}/${name}/SKILL.md`);
    count++;
  }
  return count;
}
/** @param {string} workspace */
export function readEach(workspace) {
  const matter = require("gray-matter");
  const root = path.join(workspace, skillsFolder);
  let count = 0;
  for (const name of readdirSync(root)) {
    const text = readFileSync(`${root}/${name}/SKILL.md`, "utf8");
    try {
      matter(text, {});
    } catch {
      // One in a hundred is broken on purpose.
    }
    count++;
  }
  return count;
}

/** @param {() => number | Promise<number>} run answers a count @returns {Promise<{wall: number, cpu: number, count: number}>} ms */
export async function timed(run) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count = await run();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { wall, cpu: (user + system) / 1000, count };
}
