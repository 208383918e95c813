import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutExpressions } from "./foreign-schema.ts";
import { validateSchema } from "./json-schema.ts";

const takes = (schema: unknown, value: unknown, foreign: boolean): boolean =>
  validateSchema(schema, value, { foreign }).ok === true;

/** Built from text: a literal with `then` would look like a promise. */
const conditional = (condition: unknown, yes: unknown, no: unknown): object =>
  JSON.parse(
    `{"if": ${JSON.stringify(condition)}, "then": ${JSON.stringify(yes)}, "else": ${JSON.stringify(no)}}`,
  );

describe("a schema without its regular expressions", () => {
  it("never runs them", () => {
    const slow = { type: "string", pattern: "^(a+)+$" };
    expect(takes({ properties: { a: slow } }, { a: `${"a".repeat(60)}!` }, true)).toBe(true);
  });
  it("keeps properties that bear a keyword's name", () => {
    const schema = {
      properties: { pattern: { type: "string" }, format: { type: "string" } },
      required: ["pattern"],
    };
    expect(withoutExpressions(schema)).toEqual(schema);
    expect(takes(schema, { pattern: 1 }, true)).toBe(false);
  });
  it.each([
    ["additionalProperties", { patternProperties: { "^x": {} }, additionalProperties: false }, { x1: 1 }],
    ["not", { not: { pattern: "^x" } }, "y"],
    ["if", conditional({ pattern: "^x" }, false, true), "y"],
    ["oneOf", { oneOf: [{ pattern: "^x" }, { pattern: "^y" }] }, "y"],
    [
      "unevaluatedProperties",
      { allOf: [{ patternProperties: { "^x": {} } }], unevaluatedProperties: false },
      { x1: 1 },
    ],
    ["a definition", { $defs: { x: { pattern: "^x" } }, not: { $ref: "#/$defs/x" } }, "y"],
  ])("%s does not turn stricter by the loss", (_name, schema, value) => {
    expect(takes(schema, value, false)).toBe(true);
    expect(takes(schema, value, true)).toBe(true);
  });
  it("still refuses what the rest of it refuses", () => {
    const schema = { type: "object", properties: { a: { type: "string", format: "uuid" } }, required: ["a"] };
    expect(takes(schema, { a: 3 }, true)).toBe(false);
    expect(takes(schema, {}, true)).toBe(false);
  });
  it("takes all that the whole schema takes", () => {
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(
          { pattern: "^a" },
          { type: "string", format: "date" },
          { const: "a" },
          { type: "number" },
          {},
        ),
        fc.record({
          properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
          additionalProperties: fc.boolean(),
        }),
        fc.record({
          patternProperties: fc.dictionary(fc.constantFrom("^a", "b"), tie("schema")),
          additionalProperties: fc.boolean(),
        }),
        fc.record({ not: tie("schema") }),
        fc.tuple(tie("schema"), tie("schema"), tie("schema")).map((parts) => conditional(...parts)),
        fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
        fc.record({
          anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
          unevaluatedProperties: fc.boolean(),
        }),
        fc.record({ contains: tie("schema"), maxContains: fc.nat(2) }),
      ),
    }));
    const leaf = fc.constantFrom<unknown>("a", "b", "ab", "2026-01-01", 1, true, null);
    const value = fc.oneof(
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "ab"), leaf),
    );
    fc.assert(
      fc.property(schema, value, (s, v) => !takes(s, v, false) || takes(s, v, true)),
      { numRuns: 2000 },
    );
  });
});
