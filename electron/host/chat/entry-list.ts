import { isObject } from "../../../shared/json.ts";
import { isAppUri, type McpAppRef } from "../../../shared/mcp-app.ts";
import type { Entry, ToolCallView } from "../../../shared/session.ts";
import type { RecordedText, RecordLine } from "../record/lines.ts";

/** What a card shows of an output, characters; the record has the whole. */
export const shownOutput = 8_192;
export const interruptedText = "interrupted: it did not end before the app did";

/** An output as a card shows it: its start, and how much there is. */
export function cutOutput({ text, blob }: RecordedText): string {
  if (text.length <= shownOutput && blob === undefined) return text;
  const size = blob === undefined ? `${text.length} characters` : `${blob.bytes} bytes`;
  return `${text.slice(0, shownOutput)}\n… (${size} in all)`;
}

/** A line may have been written by anybody who can write the folder. */
const isAppRef = (app: unknown): app is McpAppRef =>
  isObject(app) &&
  typeof app["server"] === "string" &&
  typeof app["serverId"] === "string" &&
  isAppUri(app["uri"]);

type ToolEntry = Extract<Entry, { type: "tool" }>;
type Line<T extends RecordLine["type"]> = Extract<RecordLine, { type: T }>;

const running = (line: Line<"tool_call">): ToolEntry => ({
  type: "tool",
  id: line.id,
  t: line.t,
  call: {
    callId: line.callId,
    name: line.name,
    title: line.title,
    origin: line.origin,
    input: line.input,
    state: "running",
    output: "",
    isError: false,
    durationMs: null,
    decision: null,
    sandboxed: null,
    ...(isAppRef(line.app) ? { app: line.app } : {}),
  },
});

function finished(
  call: ToolCallView,
  line: Line<"tool_result">,
  show: (output: RecordedText) => string,
): ToolCallView {
  const { output, isError, durationMs, decision, sandboxed, exitCode, diff } = line;
  const denied = decision === "deny" || decision === "asked_deny";
  return {
    ...call,
    state: denied ? "denied" : isError ? "failed" : "done",
    output: show(output),
    isError,
    durationMs,
    decision,
    sandboxed,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(diff === undefined ? {} : { diff }),
  };
}

/**
 * The entries that a window draws, made of the record's lines one by one. What streams stands here before its line does:
 * an answer's entry has the message's id, so that the line replaces it.
 */
export class EntryList {
  readonly #entries: Entry[] = [];
  readonly #at = new Map<string, number>();
  readonly #toolAt = new Map<string, number>();
  readonly #show: (output: RecordedText) => string;

  constructor(show: (output: RecordedText) => string = cutOutput) {
    this.#show = show;
  }

  get all(): readonly Entry[] {
    return this.#entries;
  }
  get(id: string): Entry | undefined {
    const at = this.#at.get(id);
    return at === undefined ? undefined : this.#entries[at];
  }
  tool(callId: string): ToolEntry | undefined {
    const at = this.#toolAt.get(callId);
    const entry = at === undefined ? undefined : this.#entries[at];
    return entry?.type === "tool" ? entry : undefined;
  }
  /** Adds the entry, or replaces the one of its id. */
  put(entry: Entry): Entry {
    const at = this.#at.get(entry.id) ?? this.#entries.length;
    this.#entries[at] = entry;
    this.#at.set(entry.id, at);
    if (entry.type === "tool") this.#toolAt.set(entry.call.callId, at);
    return entry;
  }
  /** The entry that the line makes or changes; undefined where it shows nothing. */
  apply(line: RecordLine): Entry | undefined {
    const { id, t } = line;
    switch (line.type) {
      case "user":
        this.closeOpenCalls();
        return this.put({ type: "user", id, t, text: line.text });
      case "assistant":
      case "assistant_part":
        if (line.text === "" && line.reasoning === "") return undefined;
        return this.put({
          type: "assistant",
          id: line.message,
          t: this.get(line.message)?.t ?? t,
          text: line.text,
          reasoning: line.reasoning,
          done: true,
        });
      case "tool_call":
        return this.put(running(line));
      case "tool_result": {
        const entry = this.tool(line.callId);
        return entry && this.put({ ...entry, call: finished(entry.call, line, this.#show) });
      }
      case "system":
        return line.audience === "user"
          ? this.put({ type: "notice", id, t, level: line.level, text: line.text })
          : undefined;
      case "unused_skills": {
        const message = this.#entries.findLast((entry) => entry.type === "user");
        if (message?.type !== "user") return undefined;
        return this.put({ ...message, unusedSkills: [...(message.unusedSkills ?? []), ...line.names] });
      }
      case "turn_end":
        this.closeOpenCalls();
        return this.put({
          type: "turn_end",
          id,
          t,
          stopReason: line.stopReason,
          usage: line.usage,
          steps: line.steps,
        });
      case "session":
      case "compaction":
      case "head":
        return undefined;
    }
  }
  /** Calls without a result, of a turn that is over: the app ended before they did. */
  closeOpenCalls(): void {
    for (const entry of this.#entries) {
      if (entry.type !== "tool" || (entry.call.state !== "running" && entry.call.state !== "waiting"))
        continue;
      this.put({
        ...entry,
        call: { ...entry.call, state: "failed", isError: true, output: interruptedText },
      });
    }
  }
  /**
   * A page of entries and the id of the one before it, null at the start.
   * @param last the last entry of the page; absent: the newest
   */
  page(count: number, last?: string): { entries: readonly Entry[]; before: string | null } {
    const end = last === undefined ? this.#entries.length : (this.#at.get(last) ?? -1) + 1;
    const start = Math.max(0, end - count);
    return { entries: this.#entries.slice(start, end), before: this.#entries[start - 1]?.id ?? null };
  }
}

/**
 * The entries of a conversation that nobody writes just now.
 * @param show what is shown of an output; absent: its start
 */
export function entriesOf(
  lines: readonly RecordLine[],
  show?: (output: RecordedText) => string,
): readonly Entry[] {
  const list = new EntryList(show);
  for (const line of lines) list.apply(line);
  list.closeOpenCalls();
  return list.all;
}
