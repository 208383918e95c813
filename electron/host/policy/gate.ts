import type { Because } from "../../../shared/approval.ts";
import type { ApprovalPolicy, PermissionClass, SandboxPolicy } from "../../../shared/policy.ts";
import type { LocatedPath } from "./locate.ts";
import { isExact, parsePattern, patternCovers, rulesAnswer, type Rule, type RuleSubject } from "./rules.ts";
import { callSubjects } from "./subjects.ts";
import { judge, type Verdict } from "./verdict.ts";

/** Everything that decides about one call (spec 4, One gate). */
export interface GateInput {
  readonly perm: PermissionClass;
  readonly policy: {
    readonly approval: ApprovalPolicy;
    readonly sandbox: SandboxPolicy;
    readonly networkAccess: boolean;
  };
  /** An OS sandbox works on this machine. */
  readonly sandboxAvailable: boolean;
  /** The call runs a process that the sandbox can confine. */
  readonly confinable: boolean;
  /** False: nobody can be asked (headless). */
  readonly canAsk: boolean;
  readonly paths: readonly LocatedPath[];
  readonly hosts: readonly string[];
  /** The shell command of `run_shell`. */
  readonly command?: string;
  /** All names of the skill, the role or the like that rules on this tool are about. */
  readonly names?: readonly string[];
  readonly destructive: boolean;
  /** The tool's name, its title, and its names in other systems. */
  readonly toolNames: readonly string[];
  /** Joined in the order of spec 2. Those of the source `always` are remembered answers. */
  readonly rules: readonly Rule[];
  /** `--allow` patterns. */
  readonly allow: readonly string[];
  /** Text from outside reached the model in this turn, and the setting "careful after outside text" is on. */
  readonly outsideText: boolean;
  /** What was answered with "this session". */
  readonly remembered: readonly Rule[];
  /** Folders outside that a read was allowed in, in this session. Real paths. */
  readonly openedFolders?: readonly string[];
  /** The strictest verdict of the hooks that ran before. */
  readonly hook?: { readonly answer: "allow" | "ask" | "deny"; readonly name: string };
}
export interface GateDecision {
  readonly answer: "allow" | "ask" | "deny";
  /** True where an ask was answered by `--allow`, a remembered answer or a hook, so that nobody is asked now. */
  readonly answered: boolean;
  readonly because: readonly Because[];
  /** What decided: `policy`, `rule run_shell:git*`, `protected folder .git`, `hook NAME`, `--allow PATTERN`. */
  readonly by: string;
  /** The rule that decided, as `tool:pattern`. */
  readonly rule?: string;
  /** The call runs in the OS sandbox. */
  readonly confined: boolean;
  /** Folders that an allowing answer opens for reads in this session. */
  readonly opens: readonly string[];
}

type Matrix = Readonly<Record<ApprovalPolicy, Readonly<Record<Verdict, GateDecision["answer"]>>>>;
/** Approval policy × verdict. Under `always` reads that are ok pass. */
const answers: Matrix = {
  never: { ok: "allow", upgrade: "deny", reject: "deny" },
  on_request: { ok: "allow", upgrade: "ask", reject: "deny" },
  always: { ok: "ask", upgrade: "ask", reject: "deny" },
};

/**
 * Decides about one call. Pure. Authority, highest first: a hook's deny, a reject, protected folders, the rules' answer,
 * the matrix. What still asks may be answered by a hook's allow, a remembered answer or `--allow`; headless, what asks
 * is denied.
 */
