import type { Diagnostic } from "../../shared/diagnostic.ts";
import { exitCodes, onOneLine, printJson, printText } from "./output.ts";

/** One problem on one line, with what to do. */
export const diagnosticLine = (one: Diagnostic): string =>
  onOneLine(
    `${one.severity} ${one.code} ${one.path ?? ""}${one.line === undefined ? "" : `:${one.line}`}: ${one.message}${one.fix === undefined ? "" : ` Fix: ${one.fix}`}`,
  );
/** As JSON or a line each; exit code 1 where one of them is an error (cli.md, `skills validate`). */
export async function printDiagnostics(diagnostics: readonly Diagnostic[], json: boolean): Promise<number> {
  if (json) await printJson(diagnostics);
  else await printText(diagnostics.map(diagnosticLine).join("\n") || "nothing is wrong");
  return diagnostics.some(({ severity }) => severity === "error") ? exitCodes.failed : exitCodes.done;
}
