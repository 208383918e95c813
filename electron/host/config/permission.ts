import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { RuleAnswer } from "../../../shared/policy.ts";
import { membersOf } from "./members.ts";

/** One permission rule (spec 4): `permission.<tool pattern>` with an argument pattern (`*` where none stands). */
export interface Rule {
  readonly tool: string;
  readonly pattern: string;
  readonly answer: RuleAnswer;
  /**
   * Where it stands: `settings`, `dropstone:<path>`, `role:<name>`; or what stores it, see `allowRule`; or the skill
   * for whose turn it holds, see `turnRule`.
   */
  readonly source: string;
  /** False for a workspace that is not trusted: then only `deny` and `ask` count. */
  readonly trusted: boolean;
}

/** Characters of a pattern with wildcards: it is compared with each call. */
const longestPattern = 1_000;
/** Of a tool's name in a message. */
const shownTool = 60;
const isTooLong = (pattern: string): boolean => pattern.length > longestPattern && /[*?]/.test(pattern);

const isAnswer = (value: unknown): value is RuleAnswer =>
  value === "allow" || value === "ask" || value === "deny";

/**
 * Reads a `permission` value: an answer for every tool, or a map of tool patterns to an answer or to a map of argument
 * patterns to answers. Order is kept; objects may be `Members`. What is no answer counts as `ask`, with a diagnostic:
 * never as more than written. So does a pattern that is too long: an allow of it is dropped, a deny or an ask stands
 * for everything.
 */
export function parsePermission(
  raw: unknown,
  source: string,
  trusted: boolean,
): { rules: Rule[]; diagnostics: Diagnostic[] } {
  const rules: Rule[] = [];
  const diagnostics: Diagnostic[] = [];
  const add = (tool: string, pattern: string, value: unknown): void => {
    if (!isAnswer(value))
      diagnostics.push({
        code: "permission-invalid",
        severity: "error",
        message: `permission ${tool}: ${JSON.stringify(value)} is no answer for ${pattern}; it counts as "ask"`,
        fix: 'use "allow", "ask" or "deny"',
      });
    const answer = isAnswer(value) ? value : "ask";
    const rule = { tool, pattern, answer, source, trusted };
    if (!isTooLong(tool) && !isTooLong(pattern)) return void rules.push(rule);
    const length = Math.max(tool.length, pattern.length);
    const outcome = answer === "allow" ? "it is dropped" : `"${answer}" counts for everything`;
    diagnostics.push({
      code: "permission-too-long",
      severity: "error",
      message: `permission ${tool.slice(0, shownTool)}: a pattern of ${length} characters; ${outcome}`,
      fix: `keep patterns with wildcards under ${longestPattern} characters`,
    });
    if (answer !== "allow") rules.push({ ...rule, tool: isTooLong(tool) ? "*" : tool, pattern: "*" });
  };
  if (raw === undefined) return { rules, diagnostics };
  const tools = membersOf(raw);
  if (!tools) add("*", "*", raw);
  for (const [tool, value] of tools ?? []) {
    const patterns = membersOf(value);
    if (patterns) for (const [pattern, answer] of patterns) add(tool, pattern, answer);
    else add(tool, "*", value);
  }
  return { rules, diagnostics };
}
/** `run_shell:git status*` → tool and pattern; a name alone stands for every argument (cli.md, PATTERN). */
export function parsePattern(text: string): { tool: string; pattern: string } {
  const colon = text.indexOf(":");
  return colon < 0
    ? { tool: text, pattern: "*" }
    : { tool: text.slice(0, colon), pattern: text.slice(colon + 1) };
}
/**
 * The rule that an answer or `--allow` stands for. `source`: `always` and `session` are remembered answers, `allow` is
 * the `--allow` of this start.
 */
export const allowRule = (text: string, source: "always" | "session" | "allow"): Rule => ({
  ...parsePattern(text),
  answer: "allow",
  source,
  trusted: true,
});
const turnSource = "skill:";
/** What a person has allowed for one turn, as a skill asked for it (`allowed-tools`). */
export const turnRule = (text: string, skill: string): Rule => ({
  ...parsePattern(text),
  answer: "allow",
  source: `${turnSource}${skill}`,
  trusted: true,
});
export const isTurnRule = ({ source }: Rule): boolean => source.startsWith(turnSource);
