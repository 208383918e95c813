import { ruleText } from "../../shared/policy.ts";
import type { RuleRow } from "../../shared/workspace.ts";

/** Where a rule comes from, for words: `detail` is the path of a dropstone.json or a role's name, else empty. */
export interface RuleSource {
  readonly kind: "settings" | "dropstone" | "role" | "always" | "allow";
  readonly detail: string;
  /** The rule holds only while this role runs. */
  readonly role: string | null;
}
/** Rules that stand together and come from one place. */
export interface RuleGroup extends RuleSource {
  readonly trusted: boolean;
  readonly rules: readonly RuleRow[];
}

/** Reads a rule's `source`. */
export function sourceOf({ source, role = null }: { source: string; role?: string | null }): RuleSource {
  const colon = source.indexOf(":");
  const word = colon < 0 ? source : source.slice(0, colon);
  const detail = colon < 0 ? "" : source.slice(colon + 1);
  if (word === "dropstone" || word === "role") return { kind: word, detail, role };
  return { kind: word === "always" || word === "allow" ? word : "settings", detail, role };
}

/** The rules in their order, cut where the place they come from changes; `text` keeps those that hold it. */
export function ruleGroups(rules: readonly RuleRow[], text: string): RuleGroup[] {
  const wanted = text.trim().toLowerCase();
  const kept = rules.filter((rule) => `${ruleText(rule)} ${rule.source}`.toLowerCase().includes(wanted));
  const groups: (RuleGroup & { readonly rules: RuleRow[] })[] = [];
  for (const rule of kept) {
    const source = sourceOf(rule);
    const last = groups.at(-1);
    if (last && keyOf(last) === keyOf(source)) last.rules.push(rule);
    else groups.push({ ...source, trusted: rule.trusted, rules: [rule] });
  }
  return groups;
}
/** What tells one place from another. */
export const keyOf = ({ kind, detail, role }: RuleSource): string => JSON.stringify([kind, detail, role]);
