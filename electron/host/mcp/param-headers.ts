import { isObject, type JsonObject } from "../../../shared/json.ts";

/** An argument that goes into a header too (MCP 2026-07-28, Streamable HTTP, `x-mcp-header`). */
export interface ParamHeader {
  /** Where it stands in the arguments. */
  readonly path: readonly string[];
  readonly header: string;
}
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const primitives = new Set<unknown>(["string", "integer", "boolean"]);
/** Deeper schemas are no tool's arguments; the limit keeps a hostile one from filling the stack. */
const maxDepth = 64;

/** The arguments of a tool that go into headers; a text says why its declarations make the tool unusable over HTTP. */
export function readParamHeaders(inputSchema: JsonObject): readonly ParamHeader[] | string {
  const found = new Map<string, ParamHeader>();
  let fault: string | undefined;
  /** `reachable`: led to by `properties` alone; a declaration anywhere else is a fault. */
  const visit = (node: unknown, path: readonly string[], reachable: boolean, depth: number): void => {
    if (fault !== undefined || typeof node !== "object" || node === null) return;
    if (depth > maxDepth) return void (fault = "its inputSchema is nested too deeply");
    if (Array.isArray(node)) return node.forEach((item) => visit(item, path, false, depth + 1));
    if (!isObject(node)) return;
    if (Object.hasOwn(node, "x-mcp-header")) {
      const header = node["x-mcp-header"];
      const where = path.join(".");
      if (!reachable || path.length === 0)
        fault = "x-mcp-header stands where no argument can be found by its name";
      else if (typeof header !== "string" || !token.test(header))
        fault = `the x-mcp-header of ${where} is no header name`;
      else if (!primitives.has(node["type"]))
        fault = `${where} has an x-mcp-header and is neither string, integer nor boolean`;
      else if (found.has(header.toLowerCase())) fault = `the x-mcp-header ${header} stands twice`;
      else found.set(header.toLowerCase(), { path, header });
    }
    for (const [key, child] of Object.entries(node)) {
      // What these hold are values, no schemas.
      if (key === "default" || key === "const" || key === "enum" || key === "examples") continue;
      if (key === "properties" && isObject(child))
        for (const [name, property] of Object.entries(child))
          visit(property, [...path, name], reachable, depth + 1);
      else if (mapsOfSchemas.has(key) && isObject(child))
        for (const schema of Object.values(child)) visit(schema, path, false, depth + 1);
      else visit(child, path, false, depth + 1);
    }
  };
  visit(inputSchema, [], true, 0);
  return fault ?? [...found.values()];
}
const mapsOfSchemas = new Set(["patternProperties", "dependentSchemas", "$defs", "definitions"]);

/** The headers of one call; arguments that are null, absent or no primitive have none. */
export function paramHeaders(params: readonly ParamHeader[], input: JsonObject): Record<string, string> {
  return Object.fromEntries(
    params.flatMap(({ path, header }) => {
      const value = path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), input);
      const text = primitiveText(value);
      return text === undefined ? [] : [[`Mcp-Param-${header}`, encodeHeader(text)]];
    }),
  );
}
function primitiveText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  // A number that JSON and the header could write in two ways is left out.
  return typeof value === "number" &&
    (Number.isSafeInteger(value) || value % 1 !== 0) &&
    Number.isFinite(value)
    ? String(value)
    : undefined;
}
/** As it is where a header can carry it unchanged, else its UTF-8 in base64 between `=?base64?` and `?=`. */
function encodeHeader(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
