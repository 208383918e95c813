import type { Because } from "../../../shared/approval.ts";
import { deciderText, type Decider } from "../../../shared/decider.ts";
import {
  type ApprovalPolicy,
  type PermissionClass,
  ruleText,
  type SandboxPolicy,
} from "../../../shared/policy.ts";
import { isTurnRule, type Rule } from "../config/permission.ts";
import type { LocatedPath } from "./locate.ts";
import { isExact } from "./match-pattern.ts";
import { allowRules, rulesAnswer, type RuleSubject, type ToolNames } from "./rules.ts";
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
  /** The command is in another language than a POSIX shell's (PowerShell): nobody takes it apart. */
  readonly commandIsOpaque?: boolean;
  /** All names of the skill, the role or the like that rules on this tool are about. */
  readonly names?: readonly string[];
  readonly destructive: boolean;
  readonly tool: ToolNames;
  /** Joined in the order of spec 2. Those of the source `always` are remembered answers. */
  readonly rules: readonly Rule[];
  /** `--allow` patterns. */
  readonly allow: readonly string[];
  /** Text from outside reached the model in this turn, and the setting "careful after outside text" is on. */
  readonly outsideText: boolean;
  /** What was answered with "this session". */
  readonly remembered: readonly Rule[];
  /** Remembered answers that were given once more in this turn, after its outside text: as `--allow` writes them. */
  readonly confirmed?: readonly string[];
  /** Its process runs in another folder than the workspace: what is remembered was answered for the workspace. */
  readonly elsewhere?: boolean;
  /** Folders outside that a read was allowed in, in this session. Real paths. */
  readonly openedFolders?: readonly string[];
  /** Real path of the user's home folder: what holds it opens for its own files, never for all that lies below. */
  readonly home?: string;
  /** The strictest verdict of the hooks that ran before. */
  readonly hook?: { readonly answer: "allow" | "ask" | "deny"; readonly name: string };
}
export interface GateDecision {
  readonly answer: "allow" | "ask" | "deny";
  /** True where an ask was answered by `--allow`, a remembered answer or a hook, so that nobody is asked now. */
  readonly answered: boolean;
  readonly because: readonly Because[];
  readonly decider: Decider;
  /** The same in words: `policy`, `rule run_shell:git*`, `protected folder .git`, `hook NAME`, `--allow PATTERN`. */
  readonly by: string;
  /** The rule that decided, as `tool:pattern`, and where it stands. */
  readonly rule?: string;
  readonly source?: string;
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
  if (input.hook?.answer === "deny") return { ...base, ...decided("hook", input.hook.name), answer: "deny" };
  if (judged.verdict === "reject") return { ...base, ...decided("policy"), answer: "deny" };

  const isAside = standsAside(input);
  const explicit = rulesAnswer(
    input.rules.filter((rule) => rule.source !== "always" && !(isAside && isTurnRule(rule))),
    input.tool,
    subjects,
  );
  if (explicit?.answer === "deny") return { ...base, ...byRule("rule", explicit), answer: "deny" };
  const guarded = input.paths.filter((path) => path.access === "write" && path.protectedFolder !== null);
  const first = guarded[0];
  if (first) {
    const ask = { ...base, answer: "ask" as const, ...decided("folder", String(first.protectedFolder)) };
    const exact = allowOfExactPaths(input, guarded);
    if (!exact) return settle(input, ask, undefined);
    // The folders are open; what else the call does is decided as ever.
    const rest = decide({ ...input, paths: input.paths.map((path) => ({ ...path, protectedFolder: null })) });
    return rest.answer === "allow" ? settle(input, ask, exact) : rest;
  }
  if (input.hook?.answer === "ask") {
    const ask = { ...base, answer: "ask" as const, ...decided("hook", input.hook.name) };
    return settle(input, ask, answerOf(input, subjects, undefined));
  }
  if (explicit?.answer === "allow") return { ...base, ...byRule("rule", explicit), answer: "allow" };

