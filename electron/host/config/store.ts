import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { realPath, writeAtomic } from "../kit/files.ts";
import type { WatchedFolder } from "../kit/watch.ts";
import { Documents } from "./documents.ts";
import { withFileLock } from "./file-lock.ts";
import { type Edit, editJsonc } from "./jsonc.ts";
import { parseJsonc } from "./jsonc-read.ts";
import { loadConfig, type Loaded } from "./load.ts";
import { readRegular } from "./read-regular.ts";
import type { AppPaths, Config } from "./types.ts";
import { sourceFiles, watchedPlaces } from "./watched.ts";

/** Changes of a file: as they stand, or made from what the file says right before the write. */
export type Edits = readonly Edit[] | ((current: JsonObject) => readonly Edit[]);

/** The one loader and writer of spec 2's files for one workspace. */
export class ConfigStore {
  /** The workspace's real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly #documents: Documents;
  readonly #changed = new Emitter<Config>();
  /** Something is different. Parts that say the same as before are the same objects. */
  readonly onChange: Listenable<Config> = this.#changed;
  readonly #wasRead = new Emitter<void>();
  /** The files were read again, whatever they said; told before `onChange`. */
  readonly onRead: Listenable<void> = this.#wasRead;
  #loaded: Loaded;
  #reloading: Promise<unknown> = Promise.resolve();

  private constructor(workspace: string, paths: AppPaths, documents: Documents, loaded: Loaded) {
    this.workspace = workspace;
    this.paths = paths;
    this.#documents = documents;
    this.#loaded = loaded;
  }
  /** Reads every file once; parsers for TOML and for edits are loaded only where such a file stands. */
  static async open(options: { workspace: string; paths: AppPaths }): Promise<ConfigStore> {
    const workspace = realPath(options.workspace);
    const documents = new Documents();
    const loaded = await loadConfig(documents, workspace, options.paths);
    return new ConfigStore(workspace, options.paths, documents, loaded);
  }
  get current(): Config {
    return this.#loaded.config;
  }
  /**
   * Reads the files again and tells everybody where something is different. Reloads run one after the other, so that the
   * last one read wins.
   */
  reload(): Promise<Config> {
    const next = this.#reloading.then(async () => {
      const before = this.#loaded;
      this.#loaded = await loadConfig(this.#documents, this.workspace, this.paths, before);
      this.#wasRead.emit();
      if (this.#loaded.config !== before.config) this.#changed.emit(this.#loaded.config);
      return this.#loaded.config;
    });
    this.#reloading = next.catch(() => {
      // The caller of this reload hears of the failure; the next one starts anew.
    });
    return next;
  }
  /** Changes `<config>/settings.json`. @throws NacreError as `updateFile` does */
  updateSettings(edits: Edits): Promise<void> {
    return this.updateFile(path.join(this.paths.config, "settings.json"), edits);
  }
  /**
   * Changes a JSONC file: comments, unknown keys and the rest of the text stay; a missing file is made; a link is
   * followed. The file is read right before the write, under a lock that other hosts keep too.
   * @throws NacreError `configuration` for a file that does not parse, `io` for one that cannot be written or is marked
   * read-only: it is left as it is
   */
  async updateFile(file: string, edits: Edits): Promise<void> {
    await withFileLock(path.join(this.paths.data, "locks"), realPath(file), async () => {
      const text = readRegular(file) ?? "";
      assertWritable(file);
      const list = typeof edits === "function" ? edits(await currentValue(text)) : edits;
      if (list.length === 0) return;
      const next = await editJsonc(text, list, file);
      if (next !== text) await writeAtomic(file, next);
    });
    await this.reload();
  }
  /** What to watch; some of it may not exist yet. `<data>/trust` is there, so that trust given elsewhere counts. */
  watched(): WatchedFolder[] {
    return [...watchedPlaces(sourceFiles(this.#loaded.read.sources)), path.join(this.paths.data, "trust")];
  }
}

/** A rename would pass over the mark, and so does root. */
function assertWritable(file: string): void {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats && (stats.mode & 0o222) === 0)
    throw new NacreError("io", `${file} was not changed: it is marked read-only; allow writing it first`);
}
async function currentValue(text: string): Promise<JsonObject> {
  const result = await parseJsonc(text);
  return result.ok && isObject(result.value) ? result.value : {};
}
