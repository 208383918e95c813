import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { Clock, Ids } from "../kit/clock.ts";
import type { Blobs } from "./blobs.ts";
import { LineFile } from "./line-file.ts";
import { idAfter } from "./line-ids.ts";
import { LineTree } from "./line-tree.ts";
import type { LineBody, RecordLine } from "./lines.ts";
import { parseRecordLine } from "./parse-line.ts";

/** One transcript: `main.jsonl` or `sub-N.jsonl`. Reads at first use, opens for writing at the first append. */
export class ConversationFile {
  readonly #file: LineFile;
  readonly #blobs: Blobs;
  readonly #ids: Ids;
  readonly #clock: Clock;
  #tree: LineTree | undefined;
  #diagnostics: Diagnostic[] = [];
  #lineNumber = 0;
  #writing = false;

  constructor(file: string, parts: { readonly blobs: Blobs; readonly ids: Ids; readonly clock: Clock }) {
    this.#file = new LineFile(file);
    this.#blobs = parts.blobs;
    this.#ids = parts.ids;
    this.#clock = parts.clock;
  }
  get path(): string {
    return this.#file.path;
  }
  /** Bytes of whole lines. */
  get size(): number {
    return this.#file.size;
  }
  /** Lines that could not be read, each once. */
  get diagnostics(): readonly Diagnostic[] {
    this.#read();
    return this.#diagnostics;
  }
  /** The current branch, root first; see `LineTree.branch`. */
  lines(): readonly RecordLine[] {
    return this.#read().branch();
  }
  /**
   * Writes one line at the current leaf, in one call, before anybody is told. A long output goes to a blob first.
   * Gives the line as it stands in the file. @throws NacreError `io`; then nothing was added.
   */
  append(body: LineBody): RecordLine {
    const tree = this.#writing ? this.#read() : this.refresh();
    const kept = body.type === "tool_result" ? this.#keptResult(body) : body;
    const head = {
      v: 1,
      id: idAfter(tree.lastId, this.#ids),
      parent: tree.leaf,
      t: this.#clock.now(),
    } as const;
    const line: RecordLine = { ...head, ...kept };
    this.#file.append(JSON.stringify(line));
    this.#writing = true;
    this.#lineNumber++;
    tree.add(line);
    return line;
  }
  #keptResult(body: Extract<LineBody, { type: "tool_result" }>): typeof body {
    const output = this.#blobs.keep(body.output);
    const { forApp } = body;
    return forApp === undefined ? { ...body, output } : { ...body, output, forApp: this.#blobs.keep(forApp) };
  }
  /** Reads what another process has added meanwhile. */
  refresh(): LineTree {
    this.#tree ??= new LineTree();
    for (const text of this.#file.readNew()) {
      this.#lineNumber++;
      const line = parseRecordLine(text);
      if (line) this.#tree.add(line);
      else
        this.#diagnostics.push({
          code: "transcript-line-unreadable",
          severity: "warning",
          message: "this line of the transcript cannot be read and was passed over",
          path: this.#file.path,
          line: this.#lineNumber,
          fix: "nothing needs to be done; the line is kept in the file",
        });
    }
    return this.#tree;
  }
  sync(): void {
    this.#blobs.sync();
    this.#file.sync();
  }
  /** Gives the descriptor back; reading and appending stay possible. */
  close(): void {
    this.#file.close();
    this.#writing = false;
  }
  #read(): LineTree {
    return this.#tree ?? this.refresh();
  }
}
