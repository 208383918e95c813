import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateSchema } from "../../../shared/json-schema.ts";
import { coerce } from "./coerce.ts";

const a = (schema: unknown): object => ({ type: "object", properties: { a: schema } });

describe("coerce", () => {
  it.each<[string, unknown, unknown, unknown]>([
    ["text to whole number", { type: "integer" }, "3", 3],
    ["text to number", { type: "number" }, " -2.5e3 ", -2500],
    ["3.0 is whole", { type: "integer" }, "3.0", 3],
    ["text to boolean", { type: "boolean" }, "true", true],
    ["number to text", { type: "string" }, 3, "3"],
    ["boolean to text", { type: "string" }, false, "false"],
    ["lone value to list", { type: "array", items: { type: "string" } }, "x", ["x"]],
    ["lone value to list, its item coerced", { type: "array", items: { type: "integer" } }, "3", [3]],
    ["lone object to list", { type: "array" }, { b: 1 }, [{ b: 1 }]],
    ["items", { type: "array", items: { type: "integer" } }, ["1", 2], [1, 2]],
    ["prefix items", { prefixItems: [{ type: "integer" }], items: { type: "string" } }, ["1", 2], [1, "2"]],
    ["draft-07 item list", { type: "array", items: [{ type: "integer" }] }, ["1", 2], [1, 2]],
    ["enum of numbers", { enum: [1, 2] }, "1", 1],
    ["const of text", { const: "1" }, 1, "1"],
    ["union", { anyOf: [{ type: "integer" }, { type: "null" }] }, "3", 3],
    ["type list", { type: ["null", "boolean"] }, "false", false],
    [
      "additional properties",
      { type: "object", additionalProperties: { type: "integer" } },
      { x: "1" },
      { x: 1 },
    ],
    ["an object within", { type: "object", properties: { n: { type: "number" } } }, { n: "1" }, { n: 1 }],
  ])("%s", (_name, schema, value, expected) => {
    expect(coerce(a(schema), { a: value })).toEqual({ a: expected });
  });
  it.each<[string, unknown, unknown]>([
    ["fits already", { type: ["string", "number"] }, "3"],
    ["no number", { type: "number" }, "3 apples"],
    ["empty is no number", { type: "number" }, ""],
    ["hexadecimal", { type: "number" }, "0x10"],
    ["infinite", { type: "number" }, "1e999"],
    ["no whole number", { type: "integer" }, "2.5"],
    ["digits would be lost", { type: "integer" }, "9007199254740993"],
    ["yes is no boolean", { type: "boolean" }, "yes"],
    ["1 is no boolean", { type: "boolean" }, 1],
    ["null is no text", { type: "string" }, null],
    ["null is no list", { type: "array" }, null],
    ["an object is no text", { type: "string" }, { b: 1 }],
    ["no schema", true, "3"],
  ])("leaves alone: %s", (_name, schema, value) => {
    expect(coerce(a(schema), { a: value })).toEqual({ a: value });
  });
  it("follows references, also one that leads to itself", () => {
    const schema = {
      type: "object",
      properties: { n: { $ref: "#/$defs/n~1m" }, self: { $ref: "#/properties/self" }, next: { $ref: "#" } },
      $defs: { "n/m": { type: "integer" } },
    };
    expect(coerce(schema, { n: "1", self: "1", next: { n: "2" } })).toEqual({
      n: 1,
      self: "1",
      next: { n: 2 },
    });
  });
  it("keeps odd names as members and changes nothing that it was handed", () => {
    const input: unknown = JSON.parse('{"__proto__": {"a": "1"}, "a": ["1"]}');
    const before = JSON.stringify(input);
    const made = coerce(a({ type: "array", items: { type: "integer" } }), input);
    expect(JSON.stringify(made)).toBe('{"__proto__":{"a":"1"},"a":[1]}');
    expect(JSON.stringify(input)).toBe(before);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  });
  it("never breaks what is valid", () => {
    const type = fc.constantFrom("string", "number", "integer", "boolean", "null");
    const schema = fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })) });
    fc.assert(
      fc.property(schema, fc.jsonValue(), (s, value) => {
        const whole = { anyOf: [s, { type: "array", items: s }] };
        if (validateSchema(whole, value).ok === true) expect(coerce(whole, value)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });
});
