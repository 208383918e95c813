import fs from "node:fs";

/** Whether the system lets this process write a file, or make and remove entries of a folder. */
export function mayWrite(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return true;
  } catch {
    // Whatever keeps it from being written, it is not offered; writing it would say why.
    return false;
  }
}
