/**
 * Long proofs have two sizes: a sample in `npm test`, the whole with `npm run soak`. `scripts/test.mjs` says which, and
 * prints the seed that repeats a run (`NACRE_SEED`).
 */
export const proofSize = (sample: number, whole: number): number =>
  process.env["NACRE_SOAK"] === "1" ? whole : sample;

/** For fast-check: how many runs, and the seed where one was given; a failure names its own. */
export function proof(sample: number, whole: number): { numRuns: number; seed?: number } {
  const seed = Number(process.env["NACRE_SEED"] ?? Number.NaN);
  return { numRuns: proofSize(sample, whole), ...(Number.isInteger(seed) ? { seed } : {}) };
}
