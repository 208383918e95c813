import type { SkillRow } from "../../shared/extension-rows.ts";

/** A skill that a person may run by its name in one chat. */
export interface RunnableSkill {
  readonly name: string;
  readonly description: string;
  readonly takesArguments: boolean;
}
/** Of all skills that there are, made once whenever they change: a key that is pressed reads it alone. */
export interface SkillIndex {
  /** The first `most` for a word: names that begin with it, then those that hold it. A plugin's is found by its own name too. */
  matches(word: string, most: number): readonly RunnableSkill[];
  find(name: string): RunnableSkill | undefined;
}

/** The skills that are on, a person may run, and that are everybody's or this chat's own. */
export function skillIndex(rows: readonly SkillRow[], sessionId: string | null): SkillIndex {
  const byName = new Map<string, RunnableSkill>();
  for (const { name, description, state, modelOnly, takesArguments, sessionId: owner } of rows) {
    if (state !== "on" || modelOnly || (owner !== undefined && owner !== sessionId)) continue;
    if (owner === undefined && byName.has(name)) continue;
    byName.set(name, { name, description, takesArguments: takesArguments ?? false });
  }
  const sorted = [...byName.keys()].sort();
  const take = (names: readonly string[]): RunnableSkill[] =>
    names.map((name) => byName.get(name)).filter((skill) => skill !== undefined);
  return {
    find: (name) => byName.get(name),
    matches(word, most) {
      const found = new Set<string>();
      for (let at = firstFrom(sorted, word); found.size < most; at += 1) {
        const name = sorted[at];
        if (!name?.startsWith(word)) break;
        found.add(name);
      }
      for (let at = 0; at < sorted.length && found.size < most; at += 1) {
        const name = sorted[at] ?? "";
        if (name.includes(word)) found.add(name);
      }
      return take([...found]);
    },
  };
}

/** The place of the first name that does not stand before a word. */
function firstFrom(sorted: readonly string[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
