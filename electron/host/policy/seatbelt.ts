import type { Layout } from "./bubblewrap.ts";
import { guardedInGit } from "./git-folder.ts";
import { protectedFiles, protectedFolders } from "./locate.ts";

/** A Scheme string of the profile language. */
const text = (value: string): string => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
const rules = (action: string, kind: "subpath" | "literal", paths: readonly string[]): string[] =>
  paths.length === 0 ? [] : [`(${action} ${paths.map((path) => `(${kind} ${text(path)})`).join(" ")})`];
/** Devices that programs write to as a matter of course. */
const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper"];

const resolver = "/private/var/run/mDNSResponder";

/**
 * The Seatbelt profile with the meaning of `bubblewrapArguments`, as far as macOS goes: `/tmp` cannot be replaced, so
 * the session's own folder is writable and named by TMPDIR instead, and no name stands for another place. Protected names
 * that do not exist yet are closed by pattern. The last rule that matches decides.
 */
export function seatbeltProfile({ confinement, guarded, hidden, readable }: Layout): string {
  const { network, tmp, ownFolders = [] } = confinement;
  const roots = guarded.flatMap(({ root, gitFolders }) => [root, ...gitFolders]);
  const own = [tmp, ...ownFolders.map(({ at }) => at)];
  const readOnly = guarded.flatMap((entry) => [
    ...entry.readOnly,
    ...entry.emptyFolders,
    ...[...entry.links.values()].flatMap(({ real, exists }) => (exists ? [] : [real])),
  ]);
  const anchors = guarded.flatMap((entry) => entry.anchors);
  // A root or an own folder below a hidden one stays in reach.
  const within = [...roots, ...own].filter((root) => hidden.some((folder) => root.startsWith(`${folder}/`)));
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    ...rules("allow file-write*", "subpath", roots),
    ...rules("allow file-write*", "literal", devices),
    ...rules("deny file-read* file-write*", "subpath", hidden),
    ...rules("allow file-read* file-write*", "subpath", within),
    ...rules("allow file-read*", "subpath", readable),
    ...guarded.map(({ root }) => closedNames(root)),
    ...rules("deny file-write*", "subpath", readOnly),
    ...rules("deny file-write-unlink", "literal", [...new Set([...anchors, ...roots])]),
    ...rules("allow file-write*", "subpath", own),
    // Sockets in the session's own temporary folder are its own; all others are the host's.
    ...(network ? ["(deny network-outbound (remote unix-socket))"] : ["(deny network*)"]),
    `(allow network-bind (local unix-socket (subpath ${text(tmp)})))`,
    `(allow network-outbound (remote unix-socket (subpath ${text(tmp)})))`,
    ...(network ? [`(allow network-outbound (literal ${text(resolver)}))`] : []),
  ].join("\n");
}

/** Protected names at any depth below a root, in any case, but in trees of other people's code. */
function closedNames(root: string): string {
  const names = [...protectedFolders.filter((name) => name !== ".git"), ...protectedFiles];
  const git = `${anyCase(".git")}/(${guardedInGit.map(anyCase).join("|")})`;
  const closed = `^${exact(root)}/(.*/)?(${names.map(anyCase).join("|")}|${git})(/|$)`;
  // `.agent/node_modules` is closed: no folder on the way to an open one begins with a dot.
  const open = `^${exact(root)}/([^./][^/]*/)*node_modules/`;
  return `(deny file-write* (require-all (subpath ${text(root)}) (regex #"${closed}") (require-not (regex #"${open}"))))`;
}
/** A pattern for exactly this text; what a pattern cannot hold plainly matches any one character. */
const exact = (value: string): string =>
  value.replaceAll(/[^\w/ -]/gu, (sign) => (sign === "." ? "[.]" : "."));
const anyCase = (name: string): string =>
  name.replaceAll(/[a-z.]/g, (sign) => (sign === "." ? "[.]" : `[${sign}${sign.toUpperCase()}]`));
