import type { Entry } from "../../shared/session.ts";
import { isRead } from "./tool-summary.ts";

/** Entries that are drawn together: calls of one step under each other, runs of reads in one quiet group. */
export interface Segment {
  /** Of the first entry: stays the same while the segment grows. */
  readonly id: string;
  readonly kind: "entry" | "calls" | "reads";
  readonly ids: readonly string[];
}

/** What an entry is drawn among; it stays the same while the entry grows. */
export const entryKind = (entry: Entry): Segment["kind"] =>
  entry.type !== "tool" ? "entry" : isRead(entry.call.name) ? "reads" : "calls";

/** Groups neighbours. A group of reads has at least two. */
export function segments(order: readonly string[], kindOf: (id: string) => Segment["kind"]): Segment[] {
  const found: { id: string; kind: Segment["kind"]; ids: string[] }[] = [];
  for (const id of order) {
    const kind = kindOf(id);
    const last = found.at(-1);
    if (kind !== "entry" && last?.kind === kind) last.ids.push(id);
    else found.push({ id, kind, ids: [id] });
  }
  return found.map((segment) =>
    segment.kind === "reads" && segment.ids.length === 1 ? { ...segment, kind: "calls" } : segment,
  );
}
