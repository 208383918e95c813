import type { ErrorCode } from "../../shared/errors.ts";
import { visibleText } from "../../shared/visible-text.ts";

/** Exit codes of cli.md. */
export const exitCodes = { done: 0, failed: 1, usage: 2, denied: 3, timeout: 124, interrupted: 130 } as const;

export function exitCodeOf(code: ErrorCode): number {
  switch (code) {
    case "denied":
    case "not_trusted":
      return exitCodes.denied;
    case "timeout":
      return exitCodes.timeout;
    case "stopped":
      return exitCodes.interrupted;
    default:
      return exitCodes.failed;
  }
}

/** Data goes to standard output, people's text and progress to standard error (cli.md). */
export const printError = (text: string): void =>
  void process.stderr.write(`${forTerminal(text, process.stderr)}\n`);

/** One JSON document, nothing else. Waits until it is written, so that a pipe gets all of it. */
export const printJson = (value: unknown): Promise<void> => printText(JSON.stringify(value, null, 2));

export const printText = (text: string): Promise<void> =>
  new Promise((resolve) => {
    // What goes wrong is heard by the stream's own listener below.
    process.stdout.write(`${forTerminal(text, process.stdout)}\n`, () => resolve());
  });

// A reader that went away (`| head`), or a terminal that did, ends the output, not the command.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
  });

/**
 * Text from a model, a tool or a file, for a terminal: what steers one (colours, cursor, clipboard) or turns its text
 * round is shown, never sent. What goes to a file or a pipe stays as it is.
 */
export const forTerminal = (text: string, stream: { readonly isTTY?: boolean }): string =>
  stream.isTTY === true
    ? text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, (character) =>
        character === "\r" ? "" : visibleText(character),
      )
    : text;

/** Text of somebody's file as a part of one line: each control character, a line end too, is shown as `·`. */
export const onOneLine = (text: string): string => text.replace(/\p{Cc}/gu, "·");

/** Rows for people: columns padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(onOneLine));
  const widths: number[] = [];
  for (const row of clean)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return clean
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
