import { counted } from "./text.ts";

/** Beyond so many changed lines the search for the shortest difference would hold the thread too long. */
const mostChanges = 1_000;
const mostBytes = 64 * 1024;

/**
 * What changed, as a unified diff with three lines of context, or undefined where nothing did. Where the texts have
 * little in common, everything is shown as replaced; past 64 KB only the size is told.
 */
export async function unifiedDiff(shown: string, before: string, after: string): Promise<string | undefined> {
  if (before === after) return undefined;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const [from, to] = [before === "" ? "/dev/null" : `a/${shown}`, `b/${shown}`];
  const patch =
    createTwoFilesPatch(from, to, before, after, undefined, undefined, {
      context: 3,
      maxEditLength: mostChanges,
      headerOptions: FILE_HEADERS_ONLY,
    }) ?? `--- ${from}\n+++ ${to}\n${replaced(before, after)}`;
  return Buffer.byteLength(patch) <= mostBytes
    ? patch
    : `--- ${from}\n+++ ${to}\n(the difference is too large to show: ${counted(patch.split("\n").length, "line")})\n`;
}

function replaced(before: string, after: string): string {
  const [old, now] = [lines(before), lines(after)];
  const range = (count: number): string => `${count === 0 ? 0 : 1},${count}`;
  return [
    `@@ -${range(old.length)} +${range(now.length)} @@`,
    ...marked("-", old, before),
    ...marked("+", now, after),
    "",
  ].join("\n");
}
const marked = (mark: string, all: readonly string[], text: string): string[] => [
  ...all.map((line) => mark + line),
  ...(text === "" || text.endsWith("\n") ? [] : ["\\ No newline at end of file"]),
];
const lines = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
