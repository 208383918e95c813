import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { realPath } from "../kit/files.ts";

/** The temporary folder of each session, which its confined processes see as /tmp (spec 4, OS sandbox). */
export class SessionTemp {
  readonly #folders = new Map<string, string>();
  readonly #removing = new Set<Promise<void>>();

  /** Real path; made when first asked for, readable by the user alone. */
  folder(sessionId: string | null): string {
    const key = sessionId ?? "";
    const known = this.#folders.get(key);
    if (known !== undefined && fs.existsSync(known)) return known;
    const made = realPath(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-session-")));
    this.#folders.set(key, made);
    return made;
  }
  /** Removes a session's folder with what is in it. */
  async end(sessionId: string | null): Promise<void> {
    const key = sessionId ?? "";
    const folder = this.#folders.get(key);
    if (folder === undefined) return;
    this.#folders.delete(key);
    const removing = fs.promises.rm(folder, { recursive: true, force: true });
    this.#removing.add(removing);
    await removing.finally(() => this.#removing.delete(removing));
  }
  /** Resolves when no folder is left, those that are being removed among them. */
  async endAll(): Promise<void> {
    const ends = [...this.#folders.keys()].map((key) => this.end(key));
    await Promise.all([...ends, ...this.#removing]);
  }
}
