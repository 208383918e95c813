import type { ApprovalAnswer } from "../../../shared/approval.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import type { TraceRow } from "../../../shared/trace.ts";
import type { Clock } from "../kit/clock.ts";
import type { ApprovalBroker, ApprovalRequest } from "../policy/approvals.ts";
import { approvalRow } from "./trace-rows.ts";
import type { Tool } from "./types.ts";

export interface ApproveDeps {
  readonly broker: Pick<ApprovalBroker, "ask">;
  readonly clock: Clock;
  /** Keeps what "always here" stores, as `tool:pattern`. */
  storeRule(rule: string): Promise<void>;
  /** Keeps a row; null: of a call outside any session. Never throws. */
  onTrace(row: TraceRow, sessionId: string | null): void;
  onDiagnostic(diagnostic: Diagnostic): void;
}

/** Asks the user about one call and keeps the answer: in the trace, and as a rule where it was "always". */
export async function approve(
  deps: ApproveDeps,
  request: ApprovalRequest,
  call: { readonly id: string; readonly tool: Tool },
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const t = deps.clock.now();
  const answer = await deps.broker.ask(request, signal);
  deps.onTrace(
    approvalRow(call.id, call.tool, answer, request.confined, { t, durationMs: deps.clock.now() - t }),
    request.sessionId,
  );
  if (answer.choice !== "always" || request.rule === null) return answer;
  try {
    await deps.storeRule(request.rule);
  } catch (error) {
    // The answer holds for this session all the same; that it will be asked again is what has to be said.
    deps.onDiagnostic({
      code: "rule-not-stored",
      severity: "warning",
      message: `"always" for ${request.rule} could not be stored: ${toErrorValue(error).message}; it holds for this session`,
      fix: "add the rule to permission in settings.json",
    });
  }
  return answer;
}
