import { isObject, type JsonObject } from "../../../shared/json.ts";

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

/** `startup_timeout_sec` → `startupTimeoutSec` */
const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Reads single keys of one object of a file. A key of the wrong kind is reported and counts as absent, so that the
 * other keys are never lost with it. Names may be given in snake case; their camel case is read too.
 */
export class Fields {
  readonly raw: JsonObject;
  readonly #pointer: Pointer;
  readonly #code: string;
  readonly #report: Report;
  constructor(raw: unknown, pointer: Pointer, code: string, report: Report) {
    this.#pointer = pointer;
    this.#code = code;
    this.#report = report;
    this.raw = isObject(raw) ? raw : {};
    if (raw !== undefined && !isObject(raw)) this.report([], `is no object`, "write { … }");
  }
  /** The first of the names that is written, with its spelling. */
  find(...names: string[]): { key: string; value: unknown } | undefined {
    for (const name of names)
      for (const key of [name, camel(name)])
        if (Object.hasOwn(this.raw, key)) return { key, value: this.raw[key] };
    return undefined;
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
    return new Fields(found?.value, [...this.#pointer, found?.key ?? name], this.#code, this.#report);
  }
  string(...names: string[]): string | undefined {
    return this.#take(names, "text", (value) => (typeof value === "string" ? value : undefined));
  }
  boolean(...names: string[]): boolean | undefined {
    return this.#take(names, "true or false", (value) => (typeof value === "boolean" ? value : undefined));
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
  /** A map to texts. Numbers and booleans become text, with a note; what else is no text is left out. */
  texts(...names: string[]): Readonly<Record<string, string>> | undefined {
    return this.#map(names, "text", (key, item, name) => {
      if (typeof item === "string") return item;
      if (typeof item !== "number" && typeof item !== "boolean") return undefined;
      this.report([name, key], `is ${typeof item}, read as "${item}"`, `write "${item}"`, "info");
      return String(item);
    });
  }
  /** A map to true or false; what is neither is left out, with a diagnostic. */
  booleans(...names: string[]): Readonly<Record<string, boolean>> | undefined {
    return this.#map(names, "true or false", (_key, item) => (typeof item === "boolean" ? item : undefined));
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
      if (value === undefined) this.report([found.key, key], `must be ${kind}`);
      else entries.push([key, value]);
    }
    return Object.fromEntries(entries);
  }
  #take<T>(names: string[], kind: string, read: (value: unknown) => T | undefined): T | undefined {
    const found = this.find(...names);
    if (!found || found.value === undefined || found.value === null) return undefined;
    const value = read(found.value);
    if (value === undefined) this.report([found.key], `must be ${kind}`, `write ${kind}`);
    return value;
  }
}
