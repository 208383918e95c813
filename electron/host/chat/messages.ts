import { parseCommand } from "../../../shared/command-line.ts";
import type { ModelCall, ModelMessage } from "../../../shared/model.ts";
import type { RecordLine } from "../record/lines.ts";
import { interruptedText } from "./entry-list.ts";

const reminderTag = "<system-reminder>";

/** A lasting reminder, as it stands in the record and in a user-role message (spec 3, What the model sees). */
export const reminderText = (text: string): string =>
  text.startsWith(reminderTag) ? text : `${reminderTag}\n${text}\n</system-reminder>`;

/**
 * The lines that a model is part of. A slash command is for the app: what it asks of the model, if anything, stands in a
 * line of its own. Of a turn without a model call (a command, the guide) only the question stays.
 */
function modelLines(lines: readonly RecordLine[]): RecordLine[] {
  const kept: RecordLine[] = [];
  let turn: RecordLine[] = [];
  const close = (): void => {
    const withoutModel = turn.some((line) => line.type === "turn_end" && line.steps === 0);
    for (const line of questionLast(turn)) {
      if (line.type === "user" && parseCommand(line.text) !== undefined) continue;
      if (!withoutModel || line.type === "user" || line.type === "system") kept.push(line);
    }
    turn = [];
  };
  for (const line of lines) {
    if (line.type === "user") close();
    // For the window alone.
    if (line.type !== "unused_skills") turn.push(line);
  }
  close();
  return kept;
}

/**
 * The lines of a turn with its question after what came with it: reminders first, then what the message mentions.
 * A slash command's question is what it asks of the model, the last of what came with it.
 */
function questionLast(turn: readonly RecordLine[]): readonly RecordLine[] {
  const [question, ...rest] = turn;
  if (question?.type !== "user") return turn;
  const answered = rest.findIndex(({ type }) => type !== "system");
  const before = answered < 0 ? rest : rest.slice(0, answered);
  const isReminder = (line: RecordLine): boolean =>
    line.type === "system" && line.audience === "model" && line.text.startsWith(reminderTag);
  return [
    ...before.filter(isReminder),
    ...before.filter((line) => !isReminder(line)),
    question,
    ...rest.slice(before.length),
  ];
}

/**
 * The conversation for the model, from the current branch of the record, root first. Reasoning is left out: it is sent
 * back within its own turn alone. A call without a result gets one that says so: providers refuse a history that lacks it.
 * A reminder goes before the question that it came with, so that the question stays last.
 * @param readBlob the whole of an output whose line holds its start
 */
export function messagesOf(
  lines: readonly RecordLine[],
  readBlob: (sha256: string) => string,
): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let open: { text: string; calls: ModelCall[]; results: Map<string, ModelMessage> } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const { text, calls, results } = open;
    open = undefined;
    if (text === "" && calls.length === 0) return;
    messages.push({ role: "assistant", text, calls });
    for (const { id, name } of calls)
      messages.push(
        results.get(id) ?? { role: "tool", callId: id, name, output: interruptedText, isError: true },
      );
  };
  for (const line of modelLines(lines)) {
    switch (line.type) {
      case "user":
        close();
        messages.push({ role: "user", text: line.text });
        break;
      case "assistant":
      case "assistant_part":
        close();
        open = { text: line.text, calls: [], results: new Map() };
        break;
      case "tool_call":
        open ??= { text: "", calls: [], results: new Map() };
        open.calls.push({ id: line.callId, name: line.name, input: line.input });
        break;
      case "tool_result": {
        const name = open?.calls.find((call) => call.id === line.callId)?.name;
        const { text, blob } = line.output;
        const output = blob === undefined ? text : readBlob(blob.sha256);
        if (name !== undefined)
          open?.results.set(line.callId, {
            role: "tool",
            callId: line.callId,
            name,
            output,
            isError: line.isError,
          });
        break;
      }
      case "system":
        if (line.audience === "user") break;
        close();
        messages.push({ role: "user", text: line.text });
        break;
      case "session":
      case "unused_skills":
      case "turn_end":
      case "compaction":
      case "head":
        break;
    }
  }
  close();
  return messages;
}

/** The reminder that the model still sees, the last of them; undefined where it sees none. */
export function lastReminder(lines: readonly RecordLine[]): string | undefined {
  const compacted = lines.findLastIndex(({ type }) => type === "compaction");
  const line = lines
    .slice(compacted + 1)
    .findLast(
      (candidate) =>
        candidate.type === "system" &&
        candidate.audience === "model" &&
        candidate.text.startsWith(reminderTag),
    );
  return line?.type === "system" ? line.text : undefined;
}
/** Takes back what an earlier reminder said; where it is placed elsewhere by now, it stands there. */
const withdrawn = reminderText(
  "The list of skills in the earlier reminder no longer holds. What the system prompt and the tools say now counts.",
);
/**
 * What the model has to be told before it answers: the reminder where it changed, also where there is none any more, and
 * after a compaction; undefined where it knows (spec 3, What the model sees).
 */
export function reminderDue(lines: readonly RecordLine[], reminder: string | null): string | undefined {
  const seen = lastReminder(lines);
  if (reminder === null && seen === undefined) return undefined;
  const now = reminder === null ? withdrawn : reminderText(reminder);
  return now === seen ? undefined : now;
}
