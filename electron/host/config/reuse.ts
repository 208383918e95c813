import { isObject } from "../../../shared/json.ts";

/**
 * `after`, with every part that says the same as in `before` taken from there: what did not change is the same object,
 * so that who compares by identity sees what did. Entries of lists are compared by place. JSON values alone; neither
 * argument is changed.
 */
export function reuse<T>(before: T, after: T): T;
export function reuse(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    const list = after.map((value: unknown, index) => reuse<unknown>(before[index], value));
    const same = before.length === list.length && list.every((value, index) => value === before[index]);
    return same ? before : list;
  }
  if (!isObject(before) || !isObject(after)) return after;
  const entries = Object.entries(after).map(([key, value]): [string, unknown] => [
    key,
    Object.hasOwn(before, key) ? reuse<unknown>(before[key], value) : value,
  ]);
  const same =
    Object.keys(before).length === entries.length &&
    entries.every(([key, value]) => Object.hasOwn(before, key) && before[key] === value);
  return same ? before : Object.fromEntries(entries);
}
