import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import { childEnvironment } from "./environment.ts";
import { statOrNone, textOrNone, writeAtomic } from "./files.ts";
import { run } from "./process.ts";

/** A login shell that takes longer hangs in one of its files. */
const limitMs = 3_000;
const keptMs = 24 * 60 * 60 * 1_000;

export interface LoginPathOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly home: string;
  /** `<cache>`: what was found is kept there for a day, as long as the shell's files do not change. */
  readonly cacheFolder: string;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Hears why the process's own PATH is used instead, in a sentence. */
  readonly report: (text: string) => void;
  readonly limitMs?: number;
}

/** True where the app was started by a launcher or the Dock, which know nothing of what the user's shell sets. */
export const startedByLauncher = (
  env: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform,
  hasTerminal: boolean,
): boolean => platform !== "win32" && !env["TERM"] && !hasTerminal;

/**
 * The PATH that the user's login shell sets (spec 4, Processes): asked of `$SHELL` once, with a limit of 3 s, whatever
 * else its files print. Undefined where it does not say. Never rejects. POSIX only.
 */
export async function loginPath(options: LoginPathOptions): Promise<string | undefined> {
  try {
    const found = await keptOrAsked(options);
    if (typeof found === "string") return found;
    options.report(`${found.why}: ${instead}`);
  } catch (error) {
    options.report(`the login shell could not be asked for its PATH (${String(error)}): ${instead}`);
  }
  return undefined;
}
const instead = "programs are looked for on the PATH that the app was started with";
interface Unknown {
  readonly why: string;
}

async function keptOrAsked(options: LoginPathOptions): Promise<string | Unknown> {
  const { env, now, report, cacheFolder } = options;
  const shell = env["SHELL"];
  if (!shell || !path.isAbsolute(shell)) return { why: "SHELL names no shell" };
  const file = path.join(cacheFolder, "login-path.json");
  const stamp = stampOf(shell, options);
  const kept = readKept(file);
  if (kept?.stamp === stamp && now() - kept.at < keptMs && now() >= kept.at) return kept.path;
  const found = await ask(shell, options);
  if (typeof found !== "string") return { why: `${shell} did not say its PATH (${found.why})` };
  const text = JSON.stringify({ stamp, at: now(), path: found });
  await writeAtomic(file, text, { mode: 0o600, folderMode: 0o700 }).catch((error: unknown) =>
    report(`the login shell's PATH could not be kept: ${String(error)}`),
  );
  return found;
}

async function ask(
  shell: string,
  { env, home, limitMs: limit = limitMs }: LoginPathOptions,
): Promise<string | Unknown> {
  const marker = `nacre-${process.pid}-path`;
  const asked = run(
    { command: shell, args: loginArguments(shell, marker), cwd: home, env: childEnvironment(env) },
    { timeoutMs: limit, early: true },
  );
  // One that hangs is being ended meanwhile; nobody waits for that.
  const late = { why: `no answer within ${limit / 1000} s` };
  const limited = new Promise<typeof late>((resolve) => setTimeout(resolve, limit, late).unref());
  const answered = asked.then(
    ({ output, timedOut, exit }) =>
      pathBetween(output, marker) ?? (timedOut ? late : { why: `it ended with ${exit.code ?? exit.signal}` }),
    (error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }),
  );
  return Promise.race([answered, limited]);
}
/**
 * Arguments with which a shell reads all that it reads for a person and prints its PATH between two markers. Every word of
 * the script means the same in POSIX shells, fish, csh and nu: programs with their arguments, in a row.
 */
export function loginArguments(shell: string, marker: string): string[] {
  const script = `/usr/bin/env echo ${marker}; /usr/bin/env printenv PATH; /usr/bin/env echo ${marker}`;
  // csh and tcsh take -l only where it stands alone; what sets the PATH stands in .cshrc, which -i reads.
  const isCsh = /^t?csh$/.test(path.basename(shell));
  return isCsh ? ["-i", "-c", script] : ["-i", "-l", "-c", script];
}
/** What stands between the last two markers, where it is a PATH. */
export function pathBetween(output: string, marker: string): string | undefined {
  const lines = output.split(/\r?\n/);
  const end = lines.findLastIndex((line) => line.endsWith(marker));
  const begin = lines.slice(0, Math.max(0, end)).findLastIndex((line) => line.endsWith(marker));
  const found = begin < 0 ? undefined : lines.slice(begin + 1, end).find((line) => line.startsWith("/"));
  return found?.trim();
}

/** Files from which shells take their PATH; of each the time of its last change counts, and whether it is there. */
const files = [
  "/etc/profile",
  "/etc/paths",
  "/etc/paths.d",
  "/etc/zprofile",
  "/etc/zshenv",
  "~/.profile",
  "~/.bash_profile",
  "~/.bash_login",
  "~/.bashrc",
  "~/.zshenv",
  "~/.zprofile",
  "~/.zshrc",
  "~/.zlogin",
  "~/.config/fish/config.fish",
  "~/.config/fish/fish_variables",
  "~/.config/nushell/env.nu",
  "~/.config/nushell/config.nu",
  "~/.cshrc",
  "~/.tcshrc",
  "~/.login",
];
function stampOf(shell: string, { home, env }: LoginPathOptions): string {
  const zsh = env["ZDOTDIR"] ?? home;
  const times = files.map((file) => {
    const real = file.startsWith("~/.z") ? path.join(zsh, file.slice(2)) : file.replace(/^~/, home);
    return statOrNone(real)?.mtimeMs ?? 0;
  });
  // The shell starts with our PATH and adds to it.
  return JSON.stringify([shell, env["PATH"] ?? "", ...times]);
}
function readKept(
  file: string,
): { readonly stamp: string; readonly at: number; readonly path: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(textOrNone(file) ?? "null");
  } catch {
    // Cut off: asked anew.
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { stamp, at, path: kept } = value;
  return typeof stamp === "string" && typeof at === "number" && typeof kept === "string"
    ? { stamp, at, path: kept }
    : undefined;
}
