import type { Diagnostic } from "../../shared/diagnostic.ts";
import { exitCodes, onOneLine, printJson, printText } from "./output.ts";

/** One problem on one line; what to do stands indented on a second one. */
export function diagnosticLine({ severity, code, path, line, message, fix }: Diagnostic): string {
  const where = path === undefined ? "" : ` ${path}${line === undefined ? "" : `:${line}`}`;
  const told = onOneLine(`${severity} ${code}${where}: ${message}`);
  return fix === undefined ? told : `${told}\n  Fix: ${onOneLine(fix)}`;
}
/** As JSON or a line each; exit code 1 where one of them is an error (cli.md, `skills validate`). */
export async function printDiagnostics(diagnostics: readonly Diagnostic[], json: boolean): Promise<number> {
  if (json) await printJson(diagnostics);
  else await printText(diagnostics.map(diagnosticLine).join("\n") || "nothing is wrong");
  return diagnostics.some(({ severity }) => severity === "error") ? exitCodes.failed : exitCodes.done;
}
