import type { Stats } from "node:fs";

/** File times may be this coarse, ms: what changed less long ago may change again and look the same. */
const fineTime = 50;
/** The same for a disk that keeps whole seconds (FAT: every second one). */
const wholeSeconds = 2_000;

/** Whether a file or folder may have changed at `moment`, ms since the epoch, or later, as far as its times tell. */
export function mayHaveChangedSince(
  { mtimeMs, ctimeMs }: Pick<Stats, "mtimeMs" | "ctimeMs">,
  moment: number,
): boolean {
  const coarse = mtimeMs % 1_000 === 0 ? wholeSeconds : fineTime;
  return moment - Math.max(mtimeMs, ctimeMs) < coarse;
}
