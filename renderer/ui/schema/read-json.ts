/** Both count from 1. */
export interface JsonPlace {
  readonly line: number;
  readonly column: number;
}
type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly place: JsonPlace };

/** A text as JSON; blanks alone are no value. Where it is none: the place up to which it was. */
export function readJson(text: string): Read {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (error) {
    const told = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    const lines = text.slice(0, told === undefined ? text.length : Number(told)).split("\n");
    return { ok: false, place: { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 } };
  }
}
