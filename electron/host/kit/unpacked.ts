import path from "node:path";

/**
 * Where a file of the packaged app lies for other programs: what the package keeps out of its archive stands beside it.
 * Any other path is given as it is.
 */
export const unpacked = (file: string): string =>
  file.replace(`app.asar${path.sep}`, `app.asar.unpacked${path.sep}`);
