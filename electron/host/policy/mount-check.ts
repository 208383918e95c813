import { isInside } from "../kit/files.ts";

/** Begins what a confinement writes where a mount did not come to lie as it was meant to; then nothing has run. */
export const exchangedMark = "nacre: exchanged";
/** The code that it ends with then. */
const exchangedCode = 125;

/** One mount as it has to be, as the namespace's own table names it. */
export interface ExpectedMount {
  readonly at: string;
  /** A part of its line in `/proc/self/mountinfo`. */
  readonly line: string;
}

/**
 * The command behind a shell that is the first process of the namespace, `--as-pid-1`: it collects what ends there, as
 * bubblewrap's own one does, in a fraction of the time (decision 10). The command itself must not be that process: signals
 * that it sends itself would be ignored.
 *
 * Before it starts anything it compares what was mounted with `expected`, where there is any. Another confined process
 * may have exchanged a folder for a link between the look at the disk and the mounts, which follow links: only from
 * inside, where the mounts are made and stay, can be seen what they became. Anything else than expected ends it with
 * `exchangedMark`. Nothing is looked for in PATH, which may lead into the workspace.
 */
export function underInit(command: readonly string[], expected: readonly ExpectedMount[]): string[] {
  if (expected.length === 0) return ["/bin/sh", "-c", '"$@"; exit $?', "sh", ...command];
  const script = `if [ -x /bin/cat ]; then nacre_mounts=$(/bin/cat /proc/self/mountinfo)
else while IFS= read -r nacre_line; do nacre_mounts="$nacre_mounts$nacre_line "; done </proc/self/mountinfo; fi
nacre_left=$1; shift
while [ "$nacre_left" -gt 0 ]; do
case $nacre_mounts in *"$1"*) ;; *) printf '%s %s\\n' '${exchangedMark}' "$2" >&2; exit ${exchangedCode};; esac
shift 2; nacre_left=$((nacre_left - 1)); done
"$@"; exit $?`;
  return [
    "/bin/sh",
    "-c",
    script,
    "sh",
    String(expected.length),
    ...expected.flatMap(({ line, at }) => [line, at]),
    ...command,
  ];
}

/** `" <device> <root>"`: how a mount table names what lies at a path, a real one, by the table of this process. */
export function mountLine(table: string, file: string): string {
  let best = { at: "", device: "", root: "" };
  for (const line of table.split("\n")) {
    const [, , device, root, at] = line.split(" ");
    if (device === undefined || root === undefined || at === undefined) continue;
    const place = unescaped(at);
    // Of two at one place the later one covers the other.
    if (place.length >= best.at.length && isInside(place, file)) best = { at: place, device, root };
  }
  const rest = escaped(file.slice(best.at === "/" ? 0 : best.at.length));
  const whole = best.root === "/" ? rest || "/" : rest === "/" ? best.root : best.root + rest;
  return ` ${best.device} ${whole}`;
}
/** As the kernel writes names in the table. */
export const escaped = (name: string): string =>
  name.replaceAll(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`);
const unescaped = (name: string): string =>
  name.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)));
