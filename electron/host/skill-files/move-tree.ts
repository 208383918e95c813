import fs from "node:fs";
import path from "node:path";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import { lookAt, sha256, systemCode } from "../kit/files.ts";

/** What moving does to a disk; a test fails each of them in turn. */
export interface Disk {
  rename(from: string, to: string): Promise<void>;
  /** One file or link; its content is on the disk when it resolves. */
  copyOne(from: string, to: string): Promise<void>;
  makeFolder(folder: string, mode: number): Promise<void>;
  /** A whole tree; a link is removed and not followed. */
  remove(tree: string): Promise<void>;
}
export const systemDisk: Disk = {
  rename: (from, to) => fs.promises.rename(from, to),
  async copyOne(from, to) {
    if (lookAt(from)?.isSymbolicLink()) return fs.promises.symlink(await fs.promises.readlink(from), to);
    await fs.promises.copyFile(from, to, fs.constants.COPYFILE_EXCL);
    const { atime, mtime } = await fs.promises.stat(from);
    await fs.promises.utimes(to, atime, mtime);
    await flush(to);
  },
  async makeFolder(folder, mode) {
    await fs.promises.mkdir(folder, { mode });
  },
  remove: (tree) => fs.promises.rm(tree, { recursive: true, force: true }),
};

async function flush(file: string): Promise<void> {
  // Windows flushes only what is open for writing.
  const handle = await fs.promises.open(file, process.platform === "win32" ? "r+" : "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What is on its way lies hidden beside where it came from, or where it goes; the scan passes over such names. */
const besides = (at: string, what: string): string =>
  path.join(path.dirname(at), `.nacre-${what}-${path.basename(at)}`);

/**
 * Moves a file, a link (never what it leads to) or a folder to a free place, also to another disk: there it is copied,
 * flushed and compared before the old one goes. Wherever it is cut off, one whole copy stands in one of the two places.
 * @throws NacreError `io`; then the old one stands where it stood
 */
export async function moveTree(from: string, to: string, disk: Disk = systemDisk): Promise<void> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw failed(from, to, error);
    await moveAcross(from, to, disk);
  }
}
async function moveAcross(from: string, to: string, disk: Disk): Promise<void> {
  const partial = besides(to, "copy");
  const old = movedAside(from);
  if (lookAt(old))
    throw failed(from, to, new Error(`what an earlier move left lies at ${old}; look at it and remove it`));
  try {
    await disk.remove(partial);
    await copyTree(from, partial, disk);
    await disk.rename(partial, to);
    await disk.rename(from, old);
  } catch (error) {
    await drop([partial, to], disk);
    throw failed(from, to, error);
  }
  // Nobody reaches it under its name any more: what was written into it since it was copied is not lost.
  if (!(await isSameTree(old, to))) {
    await disk.rename(old, from);
    await drop([to], disk);
    throw failed(from, to, new Error("it changed meanwhile; try again"));
  }
  await drop([old], disk);
}
/** Takes away what a move that was killed right before its end left of `from`, where the copy at `to` is whole. */
export async function clearMoved(from: string, to: string, disk: Disk = systemDisk): Promise<void> {
  const old = movedAside(from);
  if (lookAt(old) && lookAt(to) && (await isSameTree(old, to))) await disk.remove(old);
}
const movedAside = (from: string): string => besides(from, "moved");
/** What cannot be removed is a spare copy: the move itself has its outcome. */
async function drop(trees: readonly string[], disk: Disk): Promise<void> {
  for (const tree of trees)
    await disk.remove(tree).catch(() => {
      // Hidden, and looked at again by the next move or sweep.
    });
}
const failed = (from: string, to: string, error: unknown): NacreError =>
  new NacreError("io", `${from} could not be moved to ${to}: ${toErrorValue(error).message}`, {
    cause: error,
  });

async function copyTree(from: string, to: string, disk: Disk): Promise<void> {
  const stats = fs.lstatSync(from);
  if (stats.isFile() || stats.isSymbolicLink()) return disk.copyOne(from, to);
  if (!stats.isDirectory())
    throw new NacreError("io", `${from} is neither a file nor a folder nor a link: remove it first`);
  await disk.makeFolder(to, stats.mode & 0o777);
  for (const name of fs.readdirSync(from)) await copyTree(path.join(from, name), path.join(to, name), disk);
}

/** Names, links and contents are the same. */
const isSameTree = async (a: string, b: string): Promise<boolean> =>
  (await fingerprint(a)) === (await fingerprint(b));
async function fingerprint(at: string): Promise<string> {
  const stats = await fs.promises.lstat(at);
  if (stats.isSymbolicLink()) return `link ${await fs.promises.readlink(at)}`;
  if (!stats.isDirectory()) return `file ${sha256(await fs.promises.readFile(at))}`;
  const parts: string[] = [];
  for (const name of (await fs.promises.readdir(at)).sort())
    parts.push(name, await fingerprint(path.join(at, name)));
  return `folder ${sha256(parts.join("\0"))}`;
}
