import type { TraceRow } from "../../../shared/trace.ts";
import type { BackgroundEnd } from "./background.ts";
import { originText } from "./registry.ts";
import type { Tool, ToolCallResult } from "./types.ts";

// Whole texts: the record masks secrets in them before it cuts, so that none is missed at a cut.

/** The row of a call that has ended. `t` is when it began, ms since the epoch. */
export const toolRow = (result: ToolCallResult, t: number): TraceRow => ({
  id: result.id,
  t,
  // There is one tool of that name: it loads skills (spec 8, Trace).
  kind: result.name === "skill" ? "skill" : "tool",
  title: result.title,
  status: isDenied(result) ? "denied" : result.isError ? "failed" : "completed",
  origin: result.origin,
  decision: result.decision,
  by: result.by,
  sandboxed: result.sandboxed,
  durationMs: result.durationMs,
  ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
  input: JSON.stringify(result.input) ?? "",
  output: result.output,
});
const isDenied = ({ decision }: ToolCallResult): boolean => decision === "deny" || decision === "asked_deny";

/** The row of a command that has ended in the background; its start is the row of its call. */
export const backgroundRow = ({ row, callId, durationMs, output }: BackgroundEnd): TraceRow => ({
  id: `${callId}-background`,
  t: row.startedAt,
  kind: "tool",
  title: `run_shell ${row.id}`,
  status: row.state === "stopped" || row.exitCode === 0 ? "completed" : "failed",
  origin: "builtin",
  sandboxed: row.confined,
  durationMs,
  ...(row.exitCode === undefined ? {} : { exitCode: row.exitCode }),
  input: row.command,
  output,
});

/** The row of one answered question. `choice` is the answer's word, `confined` how it was to run. */
export const approvalRow = (
  callId: string,
  tool: Tool,
  answer: { readonly choice: string; readonly note?: string },
  confined: boolean | null,
  time: { readonly t: number; readonly durationMs: number },
): TraceRow => ({
  id: `${callId}-approval`,
  ...time,
  kind: "approval",
  title: tool.title,
  status: answer.choice === "deny" ? "denied" : "completed",
  origin: originText(tool),
  decision: answer.choice,
  by: "user",
  sandboxed: confined,
  ...(answer.note === undefined ? {} : { output: answer.note }),
});
