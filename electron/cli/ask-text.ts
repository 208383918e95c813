import { isOffered, type ApprovalFact, type ApprovalView, type Because } from "../../shared/approval.ts";
import type { QuestionView } from "../../shared/question.ts";
import { visibleLines, visibleName, visibleText } from "../../shared/visible-text.ts";

/** Columns of the terminal, and how many questions wait, this one among them. */
export interface AskPlace {
  readonly width: number;
  readonly total: number;
  /** Every line of a long value; without it the first and last ones. */
  readonly whole?: boolean;
}
const headLines = 16;
const tailLines = 4;

const labels: Readonly<Record<ApprovalFact["label"], string>> = {
  command: "Command",
  input: "Input",
  path: "Path",
  target: "Really leads to",
  host: "Host",
  folder: "Folder",
  diff: "Changes",
  declared: "Declares",
  change: "Setting",
  allows: "For this turn, without asking",
  skill: "Skill",
};
const reasons: Readonly<Record<Because["code"], string>> = {
  outside_workspace: "it reaches outside the workspace:",
  protected_folder: "the folder is protected:",
  secret_file: "the file may hold secrets:",
  no_sandbox: "nothing can confine the command on this machine",
  destructive: "it can destroy data",
  network: "it uses the network, and network access is off",
  policy_always: "the policy is to ask always",
  rule: "a rule asks:",
  write: "it writes files",
  shell: "it runs a command",
  unconfined_retry: "it failed while confined and would run again WITHOUT confinement",
  outside_text: "text from outside reached the model in this turn",
  trust: "what the folder declares would start",
  widen_policy: "the policy would allow more than now",
  allowed_tools: "a skill asks to use these without being asked each time:",
  install: "it installs something",
};

/**
 * One approval as lines for a terminal. Our own words begin a line; whatever a tool or a model brings stands behind a
 * bar, wrapped to the width, with line ends and characters that do not show written out: nothing of it steers a terminal
 * or passes for ours.
 */
export function approvalText(view: ApprovalView, place: AskPlace): string {
  const { facts, because, rule } = view;
  const waiting = place.total > 1 ? ` (1 of ${place.total})` : "";
  return [
    `? Approval${waiting}: run this?`,
    ...barred(visibleName(view.title), place),
    `  ${badges(view).join(" · ")}`,
    ...facts.flatMap((fact) => factLines(fact, place)),
    ...(because.length === 0 ? [] : ["  Asks because"]),
    ...because.flatMap(({ code, detail }) => [
      `    ${reasons[code]}`,
      ...(detail === undefined ? [] : barred(visibleLines(detail), place)),
    ]),
    ...(rule === null ? [] : ["  Always stores", ...barred(visibleLines(rule), place)]),
    `  ${keys(view).join(" · ")}`,
  ].join("\n");
}
/** The keys that answer it. */
function keys(view: ApprovalView): string[] {
  return [
    "y allow once",
    ...(isOffered("session", view) ? ["s allow for this session"] : []),
    ...(isOffered("always", view) ? ["a always allow here"] : []),
    "n deny",
    "N deny with a note",
    "v show all of it",
    "Esc leave it open",
  ];
}
function badges({ origin, perm, confined, askedBy }: ApprovalView): string[] {
  return [
    origin === "builtin" ? "built in" : visibleName(origin, 60),
    perm,
    ...(confined === null ? [] : [confined ? "confined" : "NOT CONFINED"]),
    ...(askedBy === null ? [] : [`asked by ${visibleName(askedBy, 60)}`]),
  ];
}
function factLines({ label, values, cut }: ApprovalFact, place: AskPlace): string[] {
  const lines = values.flatMap((value, index) =>
    barred(
      // The lines of an input are those of its JSON: the text in it brings none of its own.
      label === "input" ? visibleText(value) : visibleLines(value),
      place,
      label === "command" ? String(index) : "",
    ),
  );
  const shown = place.whole ? lines : shortened(lines);
  return [
    `  ${labels[label]}`,
    ...shown,
    ...(cut === undefined ? [] : [`    (left out: ${cut.values} values, ${cut.characters} characters)`]),
  ];
}
/** Without its middle where it is long. */
export const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= headLines + tailLines + 1 ? lines : cutOut(lines);
const cutOut = (lines: readonly string[]): string[] => [
  ...lines.slice(0, headLines),
  `    (${lines.length - headLines - tailLines} more lines; v shows them)`,
  ...lines.slice(-tailLines),
];

/** A question of the agent, its answers numbered. */
export function questionText({ question, options }: QuestionView, place: AskPlace): string {
  return [
    "? Question of the agent",
    ...barred(visibleLines(question), place),
    ...options.flatMap((option, index) => barred(visibleLines(option), place, String(index + 1))),
    options.length > 0
      ? "  A number, or your own words; Esc leaves it open"
      : "  Your answer; Esc leaves it open",
  ].join("\n");
}
/** What a typed line answers: one of the choices by its number, else itself; undefined for an empty one. */
export function answerOfLine({ options }: Pick<QuestionView, "options">, line: string): string | undefined {
  const words = line.trim();
  const option = /^\d+$/.test(words) ? options[Number(words) - 1] : undefined;
  return option ?? (words === "" ? undefined : words);
}

/** Lines behind a bar, none wider than the terminal. `mark` stands before the first one. */
export function barred(text: string, { width }: AskPlace, mark = ""): string[] {
  const gutter = Math.max(mark.length, 1);
  const room = Math.max(16, width - gutter - 7);
  const rows = text.split("\n").flatMap((line) => wrapped(line, room));
  return rows.map((row, index) => `    ${(index === 0 ? mark : "").padStart(gutter)} │ ${row}`);
}
function wrapped(line: string, room: number): string[] {
  const rows: string[] = [];
  let row = "";
  let used = 0;
  for (const character of line.replaceAll("\t", "    ")) {
    const columns = columnsOf(character);
    if (used + columns > room) {
      rows.push(row);
      [row, used] = ["", 0];
    }
    row += character;
    used += columns;
  }
  return [...rows, row];
}
/** Columns of a terminal that a character takes: marks none, East Asian letters and emoji two. */
const columnsOf = (character: string): number =>
  /\p{M}/u.test(character)
    ? 0
    : /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303F\uFF00-\uFF60]/u.test(
          character,
        )
      ? 2
      : 1;
