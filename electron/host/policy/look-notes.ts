import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import { entriesOrNone, isFolder, isInside, lookOrNone, textOrNone } from "../kit/files.ts";
import {
  isAlive,
  ownIdentity,
  parseIdentity,
  parseJson,
  type ProcessIdentity,
} from "../kit/process-identity.ts";
import type { Guarded, LinkEnd } from "./guarded.ts";

const ending = ".look";

/** What `newlyProtected` and `quarantine` need of a look before a run. */
export type NotedLook = Pick<Guarded, "root" | "names" | "links" | "closed" | "unseen">;

/** What is mounted for a run, and where it may write; real paths. */
export interface RunPlaces {
  /** They exist, or are made for it. */
  readonly mounts: readonly string[];
  readonly writable: readonly string[];
}
/** What became of a note. */
export interface LookNote {
  /** Removes it. */
  readonly forget: () => void;
  /**
   * No other run, of this process or another, can exchange anything that is mounted for this one: what it may write in is
   * mounted for it as well, the very same folder or file, and so cannot be renamed by it.
   */
  readonly alone: boolean;
}
/**
 * Keeps in a file of `folder` (`<data>/run`) what was seen before a confined run, so that what the run makes is found also
 * when this process, `owner`, is killed. Then looks at the notes of the other runs. @throws what the file system throws
 */
export function noteLook(
  folder: string,
  owner: ProcessIdentity,
  looks: readonly NotedLook[],
  places: RunPlaces,
): LookNote {
  if (!isFolder(folder)) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = randomBytes(8).toString("hex") + ending;
  const file = path.join(folder, own);
  const plain = looks.map(({ root, names, links, closed, unseen }) => ({
    root,
    names: [...names],
    links: [...links],
    closed: [...closed],
    unseen: [...unseen],
  }));
  const mounts = [...new Set(places.mounts)].map((at): Mounted => [at, identity(at)]);
  const note = { ...owner, mounts, writable: places.writable, looks: plain };
  fs.writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
  const others = notesIn(folder).filter((name) => name !== own);
  return {
    forget: () => fs.rmSync(file, { force: true }),
    alone: others.every((name) => leavesAlone(path.join(folder, name), mounts)),
  };
}
const notesIn = (folder: string): string[] =>
  entriesOrNone(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(ending));
type Mounted = readonly [at: string, identity: string];
/** Tells it from another one that stands there later, with the same number perhaps. */
function identity(file: string): string {
  const stats = lookOrNone(file);
  return stats === undefined ? "" : `${stats.dev}.${stats.ino}.${stats.birthtimeMs}`;
}
function leavesAlone(file: string, mounts: readonly Mounted[]): boolean {
  const text = textOrNone(file);
  // It has ended meanwhile: what it had begun before it ended is not known either.
  const note = text === undefined ? undefined : parseJson(text);
  if (!isObject(note) || !Array.isArray(note["mounts"]) || !Array.isArray(note["writable"])) return false;
  const held = new Map(pairs(note["mounts"]));
  const writable = texts(note["writable"]);
  return mounts.every(
    ([at, one]) => held.get(at) === one || !writable.some((folder) => isInside(folder, at)),
  );
}

/** Takes the looks that processes which live no more have left, the files with them. What is torn is no look. */
export function takeLooks(folder: string): NotedLook[] {
  const names = notesIn(folder);
  if (names.length === 0) return [];
  const own = ownIdentity();
  return names.flatMap((name) => {
    const file = path.join(folder, name);
    const note = parseJson(textOrNone(file) ?? "");
    const owner = parseIdentity(note);
    // One that is just being written has no owner yet; of another machine nothing is known from here.
    if (owner === undefined || isAlive(owner, own) !== false) return [];
    fs.rmSync(file, { force: true });
    return isObject(note) && Array.isArray(note["looks"]) ? note["looks"].flatMap(asLook) : [];
  });
}
function asLook(value: unknown): NotedLook[] {
  if (!isObject(value) || typeof value["root"] !== "string") return [];
  const links = pairs(value["links"]).flatMap(([file, end]): [string, LinkEnd][] =>
    isObject(end) && typeof end["real"] === "string"
      ? [[file, { real: end["real"], exists: end["exists"] === true }]]
      : [],
  );
  return [
    {
      root: value["root"],
      names: new Map(
        pairs(value["names"]).flatMap(([file, target]): [string, string][] =>
          typeof target === "string" ? [[file, target]] : [],
        ),
      ),
      links: new Map(links),
      closed: new Set(texts(value["closed"])),
      unseen: new Set(texts(value["unseen"])),
    },
  ];
}
const pairs = (value: unknown): [string, unknown][] =>
  (Array.isArray(value) ? value : []).flatMap((pair: unknown): [string, unknown][] =>
    Array.isArray(pair) && typeof pair[0] === "string" ? [[pair[0], pair[1]]] : [],
  );
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((text: unknown) => typeof text === "string");
