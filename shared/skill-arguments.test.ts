import { describe, expect, test } from "vitest";
import { argumentsOf, isInOrder, skillArguments } from "./skill-arguments.ts";

const made = (raw: unknown) => skillArguments(raw) ?? expect.unreachable("nothing was made of it");
const schemaOf = (raw: unknown) => made(raw).schema;
const said = (raw: unknown): string =>
  made(raw)
    .problems.map(({ message }) => message)
    .join("\n");

describe("the forms of arguments", () => {
  test("none where nothing is declared", () => {
    for (const raw of [undefined, null, [], {}, ""]) expect(skillArguments(raw)).toBeNull();
  });
  test("a map of names keeps its order and says what is required", () => {
    const schema = schemaOf({
      version: { type: "string", description: "Which one", required: true },
      draft: { type: "boolean", default: "no" },
      channel: { enum: ["beta", "stable"], default: "stable" },
    });
    expect(schema).toEqual({
      type: "object",
      properties: {
        version: { type: "string", description: "Which one" },
        draft: { type: "boolean", default: false },
        channel: { type: "string", enum: ["beta", "stable"], default: "stable" },
      },
      required: ["version"],
    });
    expect(Object.keys(schema["properties"] ?? {})).toEqual(["version", "draft", "channel"]);
  });
  test("a JSON Schema object stays what it is", () => {
    const raw = {
      type: "object",
      properties: { count: { type: "integer", minimum: 1 }, any: true },
      required: ["count", "gone"],
      $defs: { x: {} },
    };
    expect(made(raw)).toEqual({
      schema: {
        ...raw,
        properties: { count: { type: "integer", minimum: 1 }, any: {} },
        required: ["count"],
      },
      problems: [],
    });
  });
  test("a map may have arguments that are called type and properties", () => {
    expect(
      argumentsOf(schemaOf({ type: { type: "integer" }, properties: { type: "boolean" } })),
    ).toMatchObject([
      { name: "type", kind: "integer" },
      { name: "properties", kind: "boolean" },
    ]);
    expect(argumentsOf(schemaOf({ properties: { type: "string", description: "D" } }))).toMatchObject([
      { name: "properties", kind: "text" },
    ]);
  });
  test("a list of names, in one text too, takes words in their order", () => {
    for (const raw of [["issue", "branch"], "issue branch", "issue, branch"]) {
      const schema = schemaOf(raw);
      expect(isInOrder(schema)).toBe(true);
      expect(argumentsOf(schema)).toMatchObject([
        { name: "issue", kind: "text", required: false },
        { name: "branch", kind: "text" },
      ]);
    }
    expect(isInOrder(schemaOf({ issue: null }))).toBe(false);
  });
  test("a list of maps with names, as prompts of servers have it", () => {
    expect(schemaOf([{ name: "issue", required: true, description: "D" }, "branch"])).toEqual({
      type: "object",
      properties: { issue: { type: "string", description: "D" }, branch: { type: "string" } },
      required: ["issue"],
    });
  });
  test("short forms: a type alone, a description alone, nothing", () => {
    expect(argumentsOf(schemaOf({ count: "int", what: "What to do", rest: null }))).toMatchObject([
      { name: "count", kind: "integer" },
      { name: "what", kind: "text" },
      { name: "rest", kind: "text" },
    ]);
    expect(schemaOf({ what: "What to do" })).toMatchObject({
      properties: { what: { type: "string", description: "What to do" } },
    });
  });
  test("a type follows from values and default where none is written", () => {
    expect(
      argumentsOf(schemaOf({ a: { enum: [1, 2] }, b: { default: true }, c: { default: ["x"] }, d: {} })),
    ).toMatchObject([{ kind: "number" }, { kind: "boolean" }, { kind: "list" }, { kind: "text" }]);
  });
  test("a list that says nothing of its items is one of text, or of what its default has, in every form", () => {
    const properties = { tags: { type: "array" }, sizes: { type: "array", default: [1, 2] } };
    const full = {
      tags: { type: "array", items: { type: "string" } },
      sizes: { type: "array", default: [1, 2], items: { type: "number" } },
      mixed: { type: "array", default: [1, "a"] },
    };
    const mixed = full.mixed;
    expect(schemaOf({ ...properties, mixed })).toMatchObject({ properties: full });
    expect(schemaOf({ type: "object", properties: { ...properties, mixed } })["properties"]).toEqual(full);
  });
  test("a number as default of a text stays what is written", () => {
    expect(schemaOf({ version: { type: "string", default: 2 } })).toMatchObject({
      properties: { version: { default: "2" } },
    });
  });
});

describe("what makes no sense", () => {
  test("is said, and the rest counts", () => {
    expect(said(7)).toContain("declares nothing");
    expect(said({ a: { type: "colour" } })).toContain('the type "colour" is not known; it counts as text');
    expect(said({ a: { enum: "x" } })).toContain("enum is no list");
    expect(said({ a: { required: "maybe" } })).toContain("it counts as false");
    expect(said({ a: { type: "integer", default: "many" } })).toContain("is none of its values");
    expect(said({ a: { enum: ["x"], default: "y" } })).toContain("is none of its values");
    expect(said(["two words", "ok"])).toContain('"two words" was left out');
    expect(said({ ARGUMENTS: null, ok: null })).toContain("$ARGUMENTS means all that was typed");
    expect(said({ ["__proto__x"]: null, ok: null })).toContain("was left out");
    expect(argumentsOf(schemaOf(["two words", "ok"])).map(({ name }) => name)).toEqual(["ok"]);
    expect(said({ type: "object", properties: [] })).toContain("no map of names");
  });
});
