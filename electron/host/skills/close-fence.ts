import type { ReadYaml } from "../kit/yaml-block.ts";
import { keyOf } from "../kit/yaml-entries.ts";
import { joinLines, linesWithEnds, type TextLine } from "./text-lines.ts";

/**
 * A text whose front matter is not closed, closed where no other place would do: at a line of dashes that is no fence,
 * or where a blank line parts a readable block from text. Undefined where there is no such place.
 */
export function closedText(
  text: string,
  readYaml: ReadYaml,
): { readonly text: string; readonly change: string } | undefined {
  const lines = linesWithEnds(text);
  const open = lines.findIndex((line) => /^\uFEFF?---/.test(line.text));
  if (open < 0) return undefined;
  const describes = (to: number): boolean => {
    const block = lines.slice(open + 1, to).map((line) => line.text);
    const read = readYaml(block.join("\n"));
    return read.ok && read.data["description"] !== undefined;
  };
  const dashes = lines.findIndex((line, index) => index > open && /^[ \t]*-{3,}[ \t]*$/.test(line.text));
  if (dashes > 0) {
    if (!describes(dashes)) return undefined;
    const made = lines.map((line, index) => (index === dashes ? { ...line, text: "---" } : line));
    return { text: joinLines(made), change: "the line of dashes that ends the front matter is made ---" };
  }
  const blank = lines.findIndex((line, index) => index > open + 1 && line.text.trim() === "");
  const next = lines.slice(blank + 1).find((line) => line.text.trim() !== "");
  if (blank < 0 || !next || keyOf(next.text) !== undefined || /^\s/.test(next.text)) return undefined;
  if (!describes(blank)) return undefined;
  const fence: TextLine = { text: "---", end: lines[open]?.end ?? "\n" };
  return {
    text: joinLines([...lines.slice(0, blank), fence, ...lines.slice(blank)]),
    change: "a line of --- is put where the front matter ends",
  };
}
