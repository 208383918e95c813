import fs from "node:fs";
import { NacreError } from "../../../shared/errors.ts";
import { readText, systemCode } from "../kit/files.ts";

const mostBytes = 4 * 1024 * 1024;

/**
 * The text of a file that others wrote; undefined where there is none. A foreign repository may hold a link to a device
 * or a pipe that never ends.
 * @throws NacreError `io` for what is no regular file, or over 4 MB
 */
export function readRegular(path: string): string | undefined {
  let stats: fs.Stats | undefined;
  try {
    stats = fs.statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where its folder would be.
    if (systemCode(error) !== "ENOTDIR") throw error;
  }
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new NacreError("io", `${path} is no regular file`);
  if (stats.size > mostBytes)
    throw new NacreError("io", `${path} is larger than ${mostBytes / 1024 / 1024} MB`);
  return readText(path);
}
