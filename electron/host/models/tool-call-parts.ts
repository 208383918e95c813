import { isObject } from "../../../shared/json.ts";

/** One call as a model wrote it. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  /** JSON, or what the model wrote in its place. */
  readonly arguments: string;
}
interface OpenCall {
  index: number | undefined;
  id: string;
  name: string;
  text: string;
}
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const named = (value: unknown): string => textOf(value).trim();

/**
 * Puts the calls of one answer together from their pieces (`choices[].delta.tool_calls`). Most servers number them by
 * `index` and send id and name once. Forgiven: no index (Google), the same index for several calls, id and name with
 * every piece, a name that comes after its arguments, no id.
 */
export class ToolCallParts {
  readonly #calls: OpenCall[] = [];
  readonly #ofIndex = new Map<number, OpenCall[]>();

  add(piece: unknown): void {
    if (!isObject(piece)) return;
    const wrote = isObject(piece["function"]) ? piece["function"] : {};
    const index = typeof piece["index"] === "number" ? piece["index"] : undefined;
    const id = named(piece["id"]);
    const name = named(wrote["name"]);
    const text = textOf(wrote["arguments"]);
    const call = this.#find(index, id, name, text) ?? this.#open(index);
    call.id ||= id;
    call.name ||= name;
    call.text += text;
  }
  /** Those that have a name, in the order of their numbers, else of their coming. A missing id is empty. */
  calls(): WrittenCall[] {
    const sorted = this.#calls.every(({ index }) => index !== undefined)
      ? [...this.#calls].sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
      : this.#calls;
    return sorted
      .filter(({ name }) => name !== "")
      .map(({ id, name, text }) => ({ id, name, arguments: text }));
  }

  /** The call that a piece goes on with; undefined where it begins one. */
  #find(index: number | undefined, id: string, name: string, text: string): OpenCall | undefined {
    const known = index === undefined ? this.#calls : (this.#ofIndex.get(index) ?? []);
    const last = known.at(-1);
    if (last === undefined) return undefined;
    if (id === "" && name === "") return last;
    const same = id === "" ? last : known.findLast((call) => call.id === id || call.id === "");
    if (same === undefined) return undefined;
    // The same name once more, with whole arguments before it, is the next call of a server that gives no ids or numbers.
    const isNext =
      name !== "" && same.name !== "" && (same.name !== name || (startsValue(text) && isWhole(same.text)));
    return isNext || (id === "" && index === undefined && name !== "" && same.name !== "") ? undefined : same;
  }
  #open(index: number | undefined): OpenCall {
    const call: OpenCall = { index, id: "", name: "", text: "" };
    this.#calls.push(call);
    if (index !== undefined) this.#ofIndex.set(index, [...(this.#ofIndex.get(index) ?? []), call]);
    return call;
  }
}

const startsValue = (text: string): boolean => /^\s*[{[]/.test(text);
function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not yet.
    return false;
  }
}
