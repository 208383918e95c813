import { NacreError } from "../../../../shared/errors.ts";
import { counted } from "./text.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}
const mostNamed = 10;

const toLf = (text: string): string => text.replaceAll("\r\n", "\n");
const toCrlf = (text: string): string => toLf(text).replaceAll("\n", "\r\n");
/** True where most lines end with CRLF. */
function usesCrlf(text: string): boolean {
  const all = text.split("\n").length - 1;
  return text.split("\r\n").length - 1 > all / 2;
}
function positions(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}
/** Line numbers of ascending positions. */
function lineNumbers(text: string, at: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return at.map((position) => {
    for (let end = text.indexOf("\n", from); end >= 0 && end < position; end = text.indexOf("\n", from)) {
      line += 1;
      from = end + 1;
    }
    return line;
  });
}
const named = (lines: readonly number[]): string =>
  `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, mostNamed).join(", ")}${lines.length > mostNamed ? ", …" : ""}`;

/**
 * Replaces one exact place, or every one. Line ends are the file's own, however the edit was written; everything else
 * stays byte for byte. @throws NacreError `invalid_input`: nothing found, several found (with their lines), no change.
 */
export function editText(shown: string, text: string, edit: TextEdit): { text: string; lines: number[] } {
  if (edit.oldText === "")
    throw new NacreError(
      "invalid_input",
      "old_text is empty; give the text to replace, or use write_file for a new file",
    );
  if (edit.oldText === edit.newText)
    throw new NacreError("invalid_input", "old_text and new_text are the same; there is nothing to change");
  const spelling = [edit.oldText, toCrlf(edit.oldText), toLf(edit.oldText)].find((part) =>
    text.includes(part),
  );
  if (spelling === undefined) throw new NacreError("invalid_input", notFound(shown, text, edit.oldText));
  const found = positions(text, spelling);
  const lines = lineNumbers(text, found);
  if (found.length > 1 && !edit.replaceAll)
    throw new NacreError(
      "invalid_input",
      `old_text stands ${counted(found.length, "time")} in ${shown} (${named(lines)}); ` +
        "add lines around it until it is the only one, or set replace_all",
    );
  const crlf = text.includes("\r\n") && usesCrlf(text);
  const newText = crlf ? toCrlf(edit.newText) : text.includes("\r\n") ? edit.newText : toLf(edit.newText);
  // Never String.replace with text: `$&` in a replacement would be a command to it.
  return { text: text.split(spelling).join(newText), lines };
}

/** Helps to find what was meant: where the first line stands, or stands with other blanks. */
function notFound(shown: string, text: string, oldText: string): string {
  const first = oldText
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
  const alike: number[] = [];
  if (first !== undefined)
    for (const [index, line] of text.split("\n").entries()) if (line.trim() === first) alike.push(index + 1);
  return alike.length === 0
    ? `old_text was not found in ${shown}; read the file again and copy the text exactly`
    : `old_text was not found in ${shown}; its first line stands at ${named(alike)}, but blanks or the lines behind it differ; read it again and copy the text exactly`;
}
