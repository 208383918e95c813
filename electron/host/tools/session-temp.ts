import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { entriesOrNone, lookOrNone, realPath, textOrNone } from "../kit/files.ts";
import { isAlive, ownIdentity, parseIdentity, parseJson } from "../kit/process-identity.ts";

const prefix = "nacre-session-";
/** Says which process made a folder; beside `tmp`, so that what runs confined does not see it. */
const ownerFile = "owner.json";

/**
 * The temporary folders that confined processes see as /tmp (spec 4, OS sandbox). Each has a key: a session's id, null for
 * calls of no session, or what a program that is no tool call is known by.
 */
export class SessionTemp {
  readonly #folders = new Map<string | null, string>();
  readonly #removing = new Set<Promise<void>>();
  readonly #parent: string;
  #swept = false;

  constructor(parent: string = os.tmpdir()) {
    this.#parent = parent;
  }
  /**
   * Real path; made when first asked for, readable by the user alone. @throws NacreError `io` where it cannot be made
   */
  folder(key: string | null): string {
    this.#sweepOnce();
    const known = this.#folders.get(key);
    if (known !== undefined && fs.existsSync(inner(known))) return inner(known);
    const made = this.#make();
    this.#folders.set(key, made);
    return inner(made);
  }
  /** Removes a folder with what is in it. */
  async end(key: string | null): Promise<void> {
    const folder = this.#folders.get(key);
    if (folder === undefined) return;
    this.#folders.delete(key);
    const removing = removeTree(folder);
    this.#removing.add(removing);
    await removing.finally(() => this.#removing.delete(removing));
  }
  /** Resolves when no folder is left, those that are being removed among them. */
  async endAll(): Promise<void> {
    const ends = [...this.#folders.keys()].map((key) => this.end(key));
    await Promise.all([...ends, ...this.#removing]);
  }

  #make(): string {
    try {
      const folder = realPath(fs.mkdtempSync(path.join(this.#parent, prefix)));
      fs.writeFileSync(path.join(folder, ownerFile), JSON.stringify(ownIdentity()), { mode: 0o600 });
      fs.mkdirSync(inner(folder), { mode: 0o700 });
      return folder;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new NacreError(
        "io",
        `no temporary folder for confined commands can be made in ${this.#parent}: ${reason}; make room there, or let TMPDIR name another folder`,
        { cause: error },
      );
    }
  }
  /** What a crash left behind goes when the next process makes its first one. */
  #sweepOnce(): void {
    if (this.#swept) return;
    this.#swept = true;
    for (const folder of leftovers(this.#parent)) {
      const removing = removeTree(folder).catch(() => {
        // Another process removes it too, or something in it is not ours: it is looked at again at the next start.
      });
      this.#removing.add(removing);
      void removing.then(() => this.#removing.delete(removing));
    }
  }
}
const inner = (folder: string): string => path.join(folder, "tmp");

/** Folders of this user whose makers, processes of this machine, live no more. */
function leftovers(parent: string): string[] {
  const own = ownIdentity();
  // Where it cannot be looked into making a folder there fails, too, and says so.
  return entriesOrNone(parent)
    .map(({ name }) => name)
    .filter((name) => name.startsWith(prefix))
    .map((name) => path.join(parent, name))
    .filter((folder) => {
      const stats = lookOrNone(folder);
      if (!stats?.isDirectory() || (process.getuid !== undefined && stats.uid !== process.getuid()))
        return false;
      // None in one that is just being made, or is not ours.
      const owner = parseIdentity(parseJson(textOrNone(path.join(folder, ownerFile)) ?? ""));
      return owner !== undefined && isAlive(owner, own) === false;
    });
}
/** Also where a program closed folders of its own to everybody: they are opened first. */
async function removeTree(folder: string): Promise<void> {
  try {
    await fs.promises.rm(folder, { recursive: true, force: true });
  } catch {
    await openFolders(folder);
    await fs.promises.rm(folder, { recursive: true, force: true });
  }
}
async function openFolders(folder: string): Promise<void> {
  await fs.promises.chmod(folder, 0o700);
  for (const entry of await fs.promises.readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(path.join(folder, entry.name));
}
