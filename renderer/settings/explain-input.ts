import { isObject, type JsonObject } from "../../shared/json.ts";

/** The one argument that a person would type for a call, in the order in which a tool's are looked through. */
const plainArguments = ["command", "path", "url"] as const;
type PlainArgument = (typeof plainArguments)[number];
/** A tool whose calls can be told by one argument. */
export interface PlainForm {
  readonly argument: PlainArgument;
  /** Other texts that the tool insists on, left empty: they decide nothing. */
  readonly rest: JsonObject;
}

const propertiesOf = (schema: unknown): JsonObject =>
  isObject(schema) && isObject(schema["properties"]) ? schema["properties"] : {};
const isText = (property: unknown): boolean => isObject(property) && property["type"] === "string";

/** How a tool of this input schema is asked about by one argument; null where that cannot be, or the tool is unknown. */
export function plainForm(schema: unknown): PlainForm | null {
  const properties = propertiesOf(schema);
  const argument = plainArguments.find((name) => isText(properties[name]));
  const required = isObject(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  const others = required.map(String).filter((name) => name !== argument);
  if (argument === undefined || others.some((name) => !isText(properties[name]))) return null;
  return { argument, rest: Object.fromEntries(others.map((name) => [name, ""])) };
}

/** The arguments that stand in a text. An empty text is none. @throws SyntaxError with the parser's reason */
export function parseArguments(text: string): JsonObject {
  const value: unknown = text.trim() === "" ? {} : JSON.parse(text);
  if (!isObject(value)) throw new SyntaxError("{}");
  return value;
}
