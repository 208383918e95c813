import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";

/** The `code` of a system error (`ENOENT`), undefined for anything else. */
export function systemCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : undefined;
}
/** Nothing stands there. */
export const isMissing = (thrown: unknown): boolean => {
  const code = systemCode(thrown);
  return code === "ENOENT" || code === "ENOTDIR";
};
/** The system says behind a comma what was called on which file, which stands in the message already. */
const reason = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  return systemCode(thrown) === undefined ? thrown.message : thrown.message.replace(/, \w+ '.*$/su, "");
};

/** SHA-256 as 64 lower-case hex digits; text counts as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Nothing that the app reads whole is larger; a foreign folder may hold what would fill the memory. */
const mostReadBytes = 64 * 1024 * 1024;
/** Windows knows neither, and has no pipes or terminals that lie in a folder. */
const neverWaiting: number = (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0);

/**
 * A regular file's content, undefined where there is nothing. The one way to read what somebody else may have put there:
 * a pipe, a device or a link to one is never opened to wait for it.
 * @throws NacreError `io` for everything else, and for more than `mostBytes` (64 MB)
 */
export function readBytes(file: string, mostBytes: number = mostReadBytes): Buffer | undefined {
  try {
    const descriptor = openRegular(file, mostBytes);
    if (descriptor === undefined) return undefined;
    try {
      return fs.readFileSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new NacreError("io", `cannot read ${file}: ${reason(error)}`, { cause: error });
  }
}
const noFollow: number = fs.constants.O_NOFOLLOW ?? 0;
/** Whether this system can refuse to open a link. */
export const refusesLinks: boolean = noFollow !== 0;
/**
 * How to open a regular file for reading, so that nothing else that stands in its place is waited for.
 * @param follow False: a link is refused with ELOOP, where the system can.
 */
export const readFlags = (follow = true): number =>
  fs.constants.O_RDONLY | neverWaiting | (follow ? 0 : noFollow);
/**
 * A regular file, open for reading, to be closed by the caller; undefined where there is nothing. For what is read
 * piece by piece. @throws What `fs` throws, and an Error for what is no regular file or larger.
 */
export function openRegular(file: string, mostBytes: number): number | undefined {
  // No exception for the common case, and no device is opened only to see that it is one.
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  assertReadable(stats, mostBytes);
  const descriptor = fs.openSync(file, readFlags());
  try {
    // Something else may stand there by now.
    assertReadable(fs.fstatSync(descriptor), mostBytes);
    return descriptor;
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}
function assertReadable(stats: fs.Stats, mostBytes: number): void {
  if (!stats.isFile()) throw new Error("it is no regular file");
  if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 / 1024} MB`);
}
/** A file's text, undefined where there is no such file. @throws NacreError as `readBytes` */
export const readText = (file: string, mostBytes?: number): string | undefined =>
  readBytes(file, mostBytes)?.toString("utf8");

/** What stands at a path, a link itself and not its target; undefined where nothing does. @throws NacreError `io`. */
export function lookAt(file: string): fs.Stats | undefined {
  try {
    // No exception for the common case: making one costs more than the look.
    return fs.lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new NacreError("io", `cannot look at ${file}: ${reason(error)}`, { cause: error });
  }
}

/** What `look` gives; undefined for what is missing, closed to us, in a circle of links, or no path at all. */
function orNone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
/** What stands at a path, links followed; undefined for what cannot be looked at, whatever the reason. */
export const statOrNone = (file: string): fs.Stats | undefined =>
  orNone(() => fs.statSync(file, { throwIfNoEntry: false }));
/** The same of a link itself and not of its target. */
export const lookOrNone = (file: string): fs.Stats | undefined =>
  orNone(() => fs.lstatSync(file, { throwIfNoEntry: false }));
/** Where a link leads, as it is written; undefined for what is no link or cannot be looked at. */
export const linkTargetOrNone = (file: string): string | undefined =>
  lookOrNone(file)?.isSymbolicLink() === true ? orNone(() => fs.readlinkSync(file)) : undefined;
/** What a folder holds; nothing for what is none or cannot be looked into. */
export const entriesOrNone = (folder: string): fs.Dirent[] =>
  orNone(() => fs.readdirSync(folder, { withFileTypes: true })) ?? [];
/** The text of a regular file; undefined for what is none (a pipe would never end) or cannot be read. */
export const textOrNone = (file: string): string | undefined => orNone(() => readText(file));
/** Whether a folder stands there, links followed; false for what cannot be looked at. */
export const isFolder = (file: string): boolean => statOrNone(file)?.isDirectory() === true;

/** As Linux does (path_resolution(7)). */
const mostLinks = 40;

/**
 * The absolute path with every link resolved, as the kernel would walk it (`link/..` is the parent of the link's
 * target). Works for what does not exist yet: its nearest existing ancestor is resolved and the rest follows.
 * @throws NacreError `io` where a folder on the way cannot be looked into or links go in a circle.
 */
export function realPath(file: string): string {
  try {
    // Looked at first: an exception for what is not there costs more than the whole walk.
    if (fs.lstatSync(file, { throwIfNoEntry: false })) return fs.realpathSync.native(file);
  } catch (error) {
    if (!isMissing(error))
      throw new NacreError("io", `cannot resolve ${file}: ${reason(error)}`, { cause: error });
  }
  // Windows takes `..` away before it looks at links.
  const absolute =
    process.platform === "win32"
      ? path.resolve(file)
      : path.isAbsolute(file)
        ? file
        : `${process.cwd()}/${file}`;
  let real = path.parse(absolute).root;
  const rest = split(absolute.slice(real.length)).reverse();
  for (let links = 0; rest.length > 0;) {
    const name = rest.pop() ?? "";
    if (name === "..") {
      real = path.dirname(real);
      continue;
    }
    const next = path.join(real, plainName(name));
    const target = linkTarget(next);
    if (target === undefined) {
      real = next;
      continue;
    }
    if (++links > mostLinks) throw new NacreError("io", `cannot resolve ${file}: too many links`);
    const root = path.parse(target).root;
    if (root !== "") real = path.resolve(real, root);
    rest.push(...split(target.slice(root.length)).reverse());
  }
  return real;
}
const split = (relative: string): string[] =>
  relative.split(process.platform === "win32" ? /[\\/]/ : "/").filter((name) => name !== "" && name !== ".");
/** Windows opens `name. ` as `name`. */
const plainName = (name: string): string =>
  process.platform === "win32" ? name.replace(/[. ]+$/, "") || name : name;
/** Where a link points to; undefined for what is no link or does not exist. */
function linkTarget(file: string): string | undefined {
  if (!lookAt(file)?.isSymbolicLink()) return undefined;
  try {
    return fs.readlinkSync(file);
  } catch (error) {
    throw new NacreError("io", `cannot follow the link ${file}: ${reason(error)}`, { cause: error });
  }
}

/**
 * Whether `file` is `folder` itself or lies below it. Both absolute and real (`realPath`); names are compared
 * without case where the platform's disks do.
 */
export function isInside(
  folder: string,
  file: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const rules = platform === "win32" ? path.win32 : path.posix;
  const fold = (text: string): string => (platform === "darwin" ? text.normalize("NFC").toLowerCase() : text);
  const relative = rules.relative(fold(folder), fold(file));
  return relative !== ".." && !relative.startsWith(`..${rules.sep}`) && !rules.isAbsolute(relative);
}

const writableByDefault = 0o666;
/** Virus scanners hold a fresh file for a moment: the waits between attempts, in ms. */
const renameWaits = [10, 20, 50, 100, 200, 400, 800];

/** Who may read what is written: bits as chmod takes them. The file's hold for one that stood there before, too. */
export interface WriteModes {
  readonly mode?: number;
  /** Of folders that are made. */
  readonly folderMode?: number;
}
/**
 * Replaces a file's content in one move: temporary file beside it, flush, rename. A link is followed, mode and
 * owner are kept where nothing else is asked, missing folders are made.
 * @throws NacreError `io`; then the old file stands as it was.
 */
export async function writeAtomic(
  file: string,
  data: string | Uint8Array,
  { mode, folderMode }: WriteModes = {},
): Promise<void> {
  const target = realPath(file);
  try {
    await fs.promises.mkdir(path.dirname(target), { recursive: true, mode: folderMode ?? 0o777 });
  } catch (error) {
    throw new NacreError("io", `cannot write ${file}: ${reason(error)}`, { cause: error });
  }
  await replaceFile(target, data, file, mode);
}
/**
 * The same for a path that is taken as it stands: a link there is replaced, its folder has to exist.
 * `shown` is the name that an error bears. @throws NacreError `io`; then the old file stands as it was.
 */
export async function replaceFile(
  target: string,
  data: string | Uint8Array,
  shown = target,
  mode?: number,
): Promise<void> {
  // A name may have 255 bytes on most disks; the temporary one must fit too.
  const temporary = path.join(path.dirname(target), `.nacre-${randomBytes(8).toString("hex")}.tmp`);
  try {
    const before = await statOrUndefined(target);
    if (isSpecial(target)) throw new Error("it is no regular file, and such a one is never replaced");
    await writeFlushed(temporary, data, before, mode);
    await renameOver(temporary, target);
  } catch (error) {
    await fs.promises.rm(temporary, { force: true }).catch(() => {
      // The first failure is the one to tell; what is left is a hidden file that nothing reads.
    });
    throw new NacreError("io", `cannot write ${shown}: ${reason(error)}`, { cause: error });
  }
}
/** A device, a pipe or a socket: what others reach by the name must not become a file of ours. */
function isSpecial(target: string): boolean {
  const stat = lookAt(target);
  return stat !== undefined && !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink();
}
async function statOrUndefined(file: string): Promise<fs.Stats | undefined> {
  try {
    return await fs.promises.stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
async function writeFlushed(
  file: string,
  data: string | Uint8Array,
  like: fs.Stats | undefined,
  mode: number | undefined,
): Promise<void> {
  const handle = await fs.promises.open(file, "wx", mode ?? (like ? like.mode & 0o777 : writableByDefault));
  try {
    await handle.writeFile(data);
    if (like && process.platform !== "win32") {
      const own = await handle.stat();
      if (own.uid !== like.uid || own.gid !== like.gid)
        await handle.chown(like.uid, like.gid).catch((error: unknown) => {
          // Only root may give a file away; a group that we are not in stays the writer's own.
          if (systemCode(error) !== "EPERM") throw error;
        });
      await handle.chmod(mode ?? like.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await fs.promises.rename(from, to);
      return;
    } catch (error) {
      const wait = renameWaits[attempt];
      const held = ["EPERM", "EBUSY", "EACCES"].includes(systemCode(error) ?? "");
      if (process.platform !== "win32" || !held || wait === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
