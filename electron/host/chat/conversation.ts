import type { Entry, SessionEvent } from "../../../shared/session.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import type { LineBody, RecordLine } from "../record/lines.ts";
import { DeltaBuffer } from "./deltas.ts";
import { EntryList, shownOutput } from "./entry-list.ts";
import { TurnRecorder, type LineWriter } from "./turn-recorder.ts";
import type { TurnEnd, TurnEvent } from "./turn.ts";

/** The record as a conversation needs it. */
export interface ConversationRecord extends LineWriter {
  lines(): readonly RecordLine[];
}

/**
 * One conversation, as the record holds it and as windows see it: every line is written first, then its entry is told.
 * What streams is told before its line stands.
 */
export class Conversation {
  readonly #record: ConversationRecord;
  readonly #emit: (event: SessionEvent) => void;
  readonly #clock: Clock;
  readonly #deltas: DeltaBuffer;
  readonly #recorder: TurnRecorder;
  #entries = new EntryList();
  #lastLine: string | undefined;

  constructor(record: ConversationRecord, emit: (event: SessionEvent) => void, clock: Clock = systemClock) {
    this.#record = record;
    this.#emit = emit;
    this.#clock = clock;
    this.#deltas = new DeltaBuffer(emit);
    this.#recorder = new TurnRecorder(record, clock);
    this.refresh();
  }
  page(count: number, last?: string): { entries: readonly Entry[]; before: string | null } {
    return this.#entries.page(count, last);
  }
  /** The entry of a call. */
  tool(callId: string): ReturnType<EntryList["tool"]> {
    return this.#entries.tool(callId);
  }
  /** Reads what another host has written since, and tells its entries. */
  refresh(): void {
    const lines = this.#record.lines();
    if (lines.at(-1)?.id === this.#lastLine) return;
    const known = new Map(this.#entries.all.map((entry) => [entry.id, entry]));
    this.#entries = new EntryList();
    for (const line of lines) this.#entries.apply(line);
    this.#entries.closeOpenCalls();
    const first = this.#lastLine === undefined;
    this.#lastLine = lines.at(-1)?.id;
    if (first) return;
    for (const entry of this.#entries.all) if (!known.has(entry.id)) this.#emit({ type: "entry", entry });
  }
  /** Writes one line and tells its entry. @throws NacreError `io` */
  append(body: LineBody): RecordLine {
    const line = this.#record.append(body);
    this.#tell(line);
    return line;
  }
  /** Records an event of a turn and tells what it shows. @throws NacreError `io` */
  take(event: TurnEvent): void {
    const line = this.#recorder.write(event);
    if (line !== undefined) this.#tell(line);
    else this.#showLive(event);
  }
  end(end: TurnEnd): RecordLine {
    const line = this.#recorder.end(end);
    this.#tell(line);
    return line;
  }
  /** Shows a notice that cannot be recorded. */
  showOnly(level: "info" | "warning" | "error", text: string): void {
    const t = this.#clock.now();
    this.#tellEntry(this.#entries.put({ type: "notice", id: `unrecorded-${t}`, t, level, text }));
  }
  /** Tells at once what waits for its frame. */
  flush(): void {
    this.#deltas.flush();
  }
  #tell(line: RecordLine): void {
    this.#lastLine = line.id;
    const entry = this.#entries.apply(line);
    if (entry !== undefined) this.#tellEntry(entry);
  }
  #tellEntry(entry: Entry): void {
    this.#deltas.flush();
    this.#emit({ type: "entry", entry });
  }
  #showLive(event: TurnEvent): void {
    switch (event.type) {
      case "text":
      case "reasoning": {
        const { type: field, message, text } = event;
        const known = this.#entries.get(message);
        const entry = known?.type === "assistant" ? known : this.#openAnswer(message);
        this.#deltas.add(message, field, entry[field].length, text);
        this.#entries.put({ ...entry, [field]: entry[field] + text });
        break;
      }
      case "tool_output": {
        const entry = this.#entries.tool(event.callId);
        if (entry === undefined) break;
        const { output } = entry.call;
        const text = event.text.slice(0, Math.max(0, shownOutput - output.length));
        if (text === "") break;
        this.#deltas.add(entry.id, "output", output.length, text);
        this.#entries.put({ ...entry, call: { ...entry.call, output: output + text } });
        break;
      }
      case "tool_state": {
        const entry = this.#entries.tool(event.callId);
        if (entry !== undefined)
          this.#tellEntry(this.#entries.put({ ...entry, call: { ...entry.call, state: event.state } }));
        break;
      }
      default:
        break;
    }
  }
  #openAnswer(id: string): Extract<Entry, { type: "assistant" }> {
    const entry = {
      type: "assistant",
      id,
      t: this.#clock.now(),
      text: "",
      reasoning: "",
      done: false,
    } as const;
    this.#tellEntry(this.#entries.put(entry));
    return entry;
  }
}
