import { isObject, type JsonObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema.ts";
import { isInOrder } from "../../shared/skill-arguments.ts";
import { parseArguments } from "../../shared/skill-arguments-text.ts";

/** What was typed behind a skill's name, as its form opens with it: nothing that was typed is lost. */
export interface TypedForForm {
  /** Only what was typed, no default. What is no value of its argument stands as it was written. */
  readonly values: JsonObject;
  readonly text: string;
  /** Arguments that were given no value of theirs, with what was written. */
  readonly wrong: readonly { readonly name: string; readonly written: string }[];
  /** Why the line could not be read as arguments: then all of it is `text`. Sentences of the reader. */
  readonly unread: readonly string[];
}

/** The schema with each property as `made` of it, none required. */
const relaxed = (schema: JsonSchema, made: (property: JsonObject) => JsonObject): JsonSchema => {
  const { properties } = schema;
  return {
    "x-in-order": isInOrder(schema),
    type: "object",
    properties: Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [
        name,
        made(isObject(property) ? property : {}),
      ]),
    ),
    required: [],
  };
};
const withoutDefault = ({ default: _fallback, ...property }: JsonObject): JsonObject => property;

/** @param schema null: the skill takes no arguments, all of it is text */
export function typedForForm(schema: JsonSchema | null, rest: string): TypedForForm {
  const none = { values: {}, text: rest, wrong: [], unread: [] };
  if (schema === null) return none;
  const written = parseArguments(
    relaxed(schema, () => ({ type: "string" })),
    rest,
  );
  if (written.problems.length > 0) return { ...none, unread: written.problems };
  const read = parseArguments(relaxed(schema, withoutDefault), rest);
  return {
    values: { ...written.values, ...read.values },
    text: written.text,
    wrong: Object.entries(written.values)
      .filter(([name]) => !Object.hasOwn(read.values, name))
      .map(([name, value]) => ({ name, written: String(value) })),
    unread: [],
  };
}
