import type { Layout } from "./bubblewrap.ts";

/** A Scheme string of the profile language. */
const text = (value: string): string => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
const rules = (action: string, kind: "subpath" | "literal", paths: readonly string[]): string[] =>
  paths.length === 0 ? [] : [`(${action} ${paths.map((path) => `(${kind} ${text(path)})`).join(" ")})`];
/** Devices that programs write to as a matter of course. */
const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper"];

const sockets = ["/private/var/run", "/private/tmp"];
const resolver = "/private/var/run/mDNSResponder";

/**
 * The Seatbelt profile with the meaning of `bubblewrapArguments`, as far as macOS goes: `/tmp` cannot be replaced, so
 * the session's own folder is writable and named by TMPDIR instead. The last rule that matches decides.
 */
export function seatbeltProfile({ confinement, roots, hidden, readable, guarded }: Layout): string {
  const readOnly = guarded.flatMap((entry) => [...entry.readOnly, ...entry.emptyFolders]);
  const anchors = guarded.flatMap((entry) => entry.anchors);
  // A root or the temporary folder below a hidden one stays in reach.
  const within = [...roots, confinement.tmp].filter((root) =>
    hidden.some((folder) => root.startsWith(`${folder}/`)),
  );
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    ...rules("allow file-write*", "subpath", [...roots, confinement.tmp]),
    ...rules("allow file-write*", "literal", devices),
    ...rules("deny file-read* file-write*", "subpath", hidden),
    ...rules("allow file-read* file-write*", "subpath", within),
    ...rules("allow file-read*", "subpath", readable),
    ...rules("deny file-write*", "subpath", readOnly),
    ...rules("deny file-write-unlink", "literal", anchors),
    ...(confinement.network
      ? [
          ...rules("deny network-outbound", "subpath", sockets),
          ...rules("allow network-outbound", "literal", [resolver]),
        ]
      : ["(deny network*)"]),
  ].join("\n");
}
