import path from "node:path";
import type { Guarded } from "./guarded.ts";
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
  /** Made only where what lies around it is of this kind. */
  readonly onlyIn?: "host" | "fresh";
}

const contains = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/**
 * The arguments of bubblewrap 0.8: the whole disk read-only, the roots writable, own `/tmp`, `/run`, `/dev`
 * and `/proc`, keys and the app's files hidden, protected names bound onto themselves. Mounts are ordered from the root
 * of the tree down, so that a deeper one always stands: a workspace in `/tmp` or `<data>` in the workspace come out
 * right. Capabilities are dropped: root could undo every mount with them.
 */
export function bubblewrapArguments(
  layout: Layout & {
    readonly command: readonly string[];
    readonly cwd: string;
    /** Folders of sockets: replaced by empty ones. */
    readonly runtime: readonly string[];
    /** Socket files of the host: covered where they would be seen. */
    readonly sockets: readonly string[];
    /** The file behind /etc/resolv.conf. */
    readonly resolver?: string;
  },
): string[] {
  const { command, confinement, hidden, readable, guarded, cwd, runtime, sockets, resolver } = layout;
  const self = (at: string, flag: "--bind" | "--ro-bind", rank: number): Mount => ({
    at,
    rank,
    args: [flag, at, at],
    fresh: false,
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
    { at: "/tmp", rank: 1, args: ["--bind", confinement.tmp, "/tmp"], fresh: true },
    ...(confinement.ownFolders ?? []).map(({ at, from = at }) => ({
      ...self(at, "--bind", 7),
      args: ["--bind", from, at],
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
    // Nobody listens at a device.
    ...sockets.map((file) => ({
      ...fresh(file, 6, "--ro-bind", "/dev/null", file),
      onlyIn: "host" as const,
    })),
  ];
  mounts.sort((a, b) => depth(a.at) - depth(b.at) || a.rank - b.rank);
  const needed = mounts.filter((mount, index) => isNeeded(mount, mounts.slice(0, index)));
  return [
    "--die-with-parent",
    "--unshare-pid",
    "--as-pid-1",
    "--unshare-ipc",
    ...(confinement.network ? [] : ["--unshare-net"]),
    "--cap-drop",
    "ALL",
    ...needed.flatMap((mount) => mount.args),
    "--chdir",
    cwd,
    "--",
    ...underInit(command),
  ];
}
/**
 * A shell is the first process of the namespace, `--as-pid-1`: it collects what ends there and does nothing else, as
 * bubblewrap's own one does, in a fraction of the time (decision 10). The command itself must not be that process: signals
 * that it sends itself would be ignored.
 */
const underInit = (command: readonly string[]): string[] => [
  "/bin/sh",
  "-c",
  '"$@"; exit $?',
  "sh",
  ...command,
];
const depth = (at: string): number => (at === "/" ? 0 : at.split("/").length);

/** Below something of the sandbox's own the host's files are out of sight: nothing to hide, but the resolver to show. */
function isNeeded(mount: Mount, before: readonly Mount[]): boolean {
  if (mount.onlyIn === undefined) return true;
  const around = before.findLast((outer) => contains(outer.at, mount.at));
  return around !== undefined && around.fresh === (mount.onlyIn === "fresh");
}
