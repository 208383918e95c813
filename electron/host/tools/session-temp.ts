import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { realPath } from "../kit/files.ts";

/** The temporary folder of each session, which its confined processes see as /tmp (spec 4, OS sandbox). */
export class SessionTemp {
  readonly #folders = new Map<string, string>();

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
    const folder = this.#folders.get(sessionId ?? "");
    if (folder === undefined) return;
    this.#folders.delete(sessionId ?? "");
    await fs.promises.rm(folder, { recursive: true, force: true });
  }
  async endAll(): Promise<void> {
    const folders = [...this.#folders.values()];
    this.#folders.clear();
    await Promise.all(folders.map((folder) => fs.promises.rm(folder, { recursive: true, force: true })));
  }
}
