import { isObject, type JsonObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema.ts";
import { parseArguments } from "../../shared/skill-arguments-text.ts";

/** One field of a server's form, as a terminal asks for it. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly required: boolean;
  /** Values to choose from, with the words that stand for them; empty: any. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** Several choices may be taken. */
  readonly isList: boolean;
  readonly fallback: unknown;
  readonly schema: JsonSchema;
}
/** The fields of a flat schema, in order (MCP 2025-11-25, Elicitation). */
export function formFields(schema: JsonObject): readonly FormField[] {
  const { properties, required } = schema;
  const must = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, raw]) => {
    const property = isObject(raw) ? raw : {};
    const items = isObject(property["items"]) ? property["items"] : undefined;
    const isList = property["type"] === "array";
    const choices = choicesOf(isList ? (items ?? {}) : property);
    return {
      name,
      label: typeof property["title"] === "string" ? property["title"] : name,
      description: typeof property["description"] === "string" ? property["description"] : "",
      required: must.has(name),
      choices,
      isList,
      fallback: property["default"],
      schema: plainSchema(property, isList, choices),
    };
  });
}
/** Choices with titles (`oneOf`, `anyOf`, `enumNames`) as the plain ones that are read. */
function plainSchema(property: JsonObject, isList: boolean, choices: FormField["choices"]): JsonSchema {
  if (choices.length === 0) return property;
  const { oneOf: _oneOf, enumNames: _enumNames, ...rest } = property;
  const values = choices.map(({ value }) => value);
  return isList ? { ...rest, items: { type: "string", enum: values } } : { ...rest, enum: values };
}
function choicesOf(schema: JsonObject): FormField["choices"] {
  const titled = [schema["oneOf"], schema["anyOf"]].find(Array.isArray);
  if (titled)
    return titled
      .filter(isObject)
      .flatMap(({ const: value, title }) =>
        typeof value === "string" ? [{ value, label: typeof title === "string" ? title : value }] : [],
      );
  const { enum: values, enumNames } = schema;
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  return (Array.isArray(values) ? values : []).flatMap((value: unknown, index) => {
    const name = names[index];
    return typeof value === "string" ? [{ value, label: typeof name === "string" ? name : value }] : [];
  });
}

/** What a typed line gives for a field: a value, undefined for none, or what is wrong with it. */
export function readField(
  field: FormField,
  line: string,
): { readonly value: unknown } | { readonly problem: string } {
  const { fallback, required, choices, isList } = field;
  if (line.trim() === "") {
    if (fallback !== undefined) return { value: fallback };
    return required ? { problem: "an answer is needed" } : { value: undefined };
  }
  const words = isList ? line.split(",").map((word) => word.trim()) : [line.trim()];
  const chosen = words.map(
    (word) => (/^\d+$/.test(word) ? choices[Number(word) - 1]?.value : undefined) ?? word,
  );
  const written = choices.length > 0 ? chosen.join(",") : line.trim();
  const quoted = written.replaceAll(/["\\]/g, "\\$&");
  const { values, problems } = parseArguments(
    { type: "object", properties: { value: field.schema }, required: ["value"] },
    `value="${quoted}"`,
  );
  const [problem] = problems;
  return problem === undefined ? { value: values["value"] } : { problem: problem.replace(/^value /, "it ") };
}
