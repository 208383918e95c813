import { timedList } from "../timed-list.ts";

/** Something that was just taken away and can be brought back. */
export interface Undoable {
  /** What was done, as a sentence. */
  readonly text: string;
  /** Where it lies meanwhile; empty where that says nothing. */
  readonly place: string;
  readonly undo: () => Promise<unknown>;
}
const most = 3;
/** How long it can be undone here, in ms. */
const lifetime = 10_000;
const offered = timedList<Undoable>(most, lifetime);
export const undoables = offered.list;
/** Offers to undo it, in every room. */
export const offerUndo = offered.add;
export const dismissUndo = offered.dismiss;
/** While true no offer ends by itself. */
export const keepUndo = offered.keep;
