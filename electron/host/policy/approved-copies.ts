import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { lookAt, readBytes, readText, sha256, writeAtomic } from "../kit/files.ts";
import { parseApprovals } from "./approvals-file.ts";
import type { Fingerprint, FingerprintFile } from "./digest.ts";
import { packageText } from "./package-text.ts";

/** A larger file is told by its size and hash alone. */
const mostBytes = 64 * 1024;
/** Of one declaration no more is kept than a person could look at. */
const mostFiles = 500;
const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** What was approved of text files, by content, in `<data>/trust/files`: nobody but the user may read it. */
export class ApprovedCopies {
  readonly #trustFolder: string;
  readonly #folder: string;

  /** @param trustFolder `<data>/trust` */
  constructor(trustFolder: string) {
    this.#trustFolder = trustFolder;
    this.#folder = path.join(trustFolder, "files");
  }
  /** Keeps the texts that a fingerprint was taken of. One that has changed since is not kept: it was not approved. */
  async keep({ files }: Fingerprint): Promise<void> {
    for (const file of files.slice(0, mostFiles)) {
      if (!isHash(file.hash) || file.size > mostBytes) continue;
      const target = path.join(this.#folder, file.hash);
      if (lookAt(target)) continue;
      const text = currentText(file);
      if (text === undefined || sha256(text) !== file.hash) continue;
      await writeAtomic(target, text, { mode: 0o600, folderMode: 0o700 });
    }
  }
  /** The text of a hash; undefined where none was kept, or what is there is something else. */
  read(hash: string): string | undefined {
    if (!isHash(hash)) return undefined;
    const text = readText(path.join(this.#folder, hash));
    return text !== undefined && sha256(text) === hash ? text : undefined;
  }
  /** Removes what no approvals file names any more. One that cannot be read keeps everything. */
  async sweep(): Promise<void> {
    if (!lookAt(this.#folder)) return;
    const named = new Set<string>();
    for (const name of await fs.promises.readdir(this.#trustFolder)) {
      if (!/^[0-9a-f]{32}\.json$/.test(name)) continue;
      const approved = parseApprovals(readText(path.join(this.#trustFolder, name)) ?? "");
      if (!approved) return;
      for (const { content } of approved.values())
        for (const { hash } of content?.files ?? []) named.add(hash);
    }
    for (const name of await fs.promises.readdir(this.#folder))
      if (!named.has(name)) await fs.promises.rm(path.join(this.#folder, name), { force: true });
  }
}

/** The text of a file as it is now; undefined for a large or a binary one, or where there is none. */
export function currentText({ file, part }: FingerprintFile): string | undefined {
  if (part === "package") return packageText(file);
  try {
    const bytes = readBytes(file, mostBytes);
    if (bytes === undefined) return undefined;
    const text = bytes.toString("utf8");
    // What does not come back as it was is no text.
    return !text.includes("\0") && Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
  } catch (error) {
    if (error instanceof NacreError) return undefined;
    throw error;
  }
}
