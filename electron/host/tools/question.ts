import path from "node:path";
import type { ApprovalFact, Because } from "../../../shared/approval.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import { allowRule } from "../config/permission.ts";
import { factOf } from "../policy/approval-facts.ts";
import type { ApprovalRequest } from "../policy/approvals.ts";
import { decide, type GateInput } from "../policy/gate.ts";
import type { LocatedPath } from "../policy/locate.ts";
import { ruleToStore } from "../policy/subjects.ts";
import type { JudgedCall } from "./judged-call.ts";
import { originText } from "./registry.ts";
import type { Caller, Tool, ToolRun } from "./types.ts";

const careful = new Set<Because["code"]>([
  "destructive",
  "protected_folder",
  "secret_file",
  "no_sandbox",
  "unconfined_retry",
]);

interface Asked {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly run: Pick<ToolRun, "workspace" | "realPaths">;
}

/** The question to the user about one call: exactly what it would do, why it asks, what "always" would store. */
export async function approvalRequest(call: Asked, judged: JudgedCall): Promise<ApprovalRequest> {
  const { tool, caller } = call;
  const { decision, gate } = judged;
  const isShell = tool.perm === "shell";
  const shown = await facts(call, judged);
  return {
    sessionId: caller.sessionId,
    tool: tool.name,
    title: tool.title,
    origin: originText(tool),
    perm: tool.perm,
    digest: judged.digest,
    facts: shown,
    because: decision.because,
    rule: keptRule(tool.name, gate),
    careful:
      decision.because.some(({ code }) => careful.has(code)) ||
      (isShell && !decision.confined) ||
      shown.some(({ cut }) => cut !== undefined),
    confined: isShell ? decision.confined : null,
    askedBy: caller.role,
  };
}
/**
 * The rule that "this session" and "always here" would remember; null where none says exactly this call, or where the
 * gate would ask again all the same: offering it would promise what the gate does not keep.
 */
function keptRule(tool: string, gate: GateInput): string | null {
  const rule = ruleToStore(tool, gate);
  if (rule === null) return null;
  const remembered = allowRule(rule, "session");
  // Said again after outside text it counts for the rest of the turn.
  const later = decide({ ...gate, remembered: [...gate.remembered, remembered], confirmed: [rule] });
  return later.answer === "allow" ? rule : null;
}

async function facts(
  { tool, input, run }: Asked,
  { touches, folder, gate }: JudgedCall,
): Promise<ApprovalFact[]> {
  const own = await ownFacts(tool, input, run);
  const has = (label: ApprovalFact["label"]): boolean => own.some((fact) => fact.label === label);
  const argv = touches.argv ?? (touches.command === undefined ? undefined : [touches.command]);
  const found: ApprovalFact[] = [];
  if (argv !== undefined) found.push(factOf("command", argv));
  found.push(...pathFacts(gate.paths, run.workspace));
  if (gate.hosts.length > 0 && !has("host")) found.push(factOf("host", gate.hosts));
  found.push(...own);
  // What a built-in tool does may be told whole by its command, difference or path; what another does never is.
  const told = touches.command !== undefined || has("diff") || (tool.perm === "read" && found.length > 0);
  if (tool.origin.kind !== "builtin" || (!told && !has("input"))) found.push(inputFact(input));
  if (tool.perm === "shell") found.push(factOf("folder", [folder]));
  return found;
}
/** Paths as they were given, each with where it really leads where that is not what it says. */
function pathFacts(paths: readonly LocatedPath[], workspace: string): ApprovalFact[] {
  const shown: ApprovalFact[] = [];
  const told = new Set<string>();
  for (const { given, real } of paths) {
    if (told.has(given)) continue;
    told.add(given);
    const last = shown.at(-1);
    if (last?.label === "path") shown.splice(-1, 1, factOf("path", [...last.values, given]));
    else shown.push(factOf("path", [given]));
    if (real !== given && real !== path.join(workspace, given)) shown.push(factOf("target", [real]));
  }
  return shown;
}
async function ownFacts(
  tool: Tool,
  input: Asked["input"],
  run: Asked["run"],
): Promise<readonly ApprovalFact[]> {
  try {
    return ((await tool.facts?.(input, run)) ?? []).map(({ label, values }) => factOf(label, values));
  } catch (error) {
    // The call will fail the same way; the question says so instead of a difference.
    return [inputFact(input, toErrorValue(error).message)];
  }
}
const inputFact = (input: unknown, ...more: string[]): ApprovalFact =>
  factOf("input", [JSON.stringify(input, null, 2), ...more]);
