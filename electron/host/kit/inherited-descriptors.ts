import fs from "node:fs";

/** `O_CLOEXEC`, as `/proc/self/fdinfo` tells it (proc_pid_fdinfo(5)). */
const closeOnExec = 0o2000000;
const flagsKey = "flags:";
/** At its start Node marks those below so that no child gets them, at least (libuv's `uv_disable_stdio_inheritance`). */
const marked = 16;

/**
 * Closes what a shell left open for this process beside the standard streams (`exec 200>>file`). Every child would get it
 * too, a confined one as well, and write through it where it may not. Node marks the first sixteen alone, and has nothing
 * to mark another one with. Linux; on macOS libuv hands nothing on. To be called before anything is started, and only by a
 * program that owns its process: another one's libraries may hold such descriptors.
 */
export function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of namesIn("/proc/self/fd")) {
    const descriptor = Number(name);
    if (descriptor < marked || isOurs(name)) continue;
    try {
      fs.closeSync(descriptor);
    } catch {
      // Whatever the system says of it, it is closed then (close(2)).
    }
  }
}
function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // Without /proc there is no sandbox either, whose walls this would be a hole in.
    return [];
  }
}
/** Node opens everything of its own so that no child gets it. */
function isOurs(name: string): boolean {
  try {
    const text = fs.readFileSync(`/proc/self/fdinfo/${name}`, "utf8");
    const flags = Number.parseInt(text.slice(text.indexOf(flagsKey) + flagsKey.length), 8);
    return Number.isNaN(flags) || (flags & closeOnExec) !== 0;
  } catch {
    // Gone: it was the one that the folder was read by.
    return true;
  }
}
