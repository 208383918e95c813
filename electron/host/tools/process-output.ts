import os from "node:os";
import type { Exit, RunResult } from "../kit/process.ts";
import { confinementFailure } from "../policy/confinement-failure.ts";
import type { ToolOutput } from "./types.ts";

/** Bytes of output that a call keeps (spec 5, Exec tools). */
export const outputLimitBytes = 512 * 1024;
/** As `timeout(1)` and a shell report it. */
const timedOutCode = 124;
const signalBase = 128;

/** As a shell gives it: 128 + N for a signal. */
export const exitCodeOf = ({ code, signal }: Exit): number =>
  code ?? signalBase + (signal ? os.constants.signals[signal] : 0);

/**
 * What a program that ran to its end gives the model: its output, and in words how it ended. A non-zero exit is a failure;
 * 124 stands for the timeout, 128 + N for a signal.
 * @param seconds the time limit that held
 */
export function processOutput(result: RunResult, seconds: number, sandboxed: boolean): ToolOutput {
  const { exit } = result;
  const notes: string[] = [];
  const unstarted = sandboxed ? confinementFailure(result.output, exit.code) : undefined;
  if (unstarted !== undefined) return { output: unstarted, isError: true, sandboxed };
  if (result.truncated)
    notes.push(`(the output was longer; the first ${outputLimitBytes / 1024} KB are shown)`);
  const code = result.timedOut ? timedOutCode : exitCodeOf(exit);
  if (result.timedOut) notes.push(`(timed out after ${seconds} s and was ended; exit code ${timedOutCode})`);
  else if (exit.code === null) notes.push(`(ended by ${exit.signal}; exit code ${code})`);
  else if (code !== 0) notes.push(`(exit code ${code})`);
  const text =
    result.output === "" && notes.length === 0
      ? "(no output)"
      : [result.output.replace(/\n$/, ""), ...notes].filter((part) => part !== "").join("\n");
  return { output: text, isError: code !== 0, exitCode: code, sandboxed };
}