export function decide(input: GateInput): GateDecision {
  const subjects = callSubjects(input);
  const judged = judge(input);
  const base = { because: judged.because, confined: judged.confined, opens: judged.opens, answered: false };
  const deny = (by: string, rule?: Rule): GateDecision => ({ ...base, ...byRule(by, rule), answer: "deny" });
  if (input.hook?.answer === "deny") return deny(`hook ${input.hook.name}`);
  if (judged.verdict === "reject") return deny("policy");

  const explicit = rulesAnswer(
    input.rules.filter((rule) => rule.source !== "always"),
    input.toolNames,
    subjects,
  );
  if (explicit?.answer === "deny") return deny("rule", explicit);
  const guarded = input.paths.filter((path) => path.access === "write" && path.protectedFolder !== null);
  const first = guarded[0];
  if (first) {
    const ask = { ...base, answer: "ask" as const, by: `protected folder ${first.protectedFolder}` };
    const exact = allowOfExactPaths(input, guarded);
    if (!exact) return settle(input, ask, undefined);
    // The folders are open; what else the call does is decided as ever.
    const rest = decide({ ...input, paths: input.paths.map((path) => ({ ...path, protectedFolder: null })) });
    return rest.answer === "allow" ? settle(input, ask, exact) : rest;
  }
  const always = input.rules.filter((rule) => rule.source === "always");
  const stored = rememberedCounts(input)
    ? coveredBy([...always, ...input.remembered], input, subjects)
    : undefined;
  if (input.hook?.answer === "ask")
    return settle(
      input,
      { ...base, answer: "ask", by: `hook ${input.hook.name}` },
      answerOf(input, subjects, undefined),
    );
  if (explicit?.answer === "allow") return { ...base, ...byRule("rule", explicit), answer: "allow" };
  if (explicit?.answer === "ask") {
    const because: Because[] = [...judged.because, { code: "rule", detail: ruleText(explicit) }];
    const ask = { ...base, ...byRule("rule", explicit), because, answer: "ask" as const };
    return settle(input, ask, answerOf(input, subjects, stored));
  }
  const onlyReads = input.perm === "read" && input.paths.every((path) => path.access === "read");
  const passes = input.policy.approval === "always" && onlyReads && judged.verdict === "ok";
  const answer = passes ? "allow" : answers[input.policy.approval][judged.verdict];
  if (answer === "deny" && stored) return { ...base, ...stored, answer: "allow" };
  if (answer !== "ask") return { ...base, answer, by: "policy" };
  const because: readonly Because[] =
    judged.verdict === "ok" ? [...judged.because, { code: "policy_always" }] : judged.because;
  return settle(input, { ...base, because, answer, by: "policy" }, answerOf(input, subjects, stored));
}

type Answered = Pick<GateDecision, "by" | "rule">;

/** An ask meets its answer, or nobody to give one. */
function settle(input: GateInput, ask: GateDecision, answered: Answered | undefined): GateDecision {
  // `never` denies what would ask, whoever would answer.
  if (input.policy.approval === "never") return { ...ask, answer: "deny" };
  if (answered) return { ...ask, ...answered, answer: "allow", answered: true };
  return input.canAsk ? ask : { ...ask, answer: "deny" };
}
function answerOf(
  input: GateInput,
  subjects: readonly RuleSubject[],
  stored: Answered | undefined,
): Answered | undefined {
  if (input.hook?.answer === "allow") return { by: `hook ${input.hook.name}` };
  if (stored) return stored;
  const pattern = input.allow.find((text) => patternCovers(text, input.toolNames, subjects));
  return pattern === undefined ? undefined : { by: `--allow ${pattern}` };
}
/** A protected folder opens headless for nothing but an `--allow` of each exact path. */
function allowOfExactPaths(input: GateInput, guarded: readonly LocatedPath[]): Answered | undefined {
  const exact = input.allow.filter((text) => isExact(parsePattern(text).pattern) && text.includes(":"));
  const used = guarded.map((path) =>
    exact.find((text) => patternCovers(text, input.toolNames, [{ names: path.names }])),
  );
  return used.every((text) => text !== undefined) ? { by: `--allow ${used.join(" ")}` } : undefined;
}

const ruleText = (rule: Rule): string => `${rule.tool}:${rule.pattern}`;
const byRule = (by: string, rule: Rule | undefined): Answered =>
  rule ? { by: `${by} ${ruleText(rule)}`, rule: ruleText(rule) } : { by };

function coveredBy(
  rules: readonly Rule[],
  input: GateInput,
  subjects: readonly RuleSubject[],
): Answered | undefined {
  const rule = rulesAnswer(rules, input.toolNames, subjects);
  if (rule?.answer !== "allow") return undefined;
  return byRule(rule.source === "always" ? "always" : "session", rule);
}
/**
 * Remembered answers never speak for a secret file, and after outside text not for what could carry something away:
 * shell, tools that send, writes outside.
 */
function rememberedCounts(input: GateInput): boolean {
  if (input.paths.some((path) => path.access === "read" && path.secret)) return false;
  if (!input.outsideText) return true;
  if (input.perm === "shell" || input.perm === "net") return false;
  return !input.paths.some((path) => path.access === "write" && !isRoot(path));
}
const isRoot = (path: LocatedPath): boolean => path.place === "workspace" || path.place === "writable";
