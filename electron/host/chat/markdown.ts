import type { Entry, SessionRow } from "../../../shared/session.ts";

/** A fence that is longer than any run of backquotes in the text (CommonMark, 4.5). */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}`;
}
const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

function part(entry: Entry): string[] {
  switch (entry.type) {
    case "user":
      return ["## User", entry.text];
    case "assistant": {
      const reasoning = entry.reasoning === "" ? [] : [quoted(entry.reasoning.trim())];
      return [...reasoning, ...(entry.text === "" ? [] : [entry.text])];
    }
    case "tool": {
      const { title, origin, input, state, output, diff, exitCode } = entry.call;
      const about = [origin, state, ...(exitCode === undefined ? [] : [`exit code ${exitCode}`])];
      return [
        `### Tool call \`${title}\` (${about.join(", ")})`,
        fenced(JSON.stringify(input, null, 2) ?? "", "json"),
        ...(output === "" ? [] : [fenced(output)]),
        ...(diff === undefined ? [] : [fenced(diff, "diff")]),
      ];
    }
    case "notice":
      return [`*${entry.level}: ${entry.text}*`];
    case "turn_end":
      return entry.stopReason === "end" ? [] : [`*The turn ended: ${entry.stopReason}.*`];
  }
}

/** A session as a document (spec 8, export): what was said and done, in order. */
export function exportMarkdown(row: SessionRow, entries: readonly Entry[]): string {
  const head = [`# ${row.title === "" ? row.id : row.title}`, `Session ${row.id}, begun ${row.createdAt}.`];
  return `${[...head, ...entries.flatMap(part)].join("\n\n")}\n`;
}
