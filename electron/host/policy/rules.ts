import type { RuleAnswer } from "../../../shared/policy.ts";
import { allowRule, type Rule } from "../config/permission.ts";
import { isCatchAll, isExact, matchPattern } from "./match-pattern.ts";

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
  /** Too much to be looked at with every rule: it hears whatever denies or asks, and of what allows only `*`. */
  readonly unread?: boolean;
  /** Capitals make no difference: hosts, and paths where the disks say so. */
  readonly anyCase?: boolean;
}

/** Tool names are compared without case: a `bash: deny` of another system must not be lost on a capital. */
function namesTool(pattern: string, toolNames: readonly string[]): boolean {
  const wanted = pattern.toLowerCase();
  return toolNames.some((name) => matchPattern(wanted, name.toLowerCase()));
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
/** Which patterns fit the command that all subjects of a call are parts of. */
type Wholes = Map<Rule, boolean>;
function fits(rule: Rule, subject: RuleSubject, wholes: Wholes): boolean {
  if (isCatchAll(rule.pattern)) return true;
  const { exact, whole } = subject;
  if ((rule.pattern === exact || rule.pattern === whole) && isExact(rule.pattern)) return true;
  const narrows = rule.answer !== "allow";
  if (narrows && subject.unread === true) return true;
  const matches = (name: string): boolean =>
    subject.anyCase === true
      ? matchPattern(folded(rule.pattern), folded(name), narrows)
      : matchPattern(rule.pattern, name, narrows);
  if (subject.names.some(matches)) return true;
  if (!narrows) return false;
  return (subject.hints ?? []).some(matches) || (whole !== undefined && fitsWhole(rule, whole, wholes));
}
function fitsWhole(rule: Rule, whole: string, wholes: Wholes): boolean {
  const known = wholes.get(rule) ?? matchPattern(rule.pattern, whole, true);
  wholes.set(rule, known);
  return known;
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
function lastMatchFor(
  rules: readonly Rule[],
  subject: RuleSubject,
  wholes: Wholes = new Map(),
): Rule | undefined {
  let trusted: Rule | undefined;
  let untrusted: Rule | undefined;
  for (const rule of rules) {
    if (!fits(rule, subject, wholes)) continue;
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

/** Subjects × rules that are compared. */
const mostCompared = 250_000;
/** All of them as one that nobody looked into. */
function unreadOf(subjects: readonly RuleSubject[]): RuleSubject {
  const whole = subjects[0]?.whole;
  const isOne = whole !== undefined && subjects.every((subject) => subject.whole === whole);
  return { names: [], unread: true, ...(isOne ? { whole } : {}) };
}

/**
 * What rules say of a call that is about several things, of one command at most: deny where one is denied, else ask
 * where one asks, allow only where every one is allowed; undefined where something is left that no rule speaks of.
 */
export function rulesAnswer(
  rules: readonly Rule[],
  tool: ToolNames,
  subjects: readonly RuleSubject[],
): Rule | undefined {
  const speaking = rulesOn(rules, tool);
  const isTooMuch = subjects.length * speaking.length > mostCompared;
  const about = subjects.length === 0 ? [{ names: [] }] : isTooMuch ? [unreadOf(subjects)] : subjects;
  const wholes: Wholes = new Map();
  const found = about.map((subject) => lastMatchFor(speaking, subject, wholes));
  return (
    found.find((rule) => rule?.answer === "deny") ??
    found.find((rule) => rule?.answer === "ask") ??
    (found.every((rule) => rule !== undefined) ? found[0] : undefined)
  );
}

/** The list of a start of the app is the same for each call: it is read once. */
const allowed = new WeakMap<readonly string[], readonly Rule[]>();
/** `--allow` patterns as the rules that they stand for. */
export function allowRules(patterns: readonly string[]): readonly Rule[] {
  const known = allowed.get(patterns);
  if (known !== undefined) return known;
  const rules = patterns.map((text) => allowRule(text, "allow"));
  allowed.set(patterns, rules);
  return rules;
}
