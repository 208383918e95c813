import { splitSkillName } from "./names.ts";

/** What may close a sentence behind a name. */
const mention =
  /(?<=^|\s)@([A-Za-z0-9][\w.:-]{0,160}?)(?=[.,;:!?)\]}"'…。，；：！？、）」』]{0,8}(?:\s|$))/gu;

/**
 * The names that a message mentions as `@name` or `@plugin:name`, in their order, each once. Blanks stand around one;
 * behind it a sentence may close. What is code is no mention.
 */
export function mentionedNames(text: string): readonly string[] {
  const names = [...withoutCode(text).matchAll(mention)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => splitSkillName(name) !== undefined);
}

/** Without fenced blocks and inline code (CommonMark, 4.5 and 6.1); a fence that nobody closes reaches to the end. */
export function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const [, run = "", behind = ""] = marks ?? [];
    if (fence === undefined) {
      // Backticks behind them make it inline code.
      if (marks === null || (run.startsWith("`") && behind.includes("`"))) kept.push(line);
      else fence = run;
    } else if (run.startsWith(fence) && behind.trim() === "") fence = undefined;
  }
  return withoutInlineCode(kept.join("\n"));
}
function withoutInlineCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)];
  /** For each run the next one of its length. */
  const closes = new Map<number, number>();
  const last = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const length = runs[index]?.[0].length ?? 0;
    const close = last.get(length);
    if (close !== undefined) closes.set(index, close);
    last.set(length, index);
  }
  let kept = "";
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const [open, closing] = [runs[index], closes.get(index)];
    const close = closing === undefined ? undefined : runs[closing];
    if (open === undefined || close === undefined || closing === undefined) continue;
    kept += `${text.slice(at, open.index)}\`\``;
    at = close.index + close[0].length;
    index = closing;
  }
  return kept + text.slice(at);
}
