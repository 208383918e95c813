import { toErrorValue } from "../../shared/errors.ts";
import type { SkillRow } from "../../shared/extension-rows.ts";
import type { WorkspaceEvent } from "../../shared/workspace.ts";
import type { Logger } from "./kit/log.ts";

/** Rows of a snapshot: what a window shows first. */
const firstRows = 500;
/** Rows of one event: a few ms to make, to write and to read. */
const partRows = 250;
/** ms between two events, so that a window takes them in as they come. */
const betweenParts = 20;

export interface ToldSkillsOptions {
  readonly log: Pick<Logger, "error">;
  /** How many there are now. */
  readonly count: () => number;
  /** Some of them as they are now, made when they are asked for. */
  readonly rows: (from: number, until: number) => readonly SkillRow[];
  readonly publish: (event: Extract<WorkspaceEvent, { type: "skills" }>) => void;
}

/**
 * The list of skills as windows have it. There may be thousands, which nobody makes, compares and writes at once without
 * holding the thread: a snapshot has the first of them, and part by part the others are looked at and told where they
 * are not what was told before. A part says where its rows stand: hearing it twice does no harm.
 */
export class ToldSkills {
  readonly #options: ToldSkillsOptions;
  /** What every window has, undefined where they may differ; undefined until one was told. */
  #told: (SkillRow | undefined)[] | undefined;
  /** How many every window knows that there are; undefined where they may differ. */
  #total: number | undefined;
  /** Where the look at the rows stands. */
  #at = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ToldSkillsOptions) {
    this.#options = options;
  }
  /** The first of the rows; the others are told soon. */
  snapshot(): readonly SkillRow[] {
    const count = this.#options.count();
    const rows = this.#options.rows(0, Math.min(firstRows, count));
    const told = this.#told;
    this.#total = told === undefined || this.#total === count ? count : undefined;
    // Other windows may have other rows; and what follows, the new one has not.
    this.#told = rows.map((row, at) => (told === undefined || isSame(told[at], row) ? row : undefined));
    if (told !== undefined || rows.length < count) this.#look();
    return rows;
  }
  /** Looks at the rows again, and tells soon what is different. */
  changed(): void {
    if (this.#told) this.#look();
  }
  /** Tells nothing more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = undefined;
  }

  #look(): void {
    this.#at = 0;
    this.#timer ??= this.#soon(0);
  }
  #soon(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      const told = this.#told;
      if (!told) return;
      try {
        this.#part(told);
      } catch (error) {
        this.#options.log.error("the window could not be told of skills", {
          error: toErrorValue(error).message,
        });
        // What windows have is not known any more: the next look tells them all of it.
        clearTimeout(this.#timer);
        this.#timer = undefined;
        told.fill(undefined);
        this.#total = undefined;
      }
    }, ms).unref();
  }
  #part(told: (SkillRow | undefined)[]): void {
    const total = this.#options.count();
    const at = this.#at;
    const rows = this.#options.rows(at, Math.min(at + partRows, total));
    let from = 0;
    while (from < rows.length && isSame(told[at + from], rows[from])) from++;
    let until = rows.length;
    while (until > from && isSame(told[at + until - 1], rows[until - 1])) until--;
    told.splice(at + from, until - from, ...rows.slice(from, until));
    this.#at = at + rows.length;
    const isLast = this.#at >= total;
    if (isLast) told.length = total;
    const isNews = from < until || (isLast && total !== this.#total);
    if (!isLast) this.#timer = this.#soon(isNews ? betweenParts : 0);
    if (!isNews) return;
    // Windows drop what lies behind it.
    if (told.length > total) told.length = total;
    this.#total = total;
    this.#options.publish({ type: "skills", at: at + from, rows: rows.slice(from, until), total });
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
