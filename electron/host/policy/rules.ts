import type { RuleAnswer } from "../../../shared/policy.ts";
import { allowRule, type Rule } from "../config/permission.ts";

/**
 * One thing that a call is about, as rules see it: a path, a host, a part of a command.
 * `names` are all its true names; `hints` are further spellings that a deny or an ask also matches, an allow never.
 */
export interface RuleSubject {
  readonly names: readonly string[];
  readonly hints?: readonly string[];
  /** A spelling that only a pattern without wildcards may name, or what denies or asks. */
  readonly exact?: string;
  /** The command that this is a part of: heard like `exact`, the same for each part. */
  readonly whole?: string;
  /** Capitals make no difference: hosts, and paths where the disks say so. */
  readonly anyCase?: boolean;
}

/**
 * Whether the whole of `text` fits: `*` is any run of characters, `/` and line breaks among them, `?` one character.
 * One point to go back to is enough for `*`, so that no pattern takes more than pattern × text steps.
 */
export function matchPattern(pattern: string, text: string): boolean {
  const wild = pattern.search(/[*?]/);
  if (wild < 0) return pattern === text;
  // Most patterns are told apart by how they begin.
  if (!text.startsWith(pattern.slice(0, wild))) return false;
  if (isCatchAll(pattern.slice(wild))) return true;
  const want = Array.from(pattern);
  const have = Array.from(text);
  let w = 0;
  let starAt = -1;
  let starText = 0;
  for (let h = 0; h < have.length;) {
    if (want[w] === "*") {
      starAt = w++;
      starText = h;
    } else if (w < want.length && (want[w] === "?" || want[w] === have[h])) {
      w++;
      h++;
    } else if (starAt >= 0) {
      w = starAt + 1;
      h = ++starText;
    } else return false;
  }
  while (want[w] === "*") w++;
  return w === want.length;
}
/** `*`, `**`: fits everything. */
export const isCatchAll = (pattern: string): boolean => /^\*+$/.test(pattern);
/** True where the pattern names exactly one text. */
export const isExact = (pattern: string): boolean => !/[*?]/.test(pattern);

/** Tool names are compared without case: a `bash: deny` of another system must not be lost on a capital. */
function namesTool(pattern: string, toolNames: readonly string[]): boolean {
  const wanted = pattern.toLowerCase();
  return toolNames.some((name) => matchPattern(wanted, name.toLowerCase()));
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
function fits(rule: Rule, subject: RuleSubject): boolean {
  if (isCatchAll(rule.pattern)) return true;
  const { exact, whole } = subject;
  if ((rule.pattern === exact || rule.pattern === whole) && isExact(rule.pattern)) return true;
  const matches = (name: string): boolean =>
    subject.anyCase === true
      ? matchPattern(folded(rule.pattern), folded(name))
      : matchPattern(rule.pattern, name);
  if (subject.names.some(matches)) return true;
  if (rule.answer === "allow") return false;
  return (subject.hints ?? []).some(matches) || (whole !== undefined && matches(whole));
}

const strictness: Record<RuleAnswer, number> = { allow: 0, ask: 1, deny: 2 };
const stricter = (a: Rule | undefined, b: Rule | undefined): Rule | undefined =>
  a && b ? (strictness[b.answer] > strictness[a.answer] ? b : a) : (a ?? b);

/** The names of a tool that rules may use. */
export interface ToolNames {
  /** Its own, its title, those of other systems. */
  readonly all: readonly string[];
  /** Those that an allowing rule, an answer or `--allow` has to use where the others could mean another tool. */
  readonly forAllow?: readonly string[];
}

/** The rules that speak of a tool; an allow of an untrusted workspace speaks of none. */
const rulesOn = (rules: readonly Rule[], tool: ToolNames): Rule[] =>
  rules.filter((rule) => {
    if (rule.answer !== "allow") return namesTool(rule.tool, tool.all);
    return rule.trusted && namesTool(rule.tool, tool.forAllow ?? tool.all);
  });
/**
 * The rule that decides about one subject: the last that matches. One of an untrusted workspace only ever narrows:
 * its ask does not soften a deny.
 */
function lastMatchFor(rules: readonly Rule[], subject: RuleSubject): Rule | undefined {
  let trusted: Rule | undefined;
  let untrusted: Rule | undefined;
  for (const rule of rules) {
    if (!fits(rule, subject)) continue;
    if (rule.trusted) trusted = rule;
    else untrusted = stricter(untrusted, rule);
  }
  return stricter(trusted, untrusted);
}
/** The rule that decides where any of `args` names the one thing asked about; no args: only `*` fits. */
export const lastMatch = (
  rules: readonly Rule[],
  toolNames: readonly string[],
  args: readonly string[],
): Rule | undefined => lastMatchFor(rulesOn(rules, { all: toolNames }), { names: args });

/**
 * What rules say of a call that is about several things: deny where one is denied, else ask where one asks, allow only
 * where every one is allowed; undefined where something is left that no rule speaks of.
 */
export function rulesAnswer(
  rules: readonly Rule[],
  tool: ToolNames,
  subjects: readonly RuleSubject[],
): Rule | undefined {
  const about = subjects.length === 0 ? [{ names: [] }] : subjects;
  const speaking = rulesOn(rules, tool);
  const found = about.map((subject) => lastMatchFor(speaking, subject));
  return (
    found.find((rule) => rule?.answer === "deny") ??
    found.find((rule) => rule?.answer === "ask") ??
    (found.every((rule) => rule !== undefined) ? found[0] : undefined)
  );
}

/** `--allow` patterns as the rules that they stand for. */
export const allowRules = (patterns: readonly string[]): Rule[] =>
  patterns.map((text) => allowRule(text, "allow"));
