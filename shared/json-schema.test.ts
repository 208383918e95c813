import { describe, expect, it } from "vitest";
import { validateSchema } from "./json-schema.ts";

const said = (schema: unknown, value: unknown, options?: { foreign?: boolean }): string[] | string => {
  const verdict = validateSchema(schema, value, options);
  if (verdict.ok === true) return "ok";
  if (verdict.ok === "skipped") return `skipped: ${verdict.reason}`;
  return verdict.problems.map(({ property, message }) => `${property}: ${message}`);
};
const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };
const whenAThenB: object = JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}');
const one = (schema: object): object => ({ type: "object", properties: { a: schema } });

describe("problems in plain words", () => {
  it.each<[string, object, unknown, string[]]>([
    ["missing", { type: "object", required: ["path"] }, {}, ["path: is required"]],
    ["missing below", one({ required: ["b"] }), { a: {} }, ["a.b: is required"]],
    ["unknown", { properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, ["b: is not known"]],
    ["unevaluated", { properties: { a: {} }, unevaluatedProperties: false }, { b: 2 }, ["b: is not known"]],
    ["type", one({ type: "integer" }), { a: "x" }, ["a: must be a whole number, not text"]],
    ["types", one({ type: ["string", "null"] }), { a: 3 }, ["a: must be text or null, not a number"]],
    [
      "list item",
      one({ type: "array", items: { type: "number" } }),
      { a: [1, true] },
      ["a[1]: must be a number, not true or false"],
    ],
    ["enum", one({ enum: ["a,b", 2] }), { a: "c" }, ['a: must be one of "a,b", 2']],
    ["const", one({ const: "x" }), { a: "y" }, ['a: must be "x"']],
    ["minimum", one({ minimum: -1.5 }), { a: -2 }, ["a: must be at least -1.5"]],
    ["maximum", one({ maximum: 10 }), { a: 11 }, ["a: must be at most 10"]],
    ["exclusive", one({ exclusiveMinimum: 0 }), { a: 0 }, ["a: must be more than 0"]],
    ["multiple", one({ multipleOf: 5 }), { a: 7 }, ["a: must be a multiple of 5"]],
    ["length", one({ minLength: 3 }), { a: "é" }, ["a: must have at least 3 characters"]],
    ["items", one({ maxItems: 1 }), { a: [1, 2] }, ["a: must have at most 1 items"]],
    ["unique", one({ uniqueItems: true }), { a: [1, 1] }, ["a: must not have the same item twice"]],
    ["pattern", one({ pattern: "^x" }), { a: "y" }, ["a: does not match the pattern that its schema gives"]],
    ["format", one({ format: "email" }), { a: "y" }, ["a: must be a valid email"]],
    ["contains", one({ contains: { const: 1 } }), { a: [2, 3] }, ["a: lacks an item that it must have"]],
    ["dependent", { dependentRequired: { a: ["b"] } }, { a: 1 }, ["b: is required where a is given"]],
    [
      "odd names",
      { properties: { "a/b~%c": { type: "string" } } },
      { "a/b~%c": 1 },
      ["a/b~%c: must be text, not a number"],
    ],
    ["whole", { type: "object" }, [], [": must be an object, not a list"]],
    ["reference", { $ref: "#/$defs/x", $defs: { x: { required: ["q"] } } }, {}, ["q: is required"]],
    ["condition", whenAThenB, { a: 1 }, ["b: is required"]],
  ])("%s", (_name, schema, value, expected) => {
    expect(said(schema, value)).toEqual(expected);
  });
  it("names every property that is wrong, each once", () => {
    const schema = {
      required: ["c"],
      properties: { a: { type: "string", minLength: 2 }, b: { minimum: 1 } },
    };
    expect(said(schema, { a: 1, b: 0 })).toEqual([
      "c: is required",
      "a: must be text, not a number",
      "b: must be at least 1",
    ]);
  });
});

describe("choices", () => {
  const optional = one({ anyOf: [{ type: "string" }, { type: "null" }] });
  it("joins plain types", () =>
    expect(said(optional, { a: 3 })).toEqual(["a: must be text or null, not a number"]));
  it("takes either", () => expect(said(optional, { a: null })).toBe("ok"));
  const tagged = {
    oneOf: [
      { properties: { kind: { const: "a" }, x: { type: "string" } }, required: ["kind"] },
      { properties: { kind: { const: "b" } }, required: ["kind"] },
    ],
  };
  it("speaks of the form that was meant", () =>
    expect(said(tagged, { kind: "a", x: 1 })).toEqual(["x: must be text, not a number"]));
  it("says that none fits", () =>
    expect(said(tagged, { kind: "c" })).toEqual([": fits none of its 2 forms"]));
  it("says that more than one fits", () =>
    expect(said({ oneOf: [{}, {}] }, 1)).toEqual([": fits more than one of its forms"]));
  it("goes on with what stands behind the choice", () => {
    const schema = { anyOf: [{ required: ["a"] }, { required: ["b"] }], additionalProperties: false };
    expect(said(schema, { z: 1 })).toEqual([": fits none of its 2 forms", "z: is not known"]);
  });
});

describe("dialects", () => {
  it("draft-07: items as a list, definitions, dependencies", () => {
    const schema = {
      ...draft7,
      definitions: { n: { type: "number" } },
      items: [{ $ref: "#/definitions/n" }],
    };
    expect(said(schema, ["x"])).toEqual(["[0]: must be a number, not text"]);
    expect(said({ ...draft7, dependencies: { a: ["b"] } }, { a: 1 })).toEqual([
      "b: is required where a is given",
    ]);
  });
  it("draft-07 ignores what stands beside a reference, 2020-12 does not", () => {
    const schema = { $ref: "#/$defs/any", $defs: { any: true }, required: ["a"] };
    expect(said({ ...draft7, ...schema }, {})).toBe("ok");
    expect(said(schema, {})).toEqual(["a: is required"]);
  });
  it("2020-12: prefixItems", () =>
    expect(said({ prefixItems: [{ type: "number" }] }, ["x"])).toEqual(["[0]: must be a number, not text"]));
});

describe("limits", () => {
  const nest = (levels: number): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < levels; i += 1) value = { a: value };
    return value;
  };
  it("skips a schema that is too deep, too large or broken, with the reason", () => {
    expect(said(nest(65), {})).toMatch(/^skipped: the schema is deeper than 64 levels/);
    expect(said({ description: "x".repeat(256 * 1024) }, {})).toMatch(
      /^skipped: the schema is larger than 256 KB/,
    );
    expect(said({ $ref: "#/$defs/gone" }, {})).toMatch(/^skipped: Unresolved/);
    expect(said("text", {})).toBe("skipped: the schema is no object");
  });
  it("refuses a value that would exhaust the stack or that no pointer can name, instead of skipping", () => {
    const recursive = { properties: { a: { $ref: "#" } } };
    expect(said(recursive, nest(20_000))).toEqual([": is nested deeper than 256 levels"]);
    expect(said({ additionalProperties: { type: "string" } }, { "\ud800": 1 })).toEqual([
      ": holds a name that is no valid text",
    ]);
    expect(said({ properties: { a: {} } }, { a: undefined })).toEqual([
      ": holds something that JSON does not know",
    ]);
  });
  it("takes a frozen schema and leaves it as it was", () => {
    const schema = Object.freeze({
      type: "object",
      properties: Object.freeze({ a: Object.freeze({ type: "string" }) }),
    });
    expect(said(schema, { a: 1 })).toEqual(["a: must be text, not a number"]);
    expect(Object.getOwnPropertyNames(schema)).toEqual(["type", "properties"]);
  });
  it("is not led astray by names that objects inherit", () => {
    const schema = { properties: { a: {} }, additionalProperties: false, required: ["toString"] };
    expect(said(schema, JSON.parse('{"__proto__": 1}'))).toEqual([
      "toString: is required",
      "__proto__: is not known",
    ]);
  });
});
