import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { nearWord } from "../../../shared/near-word.ts";
import { switchOf } from "../../../shared/switch-of.ts";

export type Pointer = readonly (string | number)[];
/** A value of the wrong kind: where it stands in the document, what is wrong and what to write instead. */
export interface Problem {
  readonly pointer: Pointer;
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly fix?: string;
}
export type Report = (problem: Problem) => void;
/** A problem of a key, as a diagnostic of the file at `path`. `lineOf` gives the 1-based line of a key, where there is one. */
export function diagnosticOf(
  file: { readonly path: string; readonly lineOf?: ((pointer: Pointer) => number | undefined) | undefined },
  { pointer, code, severity, message, fix }: Problem,
): Diagnostic {
  const line = file.lineOf?.(pointer);
  return {
    code,
    severity,
    message,
    path: file.path,
    ...(line === undefined ? {} : { line }),
    ...(fix === undefined ? {} : { fix }),
  };
}

/** `startup_timeout_sec` → `startupTimeoutSec` */
const camel = (name: string): string =>
  name.includes("_") ? name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()) : name;

/**
 * Reads single keys of one object of a file. A key of the wrong kind is reported and counts as absent, so that the
 * other keys are never lost with it. Names may be given in snake case; their camel case is read too.
 */
export class Fields {
  readonly raw: JsonObject;
  readonly #pointer: Pointer;
  readonly #code: string;
  readonly #report: Report;
  readonly #asked = new Set<string>();
  readonly #inner: Fields[] = [];
  constructor(raw: unknown, pointer: Pointer, code: string, report: Report) {
    this.#pointer = pointer;
    this.#code = code;
    this.#report = report;
    this.raw = isObject(raw) ? raw : {};
    if (raw !== undefined && !isObject(raw)) this.report([], `is no object`, "write { … }");
  }
  /** The first of the names that is written, with its spelling. */
  find(...names: string[]): { key: string; value: unknown } | undefined {
    for (const name of names) this.#asked.add(name);
    for (const name of names)
      for (const key of [name, camel(name)])
        if (Object.hasOwn(this.raw, key)) return { key, value: this.raw[key] };
    return undefined;
  }
  /** Keys that somebody else reads. */
  pass(...names: string[]): void {
    for (const name of names) this.#asked.add(name);
  }
  /**
   * Reports keys that nobody asked for, here and in every object taken from here: a warning where one is near a known
   * key or stands at the wrong place, else a note. Called when everything was asked. `"misspelt"` leaves the notes out,
   * for files that others share.
   */
  reportUnknown(which: "all" | "misspelt" = "all"): void {
    let places: ReadonlyMap<string, string> | undefined;
    this.#reportUnknown(which, (key) => (places ??= this.#knownPlaces()).get(key));
  }
  #reportUnknown(which: "all" | "misspelt", placeOf: (key: string) => string | undefined): void {
    for (const key of Object.keys(this.raw)) {
      if (this.#asked.has(key) || [...this.#asked].some((name) => camel(name) === key)) continue;
      const near = nearWord(key, this.#asked);
      const meant = near === undefined ? placeOf(key) : [...this.#pointer, near].join(".");
      if (meant !== undefined)
        this.report([key], `is no known key; did you mean ${meant}?`, `write ${meant}`, "warning");
      else if (which === "all")
        this.report([key], "is no known key; it is kept and has no effect", undefined, "info");
    }
    for (const inner of this.#inner) inner.#reportUnknown(which, placeOf);
  }
  /** Known keys of the objects further in, by their names. */
  #knownPlaces(): Map<string, string> {
    const places = new Map<string, string>();
    for (const inner of this.#inner) {
      for (const [name, place] of inner.#knownPlaces()) places.set(name, place);
      for (const name of inner.#asked) places.set(name, [...inner.#pointer, name].join("."));
    }
    return places;
  }
  /** Reports a problem of this object (`[]`) or of a key in it. */
  report(at: Pointer, message: string, fix?: string, severity: Problem["severity"] = "error"): void {
    const pointer = [...this.#pointer, ...at];
    const where = pointer.length === 0 ? "the file" : pointer.join(".");
    this.#report({
      pointer,
      code: this.#code,
      severity,
      message: `${where} ${message}`,
      ...(fix === undefined ? {} : { fix }),
    });
  }
  object(name: string): Fields {
    const found = this.find(name);
    const inner = new Fields(found?.value, [...this.#pointer, found?.key ?? name], this.#code, this.#report);
    this.#inner.push(inner);
    return inner;
  }
  string(...names: string[]): string | undefined {
    return this.#take(names, "text", (value) => (typeof value === "string" ? value : undefined));
  }
  /** A switch, in any of its words. */
  boolean(...names: string[]): boolean | undefined {
    return this.#take(names, "true or false", switchOf);
  }
  /** A switch that counts as `strict` where what is written is none; `fallback` where nothing is. */
  strictBoolean(strict: boolean, fallback: boolean, ...names: string[]): boolean {
    return this.#strict(names, `true or false`, switchOf, strict) ?? fallback;
  }
  /** A number of at least `least`. */
  number(least: number, ...names: string[]): number | undefined {
    return this.#take(names, `a number of at least ${least}`, (value) =>
      typeof value === "number" && Number.isFinite(value) && value >= least ? value : undefined,
    );
  }
  strings(...names: string[]): readonly string[] | undefined {
    return this.#take(names, "a list of texts", (value) =>
      Array.isArray(value) && value.every((item): item is string => typeof item === "string")
        ? value
        : undefined,
    );
  }
  /** A word that `parse` knows. */
  word<T>(
    parse: (word: string) => T | undefined,
    known: readonly string[],
    ...names: string[]
  ): T | undefined {
    return this.#take(names, `one of ${known.join(", ")}`, (value) =>
      typeof value === "string" ? parse(value) : undefined,
    );
  }
  /** The same, but a word that `parse` does not know counts as `strict`. Undefined where nothing is written. */
  strictWord<T>(
    parse: (word: string) => T | undefined,
    known: readonly string[],
    strict: T,
    ...names: string[]
  ): T | undefined {
    const read = (value: unknown): T | undefined => (typeof value === "string" ? parse(value) : undefined);
    return this.#strict(names, `one of ${known.join(", ")}`, read, strict);
  }
  /** A map to texts. Numbers and booleans become text, with a note; what else is no text is left out. */
  texts(...names: string[]): Readonly<Record<string, string>> | undefined {
    return this.#map(names, "text", (key, item, name) => {
      if (typeof item === "string") return item;
      if (typeof item !== "number" && typeof item !== "boolean") return undefined;
      // The value may be a secret.
      this.report([name, key], `is a ${typeof item}, read as text`, "put it in quotes", "info");
      return String(item);
    });
  }
  /** A map to switches; what is none counts as `strict`, with a diagnostic. */
  booleans(strict: boolean, ...names: string[]): Readonly<Record<string, boolean>> | undefined {
    return this.#map(names, "true or false", (key, item, name) => {
      const on = switchOf(item);
      if (on === undefined)
        this.report([name, key], `must be true or false; it counts as ${strict}`, "write true or false");
      return on ?? strict;
    });
  }
  #map<T>(
    names: string[],
    kind: string,
    read: (key: string, item: unknown, name: string) => T | undefined,
  ): Readonly<Record<string, T>> | undefined {
    const found = this.find(...names);
    if (!found || found.value === undefined) return undefined;
    if (!isObject(found.value)) {
      this.report([found.key], `is no map of names to ${kind}`, `write { "name": … }`);
      return undefined;
    }
    const entries: [string, T][] = [];
    for (const [key, item] of Object.entries(found.value)) {
      const value = read(key, item, found.key);
      if (value === undefined) this.report([found.key, key], `must be ${kind}`, `write ${kind}`);
      else entries.push([key, value]);
    }
    return Object.fromEntries(entries);
  }
  #strict<T>(
    names: string[],
    kind: string,
    read: (value: unknown) => T | undefined,
    strict: T,
  ): T | undefined {
    const found = this.find(...names);
    if (!found || found.value === undefined) return undefined;
    const value = read(found.value);
    if (value !== undefined) return value;
    this.report([found.key], `must be ${kind}; until then it counts as ${String(strict)}`, `write ${kind}`);
    return strict;
  }
  #take<T>(names: string[], kind: string, read: (value: unknown) => T | undefined): T | undefined {
    const found = this.find(...names);
    if (!found || found.value === undefined || found.value === null) return undefined;
    const value = read(found.value);
    if (value === undefined) this.report([found.key], `must be ${kind}`, `write ${kind}`);
    return value;
  }
}
