import type { JsonSchema } from "../../../shared/json-schema.ts";
import { isObject } from "../../../shared/json.ts";
import { visibleName } from "../../../shared/visible-text.ts";

/** One of the values that a choice allows. */
export interface Option {
  readonly value: string | number | boolean | null;
  readonly label: string;
}
/** More of them are no list that anybody reads. */
export const mostOptions = 200;

const isScalar = (value: unknown): value is Option["value"] =>
  value === null || ["string", "number", "boolean"].includes(typeof value);
const option = (value: unknown, title: unknown): Option | null => {
  if (!isScalar(value)) return null;
  const name = typeof title === "string" && title.trim() !== "" ? title : String(value);
  return { value, label: name.trim() === "" ? JSON.stringify(name) : visibleName(name) };
};

/**
 * The values that a schema lists: `enum` (with the older `enumNames`), `const`, or `oneOf`/`anyOf` of titled `const`
 * (MCP elicitation, SEP-1330). Null where it lists none, or one that is no single value.
 */
export function choiceOptions(schema: JsonSchema): readonly Option[] | null {
  const { enum: listed, enumNames, const: only } = schema;
  const forms = schema["oneOf"] ?? schema["anyOf"];
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  const options = Array.isArray(listed)
    ? listed.map((value, index) => option(value, names[index]))
    : only !== undefined
      ? [option(only, undefined)]
      : Array.isArray(forms)
        ? forms.map((form) =>
            isObject(form) && form["const"] !== undefined ? option(form["const"], form["title"]) : null,
          )
        : [];
  const known = options.filter((one) => one !== null);
  return options.length > 0 && known.length === options.length ? known : null;
}
