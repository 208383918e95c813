import { NacreError } from "../../../shared/errors.ts";
import { approve, type ApproveDeps } from "./approve.ts";
import { denialText } from "./denial.ts";
import type { CallToJudge, JudgedCall } from "./judged-call.ts";
import { approvalRequest } from "./question.ts";
import { newTurn, type Caller, type Tool } from "./types.ts";

/** What decided about something that is no call: what is judged like one, and run by whoever asks. */
export interface Permit {
  /** `policy`, `rule skill:x`, `user`. */
  readonly by: string;
  /** A person was asked. */
  readonly asked: boolean;
}
export interface PermitRequest {
  /** Names its row in the trace. */
  readonly id: string;
  /** What rules speak of. It is never run. */
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}
interface PermitDeps extends ApproveDeps {
  readonly workspace: string;
  judge(call: CallToJudge): JudgedCall;
}

/** Gate and question for what is no call. @throws NacreError `denied`, in words */
export async function permit(
  deps: PermitDeps,
  { id, tool, input, caller }: PermitRequest,
  signal: AbortSignal,
): Promise<Permit> {
  const call: CallToJudge = { tool, input, caller, turn: newTurn() };
  const judged = deps.judge(call);
  const { decision } = judged;
  if (decision.answer === "allow") return { by: decision.by, asked: false };
  if (decision.answer === "deny") throw new NacreError("denied", denialText(call, judged));
  const request = await approvalRequest({ ...call, run: { workspace: deps.workspace } }, judged);
  const stillAsks = (): boolean => deps.judge(call).decision.answer === "ask";
  const answer = await approve(deps, { ...request, stillAsks }, { id, tool }, signal);
  if (answer.choice === "deny")
    throw new NacreError("denied", `${tool.title} was denied: ${answer.note?.trim() || "the user said no"}`);
  const now = deps.judge(call).decision;
  if (now.answer === "deny") throw new NacreError("denied", `${tool.title} is denied by now: ${now.by}`);
  return { by: "user", asked: true };
}
