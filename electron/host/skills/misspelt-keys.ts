import { nearWord } from "../../../shared/near-word.ts";
import type { Finding } from "../kit/finding.ts";

/** A key that stands where another one is missing. */
export interface NearKey {
  readonly key: string;
  /** 1-based; 0 where it stands on no line of its own. */
  readonly line: number;
}
export type NearKeys = Partial<Readonly<Record<"name" | "description", NearKey>>>;
interface Keys {
  readonly data: Readonly<Record<string, unknown>>;
  readonly lineOf: (key: string) => number | undefined;
}

/** Every key of the first level that Nacre reads (spec 3, Frontmatter). */
const known: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
  "when-to-use",
  "whenToUse",
  "disable-model-invocation",
  "disableModelInvocation",
  "user-invocable",
  "scope",
  "model",
  "tools",
  "keywords",
  "arguments",
  "kairox",
]);
/** A shorter one is near too much: `mode` and `title` belong to other clients. */
const shortest = 5;
/** Each is looked for in the whole block; nobody reads more of them. */
const mostTold = 5;

/**
 * Keys that nobody reads and that were meant as one that somebody does.
 * @param missing What stands nowhere: a key near it is its name, and told where it is missed.
 */
export function misspeltKeys(
  { data, lineOf }: Keys,
  missing: readonly (keyof NearKeys)[],
): { readonly near: NearKeys | undefined; readonly findings: readonly Finding[] } {
  const near: { -readonly [key in keyof NearKeys]: NearKeys[key] } = {};
  const findings: Finding[] = [];
  for (const key of Object.keys(data)) {
    if (known.has(key)) continue;
    const missed = nearWord(key, missing);
    if (missed === "name" || missed === "description") {
      near[missed] ??= { key, line: lineOf(key) ?? 0 };
      continue;
    }
    if (key.length < shortest || findings.length === mostTold) continue;
    const meant = nearWord(key, known, 1);
    if (meant === undefined) continue;
    const line = lineOf(key);
    findings.push({
      code: "skill-key-misspelt",
      severity: "warning",
      message: `the key ${key} is not known and means nothing here: did you mean ${meant}?`,
      ...(line === undefined ? {} : { line }),
      fix: `write ${meant} in place of ${key}`,
    });
  }
  return { near: Object.keys(near).length === 0 ? undefined : near, findings };
}
