import type { ApprovalView } from "../../shared/approval.ts";
import type { TurnReport } from "../host/chat/turn-report.ts";
import type { TurnEvent } from "../host/chat/turn.ts";
import type { Holdable } from "./ask.ts";
import { forTerminal, printError, printText } from "./output.ts";

/** `run --output json`: the fields of cli.md. */
export const resultDocument = (report: TurnReport) => ({
  session: report.session,
  text: report.text,
  steps: report.steps,
  usage: report.usage,
  toolCalls: report.toolCalls.map(
    ({ id, name, input, output, isError, durationMs, decision, sandboxed }) => ({
      id,
      name,
      input,
      output,
      isError,
      durationMs,
      decision,
      sandboxed,
    }),
  ),
  stopReason: report.stopReason,
  ...(report.error === undefined ? {} : { error: report.error.message }),
});

export interface RunPrinter extends Holdable {
  event(event: TurnEvent): void;
  approvals(pending: readonly ApprovalView[]): void;
  end(report: TurnReport): Promise<void>;
}
type Output = "text" | "json" | "stream-json";

/**
 * What a run shows while it goes on: text as it comes, or one event a line (cli.md, `stream-json`). While it is held,
 * what comes waits, so that a question on the same terminal stands alone.
 */
export function createRunPrinter(output: Output, session: string): RunPrinter {
  const shown = new Set<string>();
  const line = (event: object): void => void process.stdout.write(`${JSON.stringify(event)}\n`);
  if (output === "stream-json") line({ type: "session", session });
  let open = false;
  const text = (more: string): void => {
    process.stdout.write(forTerminal(more, process.stdout));
    open = !more.endsWith("\n");
  };
  let held: TurnEvent[] | undefined;
  const show = (event: TurnEvent): void => {
    if (output === "stream-json") streamLine(event, line);
    else if (output === "text") textLine(event, text);
    else if (event.type === "notice") printError(event.text);
  };
  const release = (): void => {
    const waiting = held ?? [];
    held = undefined;
    for (const event of waiting) show(event);
  };
  return {
    event(event) {
      if (held === undefined) show(event);
      else held.push(event);
    },
    hold() {
      held ??= [];
      // The answer's last line may be unfinished on the same screen; standard output itself gets nothing of the question.
      if (output === "text" && open && process.stdout.isTTY) printError("");
    },
    release,
    approvals(pending) {
      if (output !== "stream-json") return;
      for (const { id, tool, facts, because } of pending)
        if (!shown.has(id)) {
          shown.add(id);
          line({ type: "approval", id, tool, facts, because });
        }
    },
    async end(report) {
      release();
      if (output === "stream-json") {
        if (report.error) line({ type: "error", code: report.error.code, message: report.error.message });
        line({ type: "end", ...resultDocument(report) });
      } else if (output === "text" && open) await printText("");
    },
  };
}

function streamLine(event: TurnEvent, line: (event: object) => void): void {
  switch (event.type) {
    case "text":
    case "reasoning":
      return line({ type: event.type, text: event.text });
    case "tool_call":
      return line({ type: "tool_call", id: event.call.id, name: event.call.name, input: event.call.input });
    case "tool_output":
      return line({ type: "tool_output", id: event.callId, text: event.text });
    case "tool_result": {
      const { id, name, output, isError, durationMs, decision, sandboxed } = event.result;
      return line({ type: "tool_result", id, name, output, isError, durationMs, decision, sandboxed });
    }
    case "notice":
      return line({ type: "notice", level: event.level, text: event.text });
    case "step_end":
      return line({ type: "usage", step: event.step, ...event.usage });
    default:
      return undefined;
  }
}
/** The answer goes to standard output; calls and notices are progress. */
function textLine(event: TurnEvent, text: (more: string) => void): void {
  switch (event.type) {
    case "text":
      return text(event.text);
    case "tool_call":
      return printError(`\n› ${event.title} ${short(JSON.stringify(event.call.input))}`);
    case "tool_result":
      if (event.result.isError) printError(`  ${event.result.decision}: ${short(event.result.output)}`);
      return undefined;
    case "notice":
      return printError(event.text);
    default:
      return undefined;
  }
}
const short = (text: string): string => {
  const line = text.split("\n")[0] ?? "";
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
};
