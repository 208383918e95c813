import { isObject } from "../../../shared/json.ts";
import type { TraceRow } from "../../../shared/trace.ts";
import { cutToBytes } from "../kit/output-collector.ts";
import { LineFile } from "./line-file.ts";

/** The transcript has the whole; the trace shows the beginning, bytes. */
const shown = 4 * 1024;
const cut = (text: string): string => {
  const kept = cutToBytes(text, shown);
  return kept.length < text.length ? `${kept}…` : kept;
};

/** `trace.jsonl`. A row is written again when its status changes; the last one counts. */
export class TraceFile {
  readonly #file: LineFile;
  readonly #mask: (text: string) => string;
  readonly #rows = new Map<string, TraceRow>();
  #writing = false;
  constructor(file: string, mask: (text: string) => string) {
    this.#file = new LineFile(file);
    this.#mask = mask;
  }
  /** Gives the row as it was written: masked and cut. */
  append(row: TraceRow): TraceRow {
    // From then on only its own lines are added: what others wrote meanwhile is found when somebody asks for the rows.
    if (!this.#writing) this.#read();
    this.#writing = true;
    const written: TraceRow = {
      ...row,
      title: this.#mask(row.title),
      ...(row.input === undefined ? {} : { input: cut(this.#mask(row.input)) }),
      ...(row.output === undefined ? {} : { output: cut(this.#mask(row.output)) }),
    };
    this.#file.append(JSON.stringify({ v: 1, ...written }));
    this.#rows.set(row.id, written);
    return written;
  }
  /** In the order they began. */
  rows(): TraceRow[] {
    if (this.#writing && this.#file.hasMore()) {
      this.#rows.clear();
      this.#file.rewind();
    }
    this.#read();
    return [...this.#rows.values()];
  }
  close(): void {
    this.#file.close();
    this.#writing = false;
  }
  #read(): void {
    for (const text of this.#file.readNew()) {
      const row = parseRow(text);
      if (row) this.#rows.set(row.id, row);
    }
  }
}
/** Undefined for a line that cannot be read: the trace is for people, and goes on behind it. */
function parseRow(text: string): TraceRow | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRow(value)) return undefined;
  const { v: _, ...row } = value;
  return row;
}
const texts = ["id", "kind", "title", "status", "origin"] as const;
const isRow = (value: unknown): value is TraceRow & { readonly v?: unknown } =>
  isObject(value) && typeof value["t"] === "number" && texts.every((name) => typeof value[name] === "string");