  const { stored, withheld } = rememberedAnswer(input, subjects);
  const because = withheld ? [...judged.because, { code: "outside_text" as const }] : judged.because;
  if (explicit?.answer === "ask") {
    const reasons: Because[] = [...because, { code: "rule", detail: wholeRule(explicit) }];
    const ask = { ...base, ...byRule("rule", explicit), because: reasons, answer: "ask" as const };
    return settle(input, ask, answerOf(input, subjects, stored));
  }
  const onlyReads = input.perm === "read" && input.paths.every((path) => path.access === "read");
  const passes = input.policy.approval === "always" && onlyReads && judged.verdict === "ok";
  const answer = passes ? "allow" : answers[input.policy.approval][judged.verdict];
  if (answer === "allow") return { ...base, answer, ...decided("policy") };
  if (answer === "deny")
    return stored
      ? { ...base, ...stored, answer: "allow" }
      : { ...base, because, answer, ...decided("policy") };
  const reasons: readonly Because[] =
    judged.verdict === "ok" ? [...because, { code: "policy_always" }] : because;
  return settle(
    input,
    { ...base, because: reasons, answer, ...decided("policy") },
    answerOf(input, subjects, stored),
  );
}

type Answered = Pick<GateDecision, "decider" | "by" | "rule" | "source">;
function decided(kind: Decider["kind"], detail = ""): Answered {
  const decider = { kind, detail };
  return { decider, by: deciderText(decider) };
}

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
  if (input.hook?.answer === "allow") return decided("hook", input.hook.name);
  if (stored) return stored;
  const rule = rulesAnswer(allowRules(input.allow), input.tool, subjects);
  return rule && decided("allow", ruleText(rule));
}
/** A protected folder opens headless for nothing but an `--allow` of each exact path. */
function allowOfExactPaths(input: GateInput, guarded: readonly LocatedPath[]): Answered | undefined {
  const exact = allowRules(input.allow.filter((text) => text.includes(":"))).filter(({ pattern }) =>
    isExact(pattern),
  );
  const used = guarded.map(({ names }) => rulesAnswer(exact, input.tool, [{ names }]));
  const texts = used.flatMap((rule) => (rule ? ruleText(rule) : []));
  return texts.length === guarded.length ? decided("allow", texts.join(" ")) : undefined;
}

/** Also where it stands for every argument. */
const wholeRule = (rule: Rule): string => `${rule.tool}:${rule.pattern}`;
const byRule = (kind: Decider["kind"], rule: Rule): Answered => ({
  ...decided(kind, wholeRule(rule)),
  rule: wholeRule(rule),
  source: rule.source,
});

/**
 * What "always here" and "this session" answer. They never speak for a secret file or for a process elsewhere. After outside
 * text only those that were given once more speak for what could carry something away: shell, tools that send, writes
 * outside; `withheld` says that this made the difference.
 */
function rememberedAnswer(
  input: GateInput,
  subjects: readonly RuleSubject[],
): { stored?: Answered; withheld: boolean } {
  const none = { withheld: false };
  if (standsAside(input)) return none;
  const remembered = [...input.rules.filter((rule) => rule.source === "always"), ...input.remembered];
  const answer = (rules: readonly Rule[]): { stored?: Answered } => {
    const rule = rules.length === 0 ? undefined : rulesAnswer(rules, input.tool, subjects);
    if (rule?.answer !== "allow") return {};
    return { stored: byRule(rule.source === "always" ? "always" : "session", rule) };
  };
  const all = answer(remembered);
  if (all.stored === undefined || !input.outsideText || !couldCarryAway(input))
    return { ...all, withheld: false };
  const confirmed = remembered.filter((rule) => input.confirmed?.includes(ruleText(rule)));
  const again = answer(confirmed);
  return { ...again, withheld: again.stored === undefined };
}
/** Where neither what is remembered nor what was allowed for a turn speaks: nobody thought of this call. */
const standsAside = (input: GateInput): boolean =>
  input.elsewhere === true || input.paths.some((path) => path.access === "read" && path.secret);
const couldCarryAway = ({ perm, paths }: GateInput): boolean =>
  perm === "shell" || perm === "net" || paths.some((path) => path.access === "write" && !isRoot(path));
const isRoot = (path: LocatedPath): boolean => path.place === "workspace" || path.place === "writable";
