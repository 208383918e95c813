import { isInside } from "../kit/files.ts";
import type { Guarded } from "./guarded.ts";
import { escaped, type ExpectedMount, mountLine, underInit } from "./mount-check.ts";
import type { Confinement } from "./sandbox.ts";

/** Everything that one confined process sees. All paths real. */
export interface Layout {
  readonly confinement: Confinement;
  /** One for each writable root. */
  readonly guarded: readonly Guarded[];
  readonly hidden: readonly string[];
  readonly readable: readonly string[];
}
interface Mount {
  readonly at: string;
  /** Of two mounts at one place the one with the higher rank comes later and counts. */
  readonly rank: number;
  readonly args: readonly string[];
  /** What this place holds: the host's files, or something of the sandbox's own. */
  readonly fresh: boolean;
  /** The host's file or folder that is mounted; absent for an empty folder of memory. */
  readonly from?: string;
  /** Made only where what lies around it is of this kind. */
  readonly onlyIn?: "host" | "fresh";
}

/**
 * The arguments of bubblewrap 0.8: the whole disk read-only, the roots writable, own `/tmp`, `/run`, `/dev`
 * and `/proc`, keys and the app's files hidden, protected names bound onto themselves. Mounts are ordered from the root
 * of the tree down, so that a deeper one always stands: a workspace in `/tmp` or `<data>` in the workspace come out
 * right. Capabilities are dropped: root could undo every mount with them. No namespace parts Unix sockets: a filter of system
 * calls does (`seccompFilter`).
 */
export function bubblewrapArguments(
  layout: Layout & {
    readonly command: readonly string[];
    readonly cwd: string;
    /** Folders of sockets: replaced by empty ones. */
    readonly runtime: readonly string[];
    /** The descriptor that the filter of system calls is read from. */
    readonly filter: number;
    /** The file behind /etc/resolv.conf. */
    readonly resolver?: string;
    /** The text of this process's `/proc/self/mountinfo`: the mounts are compared before the command starts. */
    readonly mountTable?: string;
  },
): string[] {
  const { command, confinement, hidden, readable, guarded, cwd, runtime, filter, resolver, mountTable } =
    layout;
  const self = (at: string, flag: "--bind" | "--ro-bind", rank: number): Mount => ({
    at,
    rank,
    args: [flag, at, at],
    fresh: false,
    from: at,
  });
  const fresh = (at: string, rank: number, ...args: string[]): Mount => ({ at, rank, args, fresh: true });
  // Closed by its mode, which costs less than mounting it again: who opens it writes into nothing.
  const empty = (at: string, rank: number): Mount => fresh(at, rank, "--perms", "0555", "--tmpfs", at);
  const mounts: Mount[] = [
    self("/", "--ro-bind", 0),
    fresh("/dev", 1, "--dev", "/dev"),
    fresh("/proc", 1, "--proc", "/proc"),
    // Root needs no capability to write there: kernel.core_pattern names a program that runs outside.
    self("/proc/sys", "--ro-bind", 2),
    ...runtime.map((folder) => fresh(folder, 1, "--tmpfs", folder)),
    { ...fresh("/tmp", 1, "--bind", confinement.tmp, "/tmp"), from: confinement.tmp },
    ...(confinement.ownFolders ?? []).map(({ at, from = at }) => ({
      ...self(at, "--bind", 7),
      args: ["--bind", from, at],
      from,
    })),
    ...guarded.flatMap(({ root, gitFolders, readOnly, emptyFolders, anchors }) => [
      ...[root, ...gitFolders].map((folder) => self(folder, "--bind", 2)),
      ...anchors.map((folder) => self(folder, "--bind", 3)),
      ...emptyFolders.map((folder) => empty(folder, 4)),
      ...readOnly.map((at) => self(at, "--ro-bind", 5)),
    ]),
    ...[...readable, ...(confinement.network && resolver !== undefined ? [resolver] : [])].map((at) => ({
      ...self(at, "--ro-bind", 3),
      onlyIn: "fresh" as const,
    })),
    ...hidden.map((folder) => ({ ...empty(folder, 6), onlyIn: "host" as const })),
  ];
  mounts.sort((a, b) => depth(a.at) - depth(b.at) || a.rank - b.rank);
  const seen = mounts.filter((mount, index) => isNeeded(mount, index, mounts));
  // Of those at one place the last one covers the others.
  const needed = [...new Map(seen.map((mount) => [mount.at, mount])).values()];
  const writable = [
    ...guarded.flatMap(({ root, gitFolders }) => [root, ...gitFolders]),
    ...(confinement.ownFolders ?? []).flatMap(({ at, from = at }) => [at, from]),
  ];
  return [
    "--die-with-parent",
    "--unshare-pid",
    "--as-pid-1",
    "--unshare-ipc",
    ...(confinement.network ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    "--seccomp",
    String(filter),
    ...needed.flatMap((mount) => mount.args),
    "--chdir",
    cwd,
    "--",
    ...underInit(command, mountTable === undefined ? [] : expectedMounts(needed, writable, mountTable)),
  ];
}
/** The mounts that a confined process can have to do with: what lies below a folder that one may write in. */
function expectedMounts(
  mounts: readonly Mount[],
  writable: readonly string[],
  table: string,
): ExpectedMount[] {
  const isBelow = (file: string): boolean =>
    writable.some((folder) => file !== folder && isInside(folder, file));
  return mounts
    .filter(({ at, from = at }) => isBelow(at) || isBelow(from))
    .map(({ at, from, args }) => {
      const what = from === undefined ? " /" : mountLine(table, from);
      return { at, line: `${what} ${escaped(at)} ${args[0] === "--ro-bind" ? "ro," : ""}` };
    });
}
const depth = (at: string): number => (at === "/" ? 0 : at.split("/").length);

/** Below something of the sandbox's own the host's files are out of sight: nothing to hide, but the resolver to show. */
function isNeeded(mount: Mount, index: number, mounts: readonly Mount[]): boolean {
  if (mount.onlyIn === undefined) return true;
  const around = mounts.findLast((outer, at) => at < index && isInside(outer.at, mount.at));
  return around?.fresh === (mount.onlyIn === "fresh");
}
