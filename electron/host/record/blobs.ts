import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { readText, sha256 } from "../kit/files.ts";
import { cutToBytes } from "../kit/output-collector.ts";
import type { RecordedText } from "./lines.ts";

/** What exceeds this goes to a file of its own (architecture, Records), bytes. */
const largest = 64 * 1024;
const shown = 4 * 1024;

/** The long texts of one session, `blobs/<sha256>`. */
export class Blobs {
  readonly #folder: string;
  #unsynced: string[] = [];
  constructor(sessionFolder: string) {
    this.#folder = path.join(sessionFolder, "blobs");
  }
  /** The text as a line holds it; a long one is written first. @throws NacreError `io`. */
  keep(output: RecordedText): RecordedText {
    const bytes = Buffer.byteLength(output.text);
    if (output.blob || bytes <= largest) return output;
    const { name } = this.write(output.text);
    return { text: cutToBytes(output.text, shown), blob: { sha256: name, bytes } };
  }
  /** @throws NacreError `not_found`, or `io` where the file is not what its name says. */
  read(name: string): string {
    if (!/^[0-9a-f]{64}$/.test(name))
      throw new NacreError("invalid_input", `no name of a stored text: ${name}`);
    const file = path.join(this.#folder, name);
    const text = readText(file);
    if (text === undefined) throw new NacreError("not_found", `the full text is gone: ${file}`);
    if (sha256(text) !== name) throw new NacreError("io", `the full text is damaged: ${file}`);
    return text;
  }
  /** A text of any length, by its digest. @throws NacreError `io` */
  write(text: string): { readonly name: string; readonly file: string } {
    const name = sha256(text);
    const file = path.join(this.#folder, name);
    if (!fs.existsSync(file)) this.#write(file, text);
    return { name, file };
  }
  /** Brings to the disk what was written since the last call. */
  sync(): void {
    for (const file of this.#unsynced) {
      const descriptor = fs.openSync(file, "r+");
      try {
        fs.fsyncSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
    }
    this.#unsynced = [];
  }
  #write(file: string, text: string): void {
    const temporary = `${file}.${randomBytes(4).toString("hex")}.tmp`;
    try {
      fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      fs.writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
      fs.renameSync(temporary, file);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      const reason = error instanceof Error ? error.message : String(error);
      throw new NacreError("io", `cannot store a long text in ${this.#folder}: ${reason}`, { cause: error });
    }
    this.#unsynced.push(file);
  }
}
