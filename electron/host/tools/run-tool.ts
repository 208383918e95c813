import { toErrorValue } from "../../../shared/errors.ts";
import type { Logger } from "../kit/log.ts";
import { cutToBytes } from "../kit/output-collector.ts";
import type { Tool, ToolOutput, ToolRun } from "./types.ts";

/** Bytes of output that a result holds. */
const limitBytes = 512 * 1024;

/** Runs a tool. What it throws becomes a failed result, too long an output is cut. @throws only the signal's reason */
export async function runTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  run: ToolRun,
  log?: Logger,
): Promise<ToolOutput> {
  run.signal.throwIfAborted();
  try {
    const output = await tool.run(input, run);
    run.signal.throwIfAborted();
    return { ...output, output: capped(output.output) };
  } catch (error) {
    run.signal.throwIfAborted();
    return failedOutput(error, tool.name, log);
  }
}
/** An error as a call's answer; a fault of the app itself goes to the log with its stack. */
export function failedOutput(error: unknown, name: string, log?: Logger): ToolOutput {
  const { code, message } = toErrorValue(error);
  if (code === "internal")
    log?.error(`the tool ${name} failed`, {
      error: error instanceof Error ? (error.stack ?? message) : message,
    });
  return { output: message, isError: true, sandboxed: null };
}
function capped(text: string): string {
  const kept = cutToBytes(text, limitBytes);
  if (kept.length === text.length) return text;
  return `${kept}\n(the output was longer; the first ${limitBytes / 1024} KB are shown)`;
}
