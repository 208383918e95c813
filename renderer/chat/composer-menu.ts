import type { CommandRow } from "../../shared/workspace.ts";
import { resourceIndex, type Attachable, type ResourceIndex } from "./resource-index.ts";
import type { RunnableSkill, SkillIndex } from "./skill-index.ts";

/** One line of the menu above the composer. */
export type MenuItem =
  | { readonly kind: "command"; readonly name: string; readonly row: CommandRow }
  | { readonly kind: "skill"; readonly name: string; readonly skill: RunnableSkill }
  | Attachable;
/** What a text may become: `from` to `to` of it is replaced. */
export interface ComposerMenu {
  readonly sign: "/" | "@";
  readonly items: readonly MenuItem[];
  readonly from: number;
  readonly to: number;
}
/** More would not fit above the composer. */
const most = 8;
/** A longer word is no name. */
const longest = 500;
const nothing = resourceIndex([], []);

/** Names that begin with the word first, then those that contain it; commands before skills. */
function commandItems(word: string, commands: readonly CommandRow[], skills: SkillIndex): MenuItem[] {
  const starts = commands.filter(({ name }) => name.toLowerCase().startsWith(word));
  const contains = commands.filter(({ name }) => name.toLowerCase().indexOf(word) > 0);
  const found = skillItems(word, skills).filter(({ name }) => !commands.some((row) => row.name === name));
  const item = (row: CommandRow): MenuItem => ({ kind: "command", name: row.name, row });
  const [ahead, behind] = [starts.map(item), contains.map(item)];
  const begins = found.filter(({ name }) => name.startsWith(word));
  // Both kinds are to be seen: where many commands fit, skills keep half of the places.
  const kept = Math.max(most - found.length, most / 2);
  const shown = [
    ...ahead.slice(0, kept),
    ...begins,
    ...behind,
    ...found.filter((one) => !begins.includes(one)),
  ];
  return shown.slice(0, most);
}
const skillItems = (word: string, skills: SkillIndex): MenuItem[] =>
  skills.matches(word, most).map((skill) => ({ kind: "skill", name: skill.name, skill }));

/** Skills, and what servers offer: both are to be seen, so each keeps half of the places where the other has more. */
function mentionItems(word: string, skills: SkillIndex, resources: ResourceIndex): MenuItem[] {
  const [own, offered] = [skillItems(word, skills), resources.matches(word, most)];
  return [...own.slice(0, Math.max(most - offered.length, most / 2)), ...offered].slice(0, most);
}
/** The word behind an `@` at the caret; undefined where there is none. */
export const mentionAt = (text: string, caret: number): string | undefined =>
  /(?:^|\s)@(\S*)$/.exec(text.slice(Math.max(0, caret - longest), caret))?.[1];

/**
 * The menu for a text with the caret in it: commands and skills where the text is `/` and one word; skills, resources and
 * templates where the word at the caret begins with `@`. Null where nothing fits, or the word is a whole name already: Enter
 * sends it.
 */
export function composerMenu(
  text: string,
  caret: number,
  commands: readonly CommandRow[],
  skills: SkillIndex,
  resources: ResourceIndex = nothing,
): ComposerMenu | null {
  const command = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  const word = command ?? mentionAt(text, caret)?.toLowerCase();
  if (word === undefined || skills.find(word) || resources.has(word)) return null;
  if (command !== undefined && commands.some(({ name }) => name.toLowerCase() === word)) return null;
  const items =
    command === undefined ? mentionItems(word, skills, resources) : commandItems(word, commands, skills);
  if (items.length === 0) return null;
  return command === undefined
    ? { sign: "@", items, from: caret - word.length - 1, to: caret }
    : { sign: "/", items, from: 0, to: text.length };
}
