import type { JsonSchema } from "../../../shared/json-schema.ts";
import { isObject } from "../../../shared/json.ts";
import { visibleName } from "../../../shared/visible-text.ts";
import { choiceOptions, mostOptions, type Option } from "./options.ts";
import { plainSchema, typeOf } from "./plain-schema.ts";

interface Common {
  /** Of its place in the form, safe for ids: `3`, `3-1`. */
  readonly id: string;
  /** The property's name; of a field in a group the group's before it. */
  readonly path: readonly string[];
  /** Its title, else its name. */
  readonly label: string;
  /** The label is the name of the property: it shows as what a machine reads. */
  readonly isName: boolean;
  /** As written, however long. */
  readonly description: string;
  readonly required: boolean;
  /** One that may stand in the empty field. */
  readonly example: string;
  /** What it holds at first; undefined where the schema says nothing. */
  readonly fallback: unknown;
  /** What its value is checked by. */
  readonly schema: JsonSchema;
}
type TextLook = "line" | "lines" | "secret" | "file" | "directory" | "email" | "uri" | "date" | "date-time";
export interface TextField extends Common {
  readonly kind: "text";
  readonly look: TextLook;
  /** Of a choice of too many to show them all: the first of them. */
  readonly hints: readonly string[];
}
export interface NumberField extends Common {
  readonly kind: "number";
  readonly whole: boolean;
}
export interface ChoiceField extends Common {
  readonly kind: "choice" | "choices";
  readonly options: readonly Option[];
}
export interface ListField extends Common {
  readonly kind: "list";
  readonly item: TextField | NumberField;
}
interface GroupField extends Common {
  readonly kind: "group";
  readonly fields: readonly Field[];
}
interface PlainField extends Common {
  readonly kind: "switch" | "json";
}
/** One field of a form, as it is drawn. */
export type Field = TextField | NumberField | ChoiceField | ListField | GroupField | PlainField;

/** What it holds is hidden while it is typed. */
export const isSecret = (field: Field): boolean =>
  field.kind === "list" ? isSecret(field.item) : field.kind === "text" && field.look === "secret";

const secrets = ["x-secret", "writeOnly", "sensitive"] as const;
const looks: Readonly<Record<string, TextLook>> = {
  password: "secret",
  secret: "secret",
  path: "file",
  file: "file",
  "file-path": "file",
  directory: "directory",
  "directory-path": "directory",
  email: "email",
  uri: "uri",
  url: "uri",
  date: "date",
  "date-time": "date-time",
  textarea: "lines",
  multiline: "lines",
  markdown: "lines",
};
/** A text that may be this long is written over several lines. */
const longText = 500;
/** More rows than this are edited as JSON. */
const mostRows = 100;

function textLook(schema: JsonSchema): TextLook {
  if (secrets.some((key) => schema[key] === true)) return "secret";
  const look = typeof schema["format"] === "string" ? looks[schema["format"]] : undefined;
  if (look !== undefined) return look;
  const { maxLength, default: fallback, contentMediaType } = schema;
  const long = typeof maxLength === "number" && maxLength >= longText;
  const lines = typeof fallback === "string" && fallback.includes("\n");
  const written = typeof contentMediaType === "string" && contentMediaType.startsWith("text/");
  return long || lines || written || schema["x-multiline"] === true ? "lines" : "line";
}

const exampleOf = ({ examples }: JsonSchema): string => {
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === "string" || typeof first === "number" ? visibleName(String(first)) : "";
};
/** A title that says nothing gives way to the property's name, an empty name to `""`. */
function labelOf(title: unknown, name: string): { readonly label: string; readonly isName: boolean } {
  if (typeof title === "string" && title.trim() !== "") return { label: visibleName(title), isName: false };
  return { label: name.trim() === "" ? JSON.stringify(name) : visibleName(name), isName: true };
}

/** A part that refers to definitions of the whole takes them along, as it is checked by itself. */
function withDefinitions(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $defs, definitions } = root;
  if ($defs === undefined && definitions === undefined) return schema;
  if (!JSON.stringify(schema).includes('"$ref"')) return schema;
  return {
    ...schema,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

interface Place {
  readonly id: string;
  readonly path: readonly string[];
  readonly required: boolean;
  readonly root: JsonSchema;
}
function fieldOf(written: unknown, place: Place): Field {
  const schema = plainSchema(written, place.root);
  const shown = schema ?? (isObject(written) ? written : {});
  const common: Common = {
    id: place.id,
    path: place.path,
    ...labelOf(shown["title"], place.path.at(-1) ?? ""),
    description: typeof shown["description"] === "string" ? shown["description"] : "",
    required: place.required,
    example: exampleOf(shown),
    fallback: shown["default"] ?? shown["const"],
    schema: withDefinitions(shown, place.root),
  };
  const json: PlainField = { ...common, kind: "json" };
  if (schema === null) return json;
  const options = choiceOptions(schema);
  if (options !== null) {
    if (options.length <= mostOptions) return { ...common, kind: "choice", options };
    if (!options.every(({ value }) => typeof value === "string")) return json;
    const hints = options.slice(0, mostOptions).map(({ value }) => String(value));
    return { ...common, kind: "text", look: "line", hints };
  }
  switch (typeOf(schema)) {
    case "string":
      return { ...common, kind: "text", look: textLook(schema), hints: [] };
    case "number":
      return { ...common, kind: "number", whole: false };
    case "integer":
      return { ...common, kind: "number", whole: true };
    case "boolean":
      return { ...common, kind: "switch" };
    case "array":
      return arrayField(schema, common, place) ?? json;
    case "object":
      return groupField(schema, common, place) ?? json;
    default:
      return json;
  }
}
function arrayField(schema: JsonSchema, common: Common, place: Place): Field | null {
  const items = plainSchema(schema["items"], place.root);
  if (items === null || Array.isArray(schema["prefixItems"])) return null;
  if (Array.isArray(common.fallback) && common.fallback.length > mostRows) return null;
  const options = choiceOptions(items);
  if (options !== null) return options.length <= mostOptions ? { ...common, kind: "choices", options } : null;
  const item = fieldOf(items, { ...place, id: `${place.id}-row`, required: false });
  return item.kind === "text" || item.kind === "number" ? { ...common, kind: "list", item } : null;
}
/** One level: what is nested deeper is edited as JSON. */
function groupField(schema: JsonSchema, common: Common, place: Place): Field | null {
  if (place.path.length !== 1) return null;
  const fields = propertyFields(schema, place);
  return fields.length > 0 && fields.length <= mostRows ? { ...common, kind: "group", fields } : null;
}
function propertyFields(schema: JsonSchema, { id, path, root }: Omit<Place, "required">): Field[] {
  const { properties, required } = schema;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, written], index) =>
    fieldOf(written, {
      id: id === "" ? `${index}` : `${id}-${index}`,
      path: [...path, name],
      required: needed.has(name),
      root,
    }),
  );
}

/** The fields of an object schema, in its order; none where it is no object or names no property. */
export function schemaFields(schema: JsonSchema): readonly Field[] {
  const plain = plainSchema(schema, schema);
  return plain === null ? [] : propertyFields(plain, { id: "", path: [], root: schema });
}
