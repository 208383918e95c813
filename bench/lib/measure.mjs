// Interleaved runs of two programs in one go: only ratios taken together mean anything.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** @param {readonly number[]} values */
export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? /** @type {number} */ (sorted[middle])
    : (/** @type {number} */ (sorted[middle - 1]) + /** @type {number} */ (sorted[middle])) / 2;
};

/**
 * Runs each program once a round, one after the other.
 * @param {Record<string, () => Promise<number>>} programs each answers one figure in ms (or MB)
 * @param {number} rounds
 * @returns {Promise<Record<string, number[]>>}
 */
export async function interleave(programs, rounds) {
  /** @type {Record<string, number[]>} */
  const figures = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, program] of Object.entries(programs)) figures[name]?.push(await program());
  return figures;
}

/** The number of rounds: at least 7, `--rounds N` for more. */
export const rounds = () => {
  const index = process.argv.indexOf("--rounds");
  return Math.max(7, index > 0 ? Number(process.argv[index + 1]) : 9);
};

/**
 * One line of the report: the median of each, the ratio to the floor, the goal and whether it holds.
 * @param {string} title @param {Record<string, number[]>} figures @param {string} unit
 * @param {{ratio?: number, more?: number, below?: number}} goal `ratio` × floor, `more` above the floor, `below` in units
 */
export function report(title, figures, unit, goal) {
  const medians = Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]));
  const floor = medians["floor"];
  const nacre = /** @type {number} */ (medians["nacre"]);
  const held =
    goal.below !== undefined
      ? nacre < goal.below
      : goal.more !== undefined
        ? nacre - Number(floor) <= goal.more
        : nacre / Number(floor) <= Number(goal.ratio);
  const wanted =
    goal.below !== undefined
      ? `< ${goal.below} ${unit}`
      : goal.more !== undefined
        ? `≤ floor + ${goal.more} ${unit}`
        : `≤ ${goal.ratio} × floor`;
  const parts = Object.entries(medians).map(([name, value]) => `${name} ${value.toFixed(1)} ${unit}`);
  const ratio = floor === undefined ? "" : ` · ratio ${(nacre / floor).toFixed(2)}`;
  const runs = Object.values(figures)[0]?.length ?? 0;
  console.log(
    `${title}: ${parts.join(" · ")}${ratio} · goal ${wanted} · ${held ? "held" : "MISSED"} (${runs} runs)`,
  );
  return held;
}

/** A folder that is gone when the bench ends. */
export function scratch() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "nacre-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
