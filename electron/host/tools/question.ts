import type { ApprovalFact, Because } from "../../../shared/approval.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import type { ApprovalRequest } from "../policy/approvals.ts";
import { ruleToStore } from "../policy/subjects.ts";
import type { JudgedCall } from "./judged-call.ts";
import { originText } from "./registry.ts";
import type { Caller, Tool, ToolRun } from "./types.ts";

const mostInput = 8 * 1024;
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
  // No remembered answer speaks for these: offering one would promise what the gate does not keep.
  const eachTime = gate.paths.some((path) =>
    path.access === "read" ? path.secret : path.protectedFolder !== null,
  );
  return {
    sessionId: caller.sessionId,
    tool: tool.name,
    title: tool.title,
    origin: originText(tool),
    perm: tool.perm,
    digest: judged.digest,
    facts: await facts(call, judged),
    because: decision.because,
    rule: eachTime ? null : ruleToStore(tool.name, gate),
    careful: decision.because.some(({ code }) => careful.has(code)) || (isShell && !decision.confined),
    confined: isShell ? decision.confined : null,
    askedBy: caller.role,
  };
}

async function facts({ tool, input, run }: Asked, { touches, gate }: JudgedCall): Promise<ApprovalFact[]> {
  const own = await ownFacts(tool, input, run);
  const found: ApprovalFact[] = [];
  const argv = touches.argv ?? (touches.command === undefined ? undefined : [touches.command]);
  if (argv !== undefined) found.push({ label: "command", values: argv });
  if (gate.paths.length > 0)
    found.push({ label: "path", values: [...new Set(gate.paths.map(({ real }) => real))] });
  if (gate.hosts.length > 0) found.push({ label: "host", values: gate.hosts });
  found.push(...own);
  // A built-in tool's arguments are told by the facts above; another's are shown as they are.
  if (tool.origin.kind !== "builtin" || found.length === 0)
    found.push({ label: "input", values: [inputText(input)] });
  if (tool.perm === "shell") found.push({ label: "folder", values: [run.workspace] });
  return found;
}
async function ownFacts(
  tool: Tool,
  input: Asked["input"],
  run: Asked["run"],
): Promise<readonly ApprovalFact[]> {
  try {
    return (await tool.facts?.(input, run)) ?? [];
  } catch (error) {
    // The call will fail the same way; the question says so instead of a difference.
    return [{ label: "input", values: [inputText(input), toErrorValue(error).message] }];
  }
}
const inputText = (input: unknown): string => {
  const text = JSON.stringify(input);
  return text.length <= mostInput ? text : `${text.slice(0, mostInput)}… (${text.length} characters)`;
};
