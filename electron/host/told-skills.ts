import type { SkillRow } from "../../shared/extension-rows.ts";
import type { WorkspaceEvent } from "../../shared/workspace.ts";

/** Rows of a snapshot: what a window shows first. */
const firstRows = 500;
/** Rows of one event: a few ms to make, to write and to read. */
const partRows = 250;
/** ms between two events, so that a window takes them in as they come. */
const betweenParts = 20;

export interface ToldSkillsOptions {
  /** As they are now. */
  readonly rows: () => readonly SkillRow[];
  readonly publish: (event: Extract<WorkspaceEvent, { type: "skills" }>) => void;
}

/**
 * The list of skills as windows have it. There may be thousands, which nobody makes and writes at once without holding
 * the thread: a snapshot has the first of them, the others follow in parts, and after a change only the rows between the
 * first and the last that are different are told again. A part says where its rows stand: hearing it twice does no harm.
 */
export class ToldSkills {
  readonly #options: ToldSkillsOptions;
  /** Undefined until a window was told. */
  #rows: readonly SkillRow[] | undefined;
  /** The rows that some window may lack. */
  #due: { readonly from: number; readonly until: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ToldSkillsOptions) {
    this.#options = options;
  }
  /** The first of the rows; the others are told soon. */
  snapshot(): readonly SkillRow[] {
    if (this.#rows) this.changed();
    const rows = (this.#rows ??= this.#options.rows());
    if (rows.length > firstRows) this.#tell(firstRows, rows.length, rows.length);
    return rows.slice(0, firstRows);
  }
  /** Looks at the rows again, and tells soon what is different. */
  changed(): void {
    const before = this.#rows;
    const rows = this.#options.rows();
    if (before === undefined || rows === before) return;
    this.#rows = rows;
    let from = 0;
    const shared = Math.min(before.length, rows.length);
    while (from < shared && isSame(before[from], rows[from])) from++;
    let until = rows.length;
    if (before.length === rows.length)
      while (until > from && isSame(before[until - 1], rows[until - 1])) until--;
    if (from < until || before.length !== rows.length) this.#tell(from, until, rows.length);
  }
  /** Tells nothing more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#due = undefined;
  }

  #tell(from: number, until: number, total: number): void {
    const due = this.#due;
    this.#due = due
      ? { from: Math.min(due.from, from), until: Math.max(Math.min(due.until, total), until) }
      : { from, until };
    this.#timer ??= setTimeout(() => this.#part(), 0).unref();
  }
  #part(): void {
    this.#timer = undefined;
    const [due, rows] = [this.#due, this.#rows];
    if (!due || !rows) return;
    const until = Math.min(due.from + partRows, due.until);
    this.#due = until < due.until ? { from: until, until: due.until } : undefined;
    if (this.#due) this.#timer = setTimeout(() => this.#part(), betweenParts).unref();
    this.#options.publish({
      type: "skills",
      at: due.from,
      rows: rows.slice(due.from, until),
      total: rows.length,
    });
  }
}

function isSame(a: SkillRow | undefined, b: SkillRow | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  const keys = Object.keys(a) as (keyof SkillRow)[];
  return keys.length === Object.keys(b).length && keys.every((key) => isSameValue(a[key], b[key]));
}
/** A part of a row: plain, or small. */
const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
