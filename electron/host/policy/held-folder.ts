import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { realPath } from "../kit/files.ts";

/** Opens a folder as a place alone, also one that cannot be listed (open(2), O_PATH); Node has no name for it. */
const asPlace = 0x20_0000;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
/** More than this is not copied: the host's thread would be held for too long. */
const mostCopiedBytes = 64 * 1024 * 1024;

/**
 * Gives `use` a way to `folder`, a real path, that stays one to the very same folder whatever is renamed or linked
 * meanwhile by a process that may write there. @throws NacreError `io` where another folder is found at that path
 */
export function inFolder<T>(folder: string, use: (held: string) => T): T {
  if (process.platform !== "linux") {
    // There is no such way there: what is left is the moment between this look and the use.
    if (realPath(folder) !== folder) throw exchanged(folder);
    return use(folder);
  }
  const handle = fs.openSync(folder, asPlace | O_DIRECTORY | O_NOFOLLOW);
  try {
    const held = `/proc/self/fd/${handle}`;
    if (fs.readlinkSync(held) !== folder) throw exchanged(folder);
    return use(held);
  } finally {
    fs.closeSync(handle);
  }
}
const exchanged = (folder: string): NacreError =>
  new NacreError("io", `${folder} was exchanged for another folder meanwhile`);

/**
 * Copies a tree to `to`, which must not exist, with its modes; no link in it is followed, also none that is put in the
 * place of a folder meanwhile. @throws for what cannot be copied: pipes and devices, what is closed to us, too much
 */
export function copyHeld(from: string, to: string, room = { bytes: mostCopiedBytes }): void {
  const stats = fs.lstatSync(from);
  if (stats.isSymbolicLink()) return fs.symlinkSync(fs.readlinkSync(from), to);
  if (stats.isDirectory()) {
    fs.mkdirSync(to, { mode: 0o700 });
    within(from, (held, names) => {
      for (const name of names) copyHeld(`${held}/${name}`, path.join(to, name), room);
    });
    return fs.chmodSync(to, stats.mode & 0o777);
  }
  // A pipe that was put there just now would be waited for.
  const handle = fs.openSync(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const opened = fs.fstatSync(handle);
    if (!opened.isFile()) throw new NacreError("io", `${from} is no file and cannot be copied`);
    room.bytes -= opened.size;
    if (room.bytes < 0) throw new NacreError("io", "it is too much to be copied");
    fs.writeFileSync(to, fs.readFileSync(handle), { flag: "wx", mode: opened.mode & 0o777 });
  } finally {
    fs.closeSync(handle);
  }
}
/** Removes a tree; no link in it is followed, also none that is put in the place of a folder meanwhile. @throws */
export function removeHeld(file: string): void {
  if (!fs.lstatSync(file).isDirectory()) return fs.unlinkSync(file);
  within(file, (held, names) => {
    for (const name of names) removeHeld(`${held}/${name}`);
  });
  fs.rmdirSync(file);
}
/** What a folder holds, by a way that stays one to it. `folder` is a name in a folder that is held itself. */
function within(folder: string, use: (held: string, names: readonly string[]) => void): void {
  const handle = fs.openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const held = process.platform === "linux" ? `/proc/self/fd/${handle}` : folder;
    use(held, fs.readdirSync(held));
  } finally {
    fs.closeSync(handle);
  }
}
