// Lists the skills of a workspace as the app does: node bench/lib/list-skills.mjs ROOM WORKSPACE HOME [save]
// Prints ms, wall and CPU. With `save` the index is kept for the next run.
import { createRequire } from "node:module";
import path from "node:path";

const [room = "", workspace = "", home = "", save] = process.argv.slice(2);
/** @type {{createLocalFiles(options: object): object; createSkills(options: object): {reload(): Promise<void>; look(): {resolved: readonly object[]}; saveIndex(): Promise<void>}}} */
const { createSkills, createLocalFiles } = createRequire(import.meta.url)(room);
const nothing = () => undefined;
/** @param {string} message @param {unknown} data */
const fail = (message, data) => {
  throw new Error(`${message} ${JSON.stringify(data)}`);
};
const log = { debug: nothing, info: nothing, warn: fail, error: fail, child: () => log };
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
const cpu = process.cpuUsage();
const start = performance.now();
await skills.reload();
const count = skills.look().resolved.length;
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
if (save === "save") await skills.saveIndex();
console.log(JSON.stringify({ wall, cpu: (user + system) / 1000, count }));
