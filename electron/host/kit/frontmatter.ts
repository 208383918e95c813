import type { JsonObject } from "../../../shared/json.ts";
import type { ReadFrontmatter } from "./frontmatter-read.ts";

export type { Frontmatter, ReadFrontmatter } from "./frontmatter-read.ts";

/** The reader; all of it is loaded with the first call, so that a start that parses nothing never pays for it. */
export async function loadFrontmatter(): Promise<ReadFrontmatter> {
  const { createReader } = await import("./frontmatter-read.ts");
  return createReader();
}

/** A value meant as text: `coerced` where some YAML reads something else, then as it is written. Undefined for no text. */
export function textOf(
  front: { readonly data: JsonObject; readonly written: Readonly<Record<string, string>> },
  key: string,
): { readonly text: string; readonly coerced: boolean } | undefined {
  const written = front.written[key];
  if (written !== undefined) return { text: written, coerced: true };
  const value = front.data[key];
  return typeof value === "string" ? { text: value, coerced: false } : undefined;
}

/**
 * Names in a list or in text with commas or blanks between them; undefined for anything else.
 * @param written Of the list's entries, which are no text otherwise: `Frontmatter.written` from its place on.
 */
export function namesOf(
  value: unknown,
  written: (index: number) => string | undefined = () => undefined,
): readonly string[] | undefined {
  const parts = typeof value === "string" ? splitNames(value) : value;
  if (!Array.isArray(parts)) return undefined;
  return parts.flatMap((part, index) => {
    const text: unknown = written(index) ?? part;
    return typeof text === "string" && text.trim() !== "" ? [text.trim()] : [];
  });
}
/** `Read, Bash(git diff:*)`: what stands in brackets stays whole. */
function splitNames(text: string): readonly string[] {
  // Brackets that nothing closes part names as a blank does; the end of each is not looked for in vain.
  const closed = text.lastIndexOf(")") + 1;
  const plain = text.slice(0, closed) + text.slice(closed).replaceAll("(", " ");
  return plain.match(/(?:\([^)]*\)|[^\s,(])+/g) ?? [];
}
