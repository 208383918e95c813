import { isObject } from "../../../shared/json.ts";

/** The members of an object in the order of the text, a key that stands twice among them. */
export class Members {
  readonly list: readonly (readonly [string, unknown])[];
  #byName: Map<string, unknown[]> | undefined;
  constructor(list: readonly (readonly [string, unknown])[]) {
    this.list = list;
  }
  /** What stands under a name: more than one value where it stands twice. */
  named(name: string): readonly unknown[] {
    if (!this.#byName) {
      this.#byName = new Map();
      for (const [key, value] of this.list) {
        const known = this.#byName.get(key);
        if (known) known.push(value);
        else this.#byName.set(key, [value]);
      }
    }
    return this.#byName.get(name) ?? [];
  }
}

/** An object's members in order; undefined for what is no object. */
export const membersOf = (value: unknown): readonly (readonly [string, unknown])[] | undefined =>
  value instanceof Members ? value.list : isObject(value) ? Object.entries(value) : undefined;

/** What stands at a path of a plain value or of one with `Members`. */
export const valuesAt = (root: unknown, path: readonly string[]): readonly unknown[] =>
  path.reduce<readonly unknown[]>(
    (values, name) =>
      values.flatMap((value) =>
        value instanceof Members
          ? value.named(name)
          : isObject(value) && Object.hasOwn(value, name)
            ? [value[name]]
            : [],
      ),
    [root],
  );
