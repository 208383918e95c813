import fs from "node:fs";
import { readFlags, systemCode } from "./files.ts";

/** Bytes that most files fit in. */
const usualBytes = 32 * 1024;

/**
 * Reads one file after the other into one buffer, for thousands of small ones: memory that a process has not used
 * before costs more than reading.
 */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(usualBytes);

  /**
   * A file that was a regular one a moment ago. The bytes are good until the next call. Should something else stand
   * there by now, it is not waited for and not read further than `mostBytes`.
   * @param follow Whether a link in its place is followed; where not, it is refused with ELOOP (`refusesLinks`).
   * @param size Bytes that it had a moment ago: so many are all of it, and its end is not looked for.
   * @throws What `fs` throws, and an Error for what is larger
   */
  read(file: string, mostBytes: number, follow: boolean, size?: number): Buffer {
    const descriptor = fs.openSync(file, readFlags(follow));
    try {
      let length = 0;
      for (;;) {
        const read = fs.readSync(descriptor, this.#buffer, length, this.#buffer.length - length, null);
        length += read;
        if (length > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 / 1024} MB`);
        // Less came than there was room for: that was the end.
        if (length > 0 && length === size && length < this.#buffer.length)
          return this.#buffer.subarray(0, length);
        if (read === 0) {
          // Nothing in it: an empty file, or something else that has nothing to say right now.
          if (length === 0 && !fs.fstatSync(descriptor).isFile()) throw notRegular();
          return this.#buffer.subarray(0, length);
        }
        if (length === this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], 2 * length);
      }
    } catch (error) {
      if (systemCode(error) === "EISDIR") throw notRegular();
      throw error;
    } finally {
      fs.closeSync(descriptor);
    }
  }
}
const notRegular = (): Error => new Error("it is no regular file");
