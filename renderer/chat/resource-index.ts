import type { McpResourceRow, McpTemplateRow } from "../../shared/mcp.ts";

/** What `@` attaches beside a skill: a resource of a server, or a template that asks for its variables first. */
export type Attachable =
  | { readonly kind: "resource"; readonly name: string; readonly row: McpResourceRow }
  | { readonly kind: "template"; readonly name: string; readonly row: McpTemplateRow };
/** Of all that servers offer, made once whenever that changes: what a key costs does not grow with the number of rows. */
export interface ResourceIndex {
  /** The first `most` of which a word begins with `word`; `name` is what stands behind the `@`. */
  matches(word: string, most: number): readonly Attachable[];
  has(name: string): boolean;
}
/** A long address has many words: the first ones find it. */
const mostWords = 24;

const wordsOf = (text: string): string[] => {
  const words = [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].slice(0, mostWords);
  return words.map(({ index }) => text.toLowerCase().slice(index));
};

export function resourceIndex(
  resources: readonly McpResourceRow[],
  templates: readonly McpTemplateRow[],
): ResourceIndex {
  const all: Attachable[] = [
    ...resources.map((row) => ({ kind: "resource" as const, name: row.mention.slice(1), row })),
    ...templates.map((row) => ({ kind: "template" as const, name: row.mention.slice(1), row })),
  ];
  const names = new Set(resources.map(({ mention }) => mention.slice(1).toLowerCase()));
  /** Each word with what follows it, and whose it is. */
  const entries = all
    .flatMap((one, at) => [...wordsOf(one.name), ...wordsOf(one.row.name)].map((key) => ({ key, at })))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.at - b.at));
  const firstFrom = (word: string): number => {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((entries[middle]?.key ?? "") < word) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    has: (name) => names.has(name.toLowerCase()),
    matches(word, most) {
      if (word === "") return all.slice(0, most);
      const found = new Set<Attachable>();
      for (let at = firstFrom(word); found.size < most; at += 1) {
        const entry = entries[at];
        if (!entry?.key.startsWith(word)) break;
        const one = all[entry.at];
        if (one) found.add(one);
      }
      return [...found];
    },
  };
}
