import { isObject, type JsonObject } from "../../shared/json.ts";

/** Arguments that a tool's schema takes: each required property by its type. `schema` serves the property `schema`. */
export function sampleInput(inputSchema: JsonObject, schema: JsonObject): JsonObject {
  const { properties, required } = inputSchema;
  if (!isObject(properties) || !Array.isArray(required)) return {};
  return Object.fromEntries(
    required.map((key: unknown) => {
      const property = properties[String(key)];
      const type = isObject(property) ? property["type"] : undefined;
      return [String(key), key === "schema" ? schema : sample(type)];
    }),
  );
}
function sample(type: unknown): unknown {
  switch (type) {
    case "number":
    case "integer":
      return 5;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "sample";
  }
}
