import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { NacreError } from "../../../../shared/errors.ts";
import { spawn } from "../../kit/process.ts";
import { unpacked } from "../../kit/unpacked.ts";

/** `--no-config`: a configuration file may name a program that ripgrep runs on every file (`--pre`). */
const always = ["--no-config", "--no-messages", "--hidden", "--no-require-git", "--color=never"];
const mostErrorText = 2_000;
/** A `.gitignore` that is a pipe holds ripgrep up for ever; no search that gets on takes so long, ms. */
const longest = 120_000;

let program: Promise<string> | undefined;
/** The binary that comes with the app; in a packed app it lies beside the archive. */
function ripgrepPath(): Promise<string> {
  program ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => unpacked(rgPath),
    (error: unknown) => {
      program = undefined;
      throw new NacreError(
        "unavailable",
        "the search program (ripgrep) is missing for this platform; install Nacre again",
        {
          cause: error,
        },
      );
    },
  );
  return program;
}

export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 an error; null where it was stopped. */
  readonly code: number | null;
  readonly errorText: string;
}
/**
 * Runs ripgrep and hands over its output line by line, without the line break. `onLine` answers false to stop it.
 * @throws NacreError `unavailable`; `io` after `longestMs` (2 minutes); the signal's reason.
 */
export async function ripgrep(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; longestMs?: number },
  onLine: (line: string) => boolean,
  signal: AbortSignal,
): Promise<RipgrepEnd> {
  const command = await ripgrepPath();
  signal.throwIfAborted();
  const child = await spawn({ command, args: [...always, ...args], cwd: options.cwd, env: options.env });
  const stop = (): void => void child.stop();
  signal.addEventListener("abort", stop, { once: true });
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    stop();
  }, options.longestMs ?? longest);
  let stopped = false;
  let errorText = "";
  const lines = lineSplitter((line) => {
    if (stopped || onLine(line)) return;
    stopped = true;
    stop();
  });
  child.stdout.on("data", (chunk: Buffer) => lines.take(chunk));
  child.stderr.on("data", (chunk: Buffer) => {
    if (errorText.length < mostErrorText) errorText += chunk.toString("utf8");
  });
  child.stdin.end();
  if (signal.aborted) stop();
  const exit = await child.exit;
  clearTimeout(limit);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (late)
    throw new NacreError(
      "io",
      `the search in ${options.cwd} did not come to an end: search a smaller folder, and see that every .gitignore in it is a file`,
    );
  lines.end();
  return { code: stopped ? null : exit.code, errorText: errorText.trim() };
}

function lineSplitter(onLine: (line: string) => void): { take(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    take(chunk) {
      const parts = (rest + decoder.write(chunk)).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) onLine(part.replace(/\r$/, ""));
    },
    end() {
      rest += decoder.end();
      if (rest !== "") onLine(rest);
    },
  };
}

/**
 * The files that no `.gitignore` hides, optionally those that fit a glob, as paths from `cwd` with `/`.
 * ripgrep lets a glob bring ignored files back, so the glob's answer counts only where the plain list agrees.
 */
export async function visibleFiles(
  glob: string | undefined,
  options: { cwd: string; env: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<Set<string>> {
  const list = async (globs: readonly string[]): Promise<Set<string>> => {
    const files = new Set<string>();
    const args = ["--files", ...globs, "--glob=!.git", "--", "."];
    const add = (line: string): boolean => files.add(slashed(line)) === files;
    const { code, errorText } = await ripgrep(args, options, add, signal);
    if (code === 2 && errorText !== "") throw new NacreError("invalid_input", withoutPrefix(errorText));
    return files;
  };
  if (glob === undefined) return list([]);
  const [visible, fitting] = await Promise.all([list([]), list([`--glob=${glob}`])]);
  return new Set([...fitting].filter((file) => visible.has(file)));
}
/** `./src/a.ts` → `src/a.ts` */
export const slashed = (file: string): string => file.replaceAll(path.sep, "/").replace(/^\.\//, "");
/** `rg: error parsing glob …` → `error parsing glob …` */
export const withoutPrefix = (errorText: string): string => errorText.replace(/^rg: /, "");
