import type { Ids } from "../kit/clock.ts";

const timeAndCounter = 12;

/** An id that sorts after `last`, also where this machine's clock lies behind the one that wrote it. */
export function idAfter(last: string, ids: Ids): string {
  const id = ids.next();
  if (id > last) return id;
  const head = last.slice(0, timeAndCounter);
  if (!/^[0-9a-z]{12}$/.test(head) || /^z+$/.test(head)) return `${last}0`;
  return increment(head) + id.slice(timeAndCounter);
}
/** The next number of the same width, base 36. */
function increment(digits: string): string {
  const kept = digits.replace(/z+$/, "");
  const next = (Number.parseInt(kept.slice(-1), 36) + 1).toString(36);
  return (kept.slice(0, -1) + next).padEnd(digits.length, "0");
}
