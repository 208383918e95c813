import type { RecordLine } from "./lines.ts";

/** A transcript's lines as the tree that their `parent`s make, and where its reader stands. */
export class LineTree {
  readonly #lines: RecordLine[] = [];
  readonly #index = new Map<string, number>();
  #leaf: string | null = null;
  #branch: readonly RecordLine[] | undefined;

  /** The id of the line that the next one hangs on; null in an empty tree. */
  get leaf(): string | null {
    return this.#leaf;
  }
  /** The last id that was given, in any branch; empty before the first. */
  get lastId(): string {
    return this.#lines.at(-1)?.id ?? "";
  }
  has(id: string): boolean {
    return this.#index.has(id);
  }
  /** Adds a line and moves to it; a `head` moves to the leaf it names. A line that is there already is passed over. */
  add(line: RecordLine): void {
    if (this.#index.has(line.id)) return;
    this.#index.set(line.id, this.#lines.length);
    this.#lines.push(line);
    this.#branch = undefined;
    if (line.type !== "head") this.#leaf = line.id;
    else if (this.#index.has(line.leaf)) this.#leaf = line.leaf;
  }
  /** The current branch, root first, without `head` lines; parts stand as one, or not at all where their whole came. */
  branch(): readonly RecordLine[] {
    this.#branch ??= joinParts(this.#walk());
    return this.#branch;
  }
  #walk(): RecordLine[] {
    const branch: RecordLine[] = [];
    let at = this.#leaf === null ? undefined : this.#index.get(this.#leaf);
    while (at !== undefined) {
      const line: RecordLine | undefined = this.#lines[at];
      if (!line) break;
      if (line.type !== "head") branch.push(line);
      at = line.parent === null ? undefined : this.#before(line.parent, at);
    }
    return branch.reverse();
  }
  /** Where a parent stands. One that could not be read is stood in for by the line before it: ids ascend. */
  #before(parent: string, child: number): number | undefined {
    const at = this.#index.get(parent);
    // Only what came earlier can be a parent; this also ends a circle in a file that somebody else wrote.
    if (at !== undefined) return at < child ? at : undefined;
    for (let earlier = child - 1; earlier >= 0; earlier--) {
      const line = this.#lines[earlier];
      if (line && line.type !== "head" && line.id < parent) return earlier;
    }
    return undefined;
  }
}

type Message = Extract<RecordLine, { readonly type: "assistant" | "assistant_part" }>;

/** Drops parts whose final line is there and joins the others, so that a broken answer is one line. */
function joinParts(lines: readonly RecordLine[]): readonly RecordLine[] {
  const whole = new Set(lines.flatMap((line) => (line.type === "assistant" ? [line.message] : [])));
  const joined = new Map<string, Message>();
  for (const line of lines) {
    if (line.type !== "assistant_part" || whole.has(line.message)) continue;
    const before = joined.get(line.message);
    joined.set(
      line.message,
      before
        ? { ...before, text: before.text + line.text, reasoning: before.reasoning + line.reasoning }
        : line,
    );
  }
  return lines.flatMap((line) => {
    if (line.type !== "assistant_part") return [line];
    const first = joined.get(line.message);
    return first?.id === line.id ? [first] : [];
  });
}
