import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { isObject } from "../../../shared/json.ts";
import type { Clock } from "../kit/clock.ts";
import { entriesOrNone, lookAt, realPath, systemCode, textOrNone, writeAtomic } from "../kit/files.ts";
import { clearMoved, moveTree, systemDisk, type Disk } from "./move-tree.ts";

/** What lies in the trash, as its `origin.json` says. */
export interface TrashEntry {
  readonly undo: string;
  readonly name: string;
  /** Where it lay, and goes back to. */
  readonly path: string;
  /** The folder that held it, links resolved: a link that was put there since leads elsewhere. */
  readonly folder: string;
  /** Where it lies meanwhile. */
  readonly place: string;
  /** ms since 1970. */
  readonly removedAt: number;
}
export interface Trash {
  /** @throws NacreError `io`; then it stands where it stood */
  put(what: { readonly name: string; readonly path: string }): Promise<TrashEntry>;
  /**
   * Back to the very place. Gives what was restored.
   * @throws NacreError `not_found` for what is not there (any more), `already_exists` where something has taken its place
   */
  restore(undo: string): Promise<TrashEntry>;
  /** Newest first. */
  list(): readonly TrashEntry[];
  /** Removes for good what has lain there for more than 30 days. */
  sweep(): Promise<void>;
}
export interface TrashOptions {
  /** `<data>/trash`, made when something is put in. */
  readonly folder: string;
  readonly clock: Clock;
  readonly disk?: Disk;
}
const keptMs = 30 * 24 * 60 * 60 * 1000;
const undoId = /^[0-9a-f]{32}$/;
const originFile = "origin.json";

/** The app's own trash: each removed thing in a folder of its own, with a note of where it lay. Nothing is kept in memory. */
export function createTrash({ folder, clock, disk = systemDisk }: TrashOptions): Trash {
  const placeOf = (undo: string, at: string): string => path.join(folder, undo, "files", path.basename(at));
  const entryOf = (undo: string): TrashEntry | undefined => {
    const text = undoId.test(undo) ? textOrNone(path.join(folder, undo, originFile)) : undefined;
    const origin = text === undefined ? undefined : readOrigin(text);
    if (!origin) return undefined;
    const place = placeOf(undo, origin.path);
    return lookAt(place) ? { undo, place, ...origin } : undefined;
  };
  const list = (): readonly TrashEntry[] =>
    entriesOrNone(folder)
      .flatMap(({ name }) => entryOf(name) ?? [])
      .sort((a, b) => b.removedAt - a.removedAt);
  const clearLeft = async (entries: readonly TrashEntry[]): Promise<void> => {
    for (const entry of entries) await clearMoved(entry.path, entry.place, disk);
  };
  const drop = (undo: string): Promise<void> => disk.remove(path.join(folder, undo));

  return {
    async put({ name, path: at }) {
      await clearLeft(list().filter((other) => other.path === at));
      const undo = randomBytes(16).toString("hex");
      const origin = { name, path: at, folder: realPath(path.dirname(at)), removedAt: clock.now() };
      const entry: TrashEntry = { undo, place: placeOf(undo, at), ...origin };
      // The note first: what lies there without one could not go back.
      await writeAtomic(
        path.join(folder, undo, originFile),
        `${JSON.stringify({ version: 1, ...origin })}\n`,
      );
      await fs.promises.mkdir(path.dirname(entry.place));
      try {
        await moveTree(at, entry.place, disk);
      } catch (error) {
        const isGone = !lookAt(at) && !lookAt(entry.place);
        if (isGone || lookAt(at)) await drop(undo);
        // By another window, since it was looked at.
        throw isGone ? new NacreError("not_found", `it is gone already: ${at}`) : error;
      }
      return entry;
    },
    async restore(undo) {
      if (!undoId.test(undo))
        throw new NacreError(
          "not_found",
          `${undo.slice(0, 100)} is the id of nothing in the trash; look at what lies there`,
        );
      const entry = entryOf(undo);
      if (!entry)
        throw new NacreError(
          "not_found",
          "it is not in the trash any more: it was restored, or 30 days are over",
        );
      const { path: at } = entry;
      if (lookAt(at))
        throw new NacreError(
          "already_exists",
          `${at} was not restored: something else stands there now; move that away first (${entry.place} is what was removed)`,
        );
      await fs.promises.mkdir(path.dirname(at), { recursive: true });
      if (realPath(path.dirname(at)) !== entry.folder)
        throw new NacreError(
          "denied",
          `${at} was not restored: its folder leads elsewhere now; what was removed lies at ${entry.place}`,
        );
      await moveTree(entry.place, at, disk);
      await drop(undo);
      return entry;
    },
    list,
    async sweep() {
      await clearLeft(list());
      for (const { name } of entriesOrNone(folder)) {
        if (!undoId.test(name)) continue;
        const since = entryOf(name)?.removedAt ?? madeAt(path.join(folder, name));
        if (clock.now() - since > keptMs) await drop(name);
      }
    },
  };
}
type Origin = Omit<TrashEntry, "undo" | "place">;
function readOrigin(text: string): Origin | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A note that was cut off: it is swept with what lies beside it.
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { name, path: at, folder, removedAt } = value;
  const isWhole =
    typeof name === "string" &&
    typeof at === "string" &&
    path.isAbsolute(at) &&
    typeof folder === "string" &&
    typeof removedAt === "number";
  return isWhole ? { name, path: at, folder, removedAt } : undefined;
}
function madeAt(at: string): number {
  try {
    return fs.statSync(at).mtimeMs;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // Gone in this moment, by another window: then there is nothing to sweep.
    return Number.POSITIVE_INFINITY;
  }
}
