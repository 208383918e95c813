import { exchangedMark } from "./mount-check.ts";

/**
 * What kept a command from running at all, where its output is the sandbox program's own complaint and nothing else; else
 * undefined. A command can write the same line itself: it then only calls itself failed.
 */
export function confinementFailure(output: string, code: number | null): string | undefined {
  if (code === 0 || code === null) return undefined;
  if (output.startsWith(exchangedMark))
    return `it did not run:${output.slice(exchangedMark.length).trimEnd()} was exchanged for another while it was being confined, mostly by another confined command that runs beside it; run it again`;
  const said = /^(?:bwrap|sandbox-exec): ([^\n]+)\n?$/.exec(output)?.[1];
  if (said === undefined) return undefined;
  const missing = /^execvp(?:\(\) of '| )(.+?)'?(?: failed)?: No such file or directory$/.exec(said)?.[1];
  if (missing !== undefined)
    return `it did not run: the program ${missing} was not found inside the confinement; install it, or give its path`;
  return `it did not run: its confinement could not be made (${said}); run it again, and where that does not help, nacre doctor says what is missing`;
}
