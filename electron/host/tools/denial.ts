import type { Because } from "../../../shared/approval.ts";
import { decide } from "../policy/gate.ts";
import type { CallToJudge, JudgedCall } from "./judged-call.ts";
import type { Tool } from "./types.ts";

const reasons: Readonly<Record<Because["code"], (detail: string) => string>> = {
  outside_workspace: (detail) => `${detail} lies outside the workspace and the writable roots`,
  protected_folder: (detail) => `${detail} is protected`,
  secret_file: (detail) => `${detail} may hold secrets`,
  no_sandbox: () => "nothing can confine it",
  destructive: () => "it looks destructive",
  network: (detail) => `network access is off${detail === "" ? "" : ` (${detail})`}`,
  policy_always: () => "the approval policy asks for everything",
  rule: (detail) => `the rule ${detail} asks`,
  write: () => "the sandbox policy read_only allows no writing",
  shell: () => "the sandbox policy read_only allows no commands",
  unconfined_retry: () => "it would run unconfined",
  outside_text: () => "text from outside has reached the model in this turn",
  trust: (detail) => `it trusts ${detail}`,
  widen_policy: (detail) => `it widens the policy to ${detail}`,
  allowed_tools: (detail) => `the skill ${detail} asks to use tools without being asked`,
  install: () => "it installs something",
};

/** Why an action asks or is denied, in words. */
export const reasonText = ({ code, detail = "" }: Because): string => reasons[code](detail);

/** What a refused call answers: what was refused, why, and what would help. `reason` is a hook's. */
export function denialText(
  { tool, input, caller }: CallToJudge,
  { gate, decision }: JudgedCall,
  reason?: string,
): string {
  const wouldAsk =
    decide({ ...gate, canAsk: true, policy: { ...gate.policy, approval: "on_request" } }).answer === "ask";
  const byRule = decision.decider.kind === "rule" && !wouldAsk;
  if (byRule && tool.ruleDenial && caller.kind !== "user") return tool.ruleDenial(input);
  const head = `${tool.title} was denied by ${decision.by}`;
  if (gate.hook?.answer === "deny") return reason === undefined ? head : `${head}: ${reason}`;
  const why = [...new Set(decision.because.map(reasonText))].join("; ");
  const text = why === "" ? head : `${head}: ${why}`;
  if (!wouldAsk) return text;
  if (gate.policy.approval === "never") return `${text}; approval is "never": what would ask is denied`;
  return `${text}; it needs an approval and nobody can be asked here (--allow ${allowExample(tool, gate)} would answer)`;
}
function allowExample(tool: Tool, gate: JudgedCall["gate"]): string {
  const about = gate.command ?? gate.paths[0]?.names[0] ?? gate.hosts[0] ?? gate.names?.[0];
  const name = gate.tool.forAllow?.[0] ?? tool.name;
  return about === undefined ? name : `'${name}:${about}'`;
}
/** What a person's denial answers; the note is for the model. */
export const userDenialText = (tool: Tool, note: string | undefined): string =>
  note === undefined || note.trim() === ""
    ? `${tool.title} was denied by the user; do not try the same again, ask or find another way`
    : `${tool.title} was denied by the user: ${note.trim()}`;
