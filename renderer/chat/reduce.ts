import type { Entry, SessionEvent, SessionView } from "../../shared/session.ts";

export type Delta = Extract<SessionEvent, { type: "delta" }>;
/** What of a session is not its entries. */
export type SessionHead = Pick<SessionView, "row" | "running" | "runningSince" | "step" | "queued">;

/**
 * `text` with a piece put in at `at`, the length before it: applied twice it does nothing, half-known it adds the rest.
 * A piece that begins beyond the end belongs after one that is missing and is left out; a snapshot brings both.
 */
function joined(text: string, at: number, piece: string): string {
  if (at > text.length || at + piece.length <= text.length) return text;
  return at === text.length ? text + piece : text.slice(0, at) + piece;
}

/** The entry with the delta in it; the same object where there is nothing to do. */
export function applyDelta(entry: Entry, { field, at, text }: Delta): Entry {
  if (entry.type === "assistant" && field !== "output") {
    const next = joined(entry[field], at, text);
    return next === entry[field] ? entry : { ...entry, [field]: next };
  }
  if (entry.type === "tool" && field === "output") {
    const output = joined(entry.call.output, at, text);
    return output === entry.call.output ? entry : { ...entry, call: { ...entry.call, output } };
  }
  return entry;
}

/** The head after an event; the same object where the event is of an entry. */
export function reduceHead(head: SessionHead, event: SessionEvent): SessionHead {
  if (event.type === "row") return { ...head, row: event.row };
  if (event.type !== "running") return head;
  const { running, runningSince, step, queued } = event;
  return { ...head, running, runningSince, step, queued };
}

/** Ids of older entries before those that are there; one that is in both stays where it is. */
export const withOlder = (older: readonly string[], order: readonly string[]): readonly string[] => {
  const known = new Set(order);
  return [...older.filter((id) => !known.has(id)), ...order];
};
