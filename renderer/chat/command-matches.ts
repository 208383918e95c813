import type { CommandRow } from "../../shared/workspace.ts";

/** More would not fit above the composer. */
const most = 8;

/**
 * The commands that a text may become: it begins with `/` and holds no blank yet. Names that begin with it first, then
 * those that contain it. Empty where the text is a whole name already: Enter sends it.
 */
export function commandMatches(text: string, commands: readonly CommandRow[]): readonly CommandRow[] {
  const word = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (word === undefined || commands.some(({ name }) => name.toLowerCase() === word)) return [];
  const starts = commands.filter(({ name }) => name.toLowerCase().startsWith(word));
  const contains = commands.filter(({ name }) => name.toLowerCase().indexOf(word) > 0);
  return [...starts, ...contains].slice(0, most);
}
