import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../../shared/errors.ts";
import { realPath, replaceFile, systemCode } from "../../kit/files.ts";

/**
 * Files and folders by the real path that the gate decided on. Between that decision and the opening, anything on the
 * way may be swapped for a link: what was opened is checked, and then used by its handle and no longer by its name.
 * Linux names a handle (`/proc/<pid>/fd/N`), so there is no gap; elsewhere the path is compared before and after.
 */
const byHandle = process.platform === "linux" && fs.existsSync("/proc/self/fd");
const handlePath = (descriptor: number): string => `/proc/${process.pid}/fd/${descriptor}`;

const changed = (real: string, now: string): NacreError =>
  new NacreError(
    "denied",
    `${real} changed while it was being opened: it leads to ${now} now; look again, then call again`,
  );

/**
 * Looks at once, without a turn of the event loop: each would cost more than the look itself.
 * @throws NacreError `denied` where the opened thing is not the one at `real`
 */
function check(real: string, handle: fs.promises.FileHandle): void {
  if (byHandle) {
    const now = fs.readlinkSync(handlePath(handle.fd));
    if (now !== real) throw changed(real, now);
    return;
  }
  const now = realPath(real);
  if (now !== real) throw changed(real, now);
  const opened = fs.fstatSync(handle.fd, { bigint: true });
  const named = fs.lstatSync(real, { bigint: true });
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw changed(real, "another file");
}

const kindOf = (stat: fs.Stats): string =>
  stat.isDirectory()
    ? "a folder"
    : stat.isFIFO()
      ? "a named pipe"
      : stat.isSocket()
        ? "a socket"
        : stat.isFile()
          ? "a file"
          : "a device";

export interface OpenedFile {
  readonly handle: fs.promises.FileHandle;
  readonly size: number;
  /** Names the very file that is open, for a program that is to read it. */
  readonly path: string;
}
/**
 * Opens a regular file for reading; never waits on a pipe. The caller closes it.
 * @throws NacreError `not_found`, `io`, `invalid_input` (no regular file), `denied` (swapped meanwhile).
 */
export async function openFile(real: string, shown: string): Promise<OpenedFile> {
  const handle = await open(real, shown, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    check(real, handle);
    const stat = fs.fstatSync(handle.fd);
    if (!stat.isFile()) throw new NacreError("invalid_input", `${shown} is ${kindOf(stat)}, not a file`);
    return { handle, size: stat.size, path: byHandle ? handlePath(handle.fd) : real };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
/** Everything in a file. @throws as openFile; NacreError `invalid_input` over `limit` bytes. */
export async function readWhole(real: string, shown: string, limit: number): Promise<Buffer> {
  const { handle, size } = await openFile(real, shown);
  try {
    if (size > limit)
      throw new NacreError(
        "invalid_input",
        `${shown} is too large for this (${size} bytes, at most ${limit})`,
      );
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function open(real: string, shown: string, flags: number): Promise<fs.promises.FileHandle> {
  try {
    return await fs.promises.open(real, flags);
  } catch (error) {
    throw named(error, shown);
  }
}
/** A system error in words that name the path as the caller gave it. */
function named(error: unknown, shown: string): NacreError {
  const code = systemCode(error);
  const words: Record<string, [NacreError["code"], string]> = {
    ENOENT: ["not_found", `${shown} does not exist`],
    ENOTDIR: ["invalid_input", `${shown} is no folder, or something above it is a file`],
    EISDIR: ["invalid_input", `${shown} is a folder, not a file`],
    EACCES: ["io", `${shown} may not be opened: permission denied`],
    EPERM: ["io", `${shown} may not be opened: permission denied`],
    ENXIO: ["invalid_input", `${shown} is a device or a socket, not a file`],
  };
  const [kind, message] = words[code ?? ""] ?? [
    "io",
    `${shown}: ${error instanceof Error ? error.message : String(error)}`,
  ];
  return new NacreError(kind, message, { cause: error });
}

/**
 * Hands a path that stays this very folder, whatever happens to its name, as long as `use` runs.
 * `create` makes it and what is missing above it. @throws as openFile.
 */
export async function withFolder<T>(
  real: string,
  options: { shown: string; create?: boolean },
  use: (folder: string) => Promise<T>,
): Promise<T> {
  if (!byHandle) return withNamedFolder(real, options, use);
  const handle = await openFolder(real, options.shown, options.create === true);
  try {
    return await use(handlePath(handle.fd));
  } finally {
    await handle.close();
  }
}

const isLink = async (file: string): Promise<boolean> =>
  (await fs.promises.lstat(file).catch(() => undefined))?.isSymbolicLink() === true;

async function openFolder(real: string, shown: string, create: boolean): Promise<fs.promises.FileHandle> {
  const flags = fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW;
  let handle: fs.promises.FileHandle | undefined;
  try {
    handle = await fs.promises.open(real, flags);
  } catch (error) {
    const code = systemCode(error);
    if ((code === "ELOOP" || code === "ENOTDIR") && (await isLink(real))) throw changed(real, "a link");
    if (!create || code !== "ENOENT" || path.dirname(real) === real) throw named(error, shown);
  }
  handle ??= await makeFolder(real, shown);
  try {
    check(real, handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
async function makeFolder(real: string, shown: string): Promise<fs.promises.FileHandle> {
  const parent = await openFolder(path.dirname(real), shown, true);
  const child = path.join(handlePath(parent.fd), path.basename(real));
  try {
    await fs.promises.mkdir(child).catch((error: unknown) => {
      // Somebody else made it meanwhile; what it is gets checked when it is opened.
      if (systemCode(error) !== "EEXIST") throw error;
    });
    return await fs.promises.open(
      child,
      fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW,
    );
  } catch (error) {
    throw named(error, shown);
  } finally {
    await parent.close();
  }
}

async function withNamedFolder<T>(
  real: string,
  options: { shown: string; create?: boolean },
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const same = (): void => {
    const now = realPath(real);
    if (now !== real) throw changed(real, now);
  };
  same();
  try {
    if (options.create === true) await fs.promises.mkdir(real, { recursive: true });
    else if (!(await fs.promises.stat(real)).isDirectory())
      throw new NacreError("invalid_input", `${options.shown} is a file, not a folder`);
  } catch (error) {
    throw error instanceof NacreError ? error : named(error, options.shown);
  }
  same();
  const result = await use(real);
  same();
  return result;
}

/**
 * Replaces a file's whole content in one move, or makes it and the folders above it.
 * @throws NacreError `invalid_input` (a folder stands there), `denied` (swapped meanwhile), `io`.
 */
export async function writeWhole(real: string, shown: string, data: string | Uint8Array): Promise<void> {
  await withFolder(path.dirname(real), { shown, create: true }, async (folder) => {
    const target = path.join(folder, path.basename(real));
    const before = await fs.promises.lstat(target).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return undefined;
      throw named(error, shown);
    });
    if (before?.isSymbolicLink()) throw changed(real, "a link");
    if (before && !before.isFile())
      throw new NacreError("invalid_input", `${shown} is ${kindOf(before)}, not a file`);
    await replaceFile(target, data, shown);
  });
}
