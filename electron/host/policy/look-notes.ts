import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import { entriesOrNone, textOrNone } from "../kit/files.ts";
import { isAlive, ownIdentity, parseIdentity, parseJson } from "../kit/process-identity.ts";
import type { Guarded, LinkEnd } from "./guarded.ts";

const ending = ".look";

/** What `newlyProtected` and `quarantine` need of a look before a run. */
export type NotedLook = Pick<Guarded, "root" | "names" | "links" | "closed" | "unseen">;

/**
 * Keeps in a file of `folder` (`<data>/run`) what was seen before a confined run, so that what the run makes is found also
 * when this process is killed. @returns removes the file @throws what the file system throws
 */
export function noteLook(folder: string, looks: readonly NotedLook[]): () => void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, randomBytes(8).toString("hex") + ending);
  const plain = looks.map(({ root, names, links, closed, unseen }) => ({
    root,
    names: [...names],
    links: [...links],
    closed: [...closed],
    unseen: [...unseen],
  }));
  fs.writeFileSync(file, JSON.stringify({ ...ownIdentity(), looks: plain }), { mode: 0o600 });
  return () => fs.rmSync(file, { force: true });
}
/** Takes the looks that processes which live no more have left, the files with them. What is torn is no look. */
export function takeLooks(folder: string): NotedLook[] {
  const names = entriesOrNone(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(ending));
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
