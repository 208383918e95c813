import { slashed } from "./ripgrep.ts";
import { counted } from "./text.ts";

/** So many lines, context among them, are held at most; then the search ends. */
const mostLines = 20_000;
const mostSecretNamed = 5;

interface FoundLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Collects ripgrep's lines (`path NUL number[:-]text`) and shows them by file, sorted, so that runs are alike. */
export class FoundLines {
  readonly #files = new Map<string, FoundLine[]>();
  readonly #secret = new Set<string>();
  readonly #shown: (file: string) => string;
  readonly #isSecret: (file: string) => boolean;
  #count = 0;
  #stopped = false;

  /** `isSecret`: a file whose lines are only counted. */
  constructor(shown: (file: string) => string, isSecret: (file: string) => boolean) {
    this.#shown = shown;
    this.#isSecret = isSecret;
  }
  get isEmpty(): boolean {
    return this.#files.size === 0 && this.#secret.size === 0;
  }
  /** False: enough. */
  take(line: string): boolean {
    const border = line.indexOf("\0");
    const parsed = /^(\d+)([:-])([^]*)$/.exec(line.slice(border + 1));
    if (border < 0 || parsed === null) return true;
    const file = slashed(line.slice(0, border));
    if (this.#isSecret(file)) {
      this.#secret.add(file);
      return true;
    }
    const found = { number: Number(parsed[1]), text: parsed[3] ?? "", isMatch: parsed[2] === ":" };
    const lines = this.#files.get(file);
    if (lines) lines.push(found);
    else this.#files.set(file, [found]);
    this.#count += 1;
    this.#stopped = this.#count >= mostLines;
    return !this.#stopped;
  }
  keepOnly(files: ReadonlySet<string>): void {
    for (const file of this.#files.keys()) if (!files.has(file)) this.#files.delete(file);
    for (const file of this.#secret) if (!files.has(file)) this.#secret.delete(file);
  }
  /** @param limit how many matching lines to show */
  text(limit: number): string {
    const blocks: string[] = [];
    let left = limit;
    let matches = 0;
    for (const [file, lines] of [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1))) {
      matches += lines.filter((line) => line.isMatch).length;
      if (left <= 0) continue;
      const shown = first(lines, left);
      left -= shown.filter((line) => line.isMatch).length;
      blocks.push([this.#shown(file), ...withGaps(shown)].join("\n"));
    }
    const total = `${this.#stopped ? "more than " : ""}${counted(matches, "matching line")} in ${counted(this.#files.size, "file")}`;
    const notes: string[] = [];
    if (matches === 0) notes.push("(no line matches)");
    else if (left <= 0 && matches > limit) notes.push(`(${limit} of ${total})`);
    else if (this.#stopped) notes.push(`(${total}; narrow the search)`);
    if (this.#secret.size > 0)
      notes.push(
        `(not shown, may hold secrets: ${[...this.#secret].sort().slice(0, mostSecretNamed).map(this.#shown).join(", ")}` +
          `${this.#secret.size > mostSecretNamed ? ", …" : ""}; name one as path to search it)`,
      );
    return [...blocks, ...notes].join("\n\n");
  }
}

/** The lines up to the last wanted match. */
function first(lines: readonly FoundLine[], matches: number): FoundLine[] {
  let left = matches;
  const end = lines.findIndex((line) => line.isMatch && left-- === 0);
  return lines.slice(0, end < 0 ? lines.length : end);
}
const withGaps = (lines: readonly FoundLine[]): string[] =>
  lines.flatMap((line, index) => {
    const before = lines[index - 1];
    const text = `${line.number}${line.isMatch ? ":" : "-"}${line.text}`;
    return before !== undefined && line.number > before.number + 1 && hasContext(lines)
      ? ["--", text]
      : [text];
  });
const hasContext = (lines: readonly FoundLine[]): boolean => lines.some((line) => !line.isMatch);
