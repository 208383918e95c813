/** What decided about a call; `detail` is the rule, folder, hook or pattern. `other` is told in the host's words. */
export interface Decider {
  readonly kind: "policy" | "rule" | "folder" | "always" | "session" | "hook" | "allow" | "other";
  readonly detail: string;
}
const prefixes: readonly (readonly [string, Decider["kind"]])[] = [
  ["rule ", "rule"],
  ["protected folder ", "folder"],
  ["always ", "always"],
  ["session ", "session"],
  ["hook ", "hook"],
  ["--allow ", "allow"],
];

/** Reads an explanation's `by` (`policy`, `rule run_shell:git*`, `protected folder .git`, …). */
export function deciderOf(by: string): Decider {
  if (by === "policy") return { kind: "policy", detail: "" };
  const known = prefixes.find(([prefix]) => by.startsWith(prefix));
  return known ? { kind: known[1], detail: by.slice(known[0].length) } : { kind: "other", detail: by };
}
