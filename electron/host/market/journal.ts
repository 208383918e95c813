import fs from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { lookAt, readText, writeAtomic } from "../kit/files.ts";
import { missingFolders, removeEntry, removeFiles, removeMade } from "./placed.ts";

const hashed = { path: z.string(), sha256: z.string() };
const journalSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  /** The receipt's file. */
  receipt: z.string(),
  /** Folders that did not exist before. */
  made: z.array(z.string()),
  /** Names put into the secret store. */
  secrets: z.array(z.string()),
  folder: z.optional(
    z.object({
      /** Renamed to `target`; while it exists, what stands at `target` is not ours. */
      staged: z.string(),
      target: z.string(),
      /** False while `staged` may be incomplete: then it has not been renamed. */
      placing: z.boolean(),
      files: z.array(z.object(hashed)),
    }),
  ),
  entry: z.optional(
    z.object({ ...hashed, pointer: z.array(z.string()), madeFile: z.boolean(), madeParent: z.boolean() }),
  ),
});
type JournalData = z.infer<typeof journalSchema>;

export interface UndoPorts {
  /** The folder of the config's file locks. */
  readonly locks: string;
  removeSecret(name: string): Promise<void>;
}

/**
 * What an install is about to do, written before it is done. From it a failed, cancelled or killed install is taken
 * back; once its receipt stands, the install counts as done.
 */
export class Journal {
  readonly #file: string;
  #data: JournalData;
  private constructor(file: string, data: JournalData) {
    this.#file = file;
    this.#data = data;
  }
  static begin(staging: string, id: string, receipt: string): Journal {
    return new Journal(fileIn(staging), { v: 1, id, receipt, made: [], secrets: [] });
  }
  /** Undefined where nothing has been done yet. */
  static read(staging: string): Journal | undefined {
    const text = readText(fileIn(staging));
    // It is written whole; what is no journal was not written by this app.
    const data = text === undefined ? undefined : z.safeParse(journalSchema, JSON.parse(text)).data;
    return data && new Journal(fileIn(staging), data);
  }
  get id(): string {
    return this.#data.id;
  }
  isDone(): boolean {
    return lookAt(this.#data.receipt) !== undefined;
  }
  /** Before anything of `more` is done, and before the folders above `files` are made. */
  async note(more: Partial<Omit<JournalData, "made">>, files: readonly string[] = []): Promise<void> {
    const made = [...new Set([...this.#data.made, ...files.flatMap(missingFolders)])];
    this.#data = { ...this.#data, ...more, made };
    await writeAtomic(this.#file, JSON.stringify(this.#data));
  }
  /** Takes back everything that was done. Doing it twice, or after it was cut off, is fine. */
  async undo(ports: UndoPorts): Promise<void> {
    const { receipt, folder, entry, secrets, made } = this.#data;
    // First, so that a half undone install never counts as done.
    fs.rmSync(receipt, { force: true });
    if (entry) await removeEntry(ports.locks, entry, { file: entry.madeFile, parent: entry.madeParent });
    if (folder) {
      const wasRenamed = folder.placing && !lookAt(folder.staged);
      if (wasRenamed) removeFiles(folder.target, folder.files);
      else {
        // Once `staged` is gone, this alone says that what stands at `target` is not ours.
        await this.note({ folder: { ...folder, placing: false } });
        fs.rmSync(folder.staged, { recursive: true, force: true });
      }
    }
    for (const name of secrets) await ports.removeSecret(name);
    removeMade(made);
  }
}
const fileIn = (staging: string): string => path.join(staging, "journal.json");
