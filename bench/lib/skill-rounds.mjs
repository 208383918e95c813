// Listings of skills beside their floors in one process, as in an app that runs: node bench/lib/skill-rounds.mjs ROOM
// WORKSPACE HOME ROUNDS. Prints ms a round, wall and CPU. In two rounds before the first that counts the engine learns
// both sides alike.
import { rmSync } from "node:fs";
import { createListing, readEach, statEach, timed } from "./skill-listing.mjs";

const [room = "", workspace = "", home = "", count = "9"] = process.argv.slice(2);
const learning = 2;
/** A listing without what the one before it left to be collected. @param {() => number | Promise<number>} run */
async function measured(run) {
  globalThis.gc?.();
  return timed(run);
}
/** @type {Record<string, {wall: number, cpu: number}[]>} */
const figures = { read: [], cold: [], stat: [], warm: [] };
for (let round = -learning; round < Number(count); round++) {
  rmSync(home, { recursive: true, force: true });
  const read = await measured(() => readEach(workspace));
  const first = createListing(room, workspace, home);
  const cold = await measured(() => first.list());
  await first.save();
  const stat = await measured(() => statEach(workspace));
  const next = createListing(room, workspace, home);
  const warm = await measured(() => next.list());
  if (round < 0) continue;
  for (const [name, figure] of Object.entries({ read, cold, stat, warm })) figures[name]?.push(figure);
}
console.log(JSON.stringify(figures));
