import { nearWord } from "../../shared/near-word.ts";
import { parsePattern } from "../host/config/permission.ts";
import type { Host } from "../host/host.ts";
import { isBuiltinName } from "../host/tools/aliases.ts";
import { printError } from "./output.ts";

/** Tools of servers, which may not run yet, and `OWNER/NAME`. */
const knownLater = /^mcp(__|\.)|\//i;

/**
 * One line for each `--allow` pattern that no tool there is could mean, with the name that is near: it answers nothing.
 * `names` are the tools' own names and titles; what holds a wildcard is left alone.
 */
export function allowWarnings(patterns: readonly string[], names: readonly string[]): string[] {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return patterns.flatMap((text) => {
    const { tool } = parsePattern(text);
    if (/[*?]/.test(tool) || knownLater.test(tool) || isBuiltinName(tool) || known.has(tool.toLowerCase()))
      return [];
    const near = nearWord(tool, names);
    const hint = near === undefined ? "nacre tools list names them" : `did you mean ${near}?`;
    return [`--allow ${text}: there is no tool "${tool}", so it allows nothing; ${hint}`];
  });
}
/** Says so on standard error. */
export function warnOfAllow(host: Pick<Host, "toolRows">, patterns: readonly string[]): void {
  if (patterns.length === 0) return;
  const names = host.toolRows().flatMap(({ name, title }) => [name, title]);
  for (const line of allowWarnings(patterns, names)) printError(line);
}
