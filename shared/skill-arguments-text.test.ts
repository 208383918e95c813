import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "./json-schema.ts";
import { argumentUsage, formatArguments, parseArguments } from "./skill-arguments-text.ts";
import { skillArguments } from "./skill-arguments.ts";

const schemaOf = (raw: unknown): JsonSchema =>
  skillArguments(raw)?.schema ?? expect.unreachable("nothing was made of it");
const release = schemaOf({
  version: { type: "string", required: true },
  draft: { type: "boolean", default: false },
  channel: { enum: ["beta", "stable"] },
  tags: { type: "array", items: { type: "string" } },
  count: { type: "integer" },
  ratio: { type: "number" },
  meta: { type: "object" },
});

describe("reading arguments", () => {
  test("key=value first, then the text", () => {
    expect(parseArguments(release, "version=1.2 draft=yes write it = well")).toEqual({
      values: { version: "1.2", draft: true },
      text: "write it = well",
      problems: [],
    });
  });
  test("quotes keep blanks, line ends and quotes in a value", () => {
    const { values, text } = parseArguments(
      release,
      `version="two \\"words\\" \\\\ here" channel='beta' count=3\nthe\ntext`,
    );
    expect(values).toMatchObject({ version: 'two "words" \\ here', channel: "beta", count: 3 });
    expect(text).toBe("the\ntext");
    expect(parseArguments(release, 'version="C:\\new" x').values["version"]).toBe("C:\\new");
  });
  test("types: numbers, switches, lists with commas or JSON, objects", () => {
    expect(parseArguments(release, 'version=1 ratio=-1.5e3 draft=0 tags=a,b meta={"a":[1]}').values).toEqual({
      version: "1",
      ratio: -1500,
      draft: false,
      tags: ["a", "b"],
      meta: { a: [1] },
    });
    expect(parseArguments(release, 'version=1 tags=["a,b","c"]').values["tags"]).toEqual(["a,b", "c"]);
    expect(parseArguments(release, "version=1 tags=").values["tags"]).toEqual([]);
  });
  test("a default stands where nothing was typed", () => {
    expect(parseArguments(release, "version=1")).toMatchObject({ values: { draft: false }, text: "" });
  });
  test("-- ends the arguments", () => {
    expect(parseArguments(release, "version=1 -- draft=true is what I mean")).toMatchObject({
      values: { version: "1", draft: false },
      text: "draft=true is what I mean",
    });
  });
  test("what is like no argument begins the text", () => {
    expect(parseArguments(release, "version=1 x=1 solves it")).toMatchObject({
      text: "x=1 solves it",
      problems: [],
    });
  });
  test.each([
    ["write it", ["version is missing"]],
    ["version=1 draft=maybe", ['draft must be true or false, not "maybe"']],
    ["version=1 channel=gamma", ['channel must be one of "beta", "stable", not "gamma"']],
    ["version=1 count=1.5", ['count must be a whole number, not "1.5"']],
    ["version=1 ratio=", ['ratio must be a number, not ""']],
    ["version=1 meta={", ['meta must be JSON, not "{"']],
    ["version=1 verison=2", ["there is no argument verison; did you mean version?"]],
    ["version=1 version=2", ["version is given twice"]],
    ['version="1', ['version: the quote " is not closed', "version is missing"]],
    ['version="1"x', ['version: a blank is missing after "1"', "version is missing"]],
  ])("%s: the error names the argument and what is allowed", (typed, problems) => {
    expect(parseArguments(release, typed).problems).toEqual(problems);
  });
  test("limits of a JSON Schema hold; its patterns are not run as expressions", () => {
    const schema = schemaOf({
      type: "object",
      properties: {
        n: { type: "integer", minimum: 2 },
        p: { type: "string", pattern: "^(a+)+$" },
        d: { type: "string", format: "date" },
      },
    });
    expect(parseArguments(schema, `n=2 p=${"a".repeat(60)}! d=soon`).problems).toEqual([
      `p must match ^(a+)+$, not "${"a".repeat(60)}…"`,
      'd must be a valid date, not "soon"',
    ]);
    expect(parseArguments(schema, "n=2 p=aaa d=2026-01-02").problems).toEqual([]);
    expect(parseArguments(schema, "n=1 p=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!").problems).toEqual([
      "n must be at least 2",
    ]);
  });
  test("words take the names of a bare list in order, unless one is named", () => {
    const schema = schemaOf(["issue", "branch"]);
    expect(parseArguments(schema, '42 "my branch" and more')).toEqual({
      values: { issue: "42", branch: "my branch" },
      text: "and more",
      problems: [],
    });
    expect(parseArguments(schema, "issue=42 and more")).toMatchObject({
      values: { issue: "42" },
      text: "and more",
    });
    expect(parseArguments(schema, "-- just text")).toMatchObject({ values: {}, text: "just text" });
    expect(parseArguments(schema, "")).toMatchObject({ values: {}, text: "" });
    expect(parseArguments(schema, `"open quote`)).toMatchObject({
      values: { issue: '"open', branch: "quote" },
    });
  });
});

test("the usage says what can be typed", () => {
  expect(argumentUsage(release)).toBe(
    "version=TEXT [draft=true|false] [channel=beta|stable] [tags=TEXT,…] [count=INTEGER] [ratio=NUMBER] [meta=JSON]",
  );
  expect(argumentUsage(schemaOf({ mood: { enum: ["very good", "bad"], required: true } }))).toBe(
    'mood="very good"|bad',
  );
});

describe("what a form sends reads back as the same", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      "",
      " ",
      '"',
      "'",
      "\\",
      "a,b",
      "[x]",
      "--",
      "version=1",
      "verison=2",
      "two words",
      "x=1",
      "\n",
    ),
  );
  const values = fc.record(
    {
      version: word,
      draft: fc.boolean(),
      channel: fc.constantFrom("beta", "stable"),
      tags: fc.array(word, { maxLength: 4 }),
      count: fc.maxSafeInteger().map((number) => number + 0),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      meta: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), word, { maxKeys: 3 }),
    },
    { requiredKeys: ["version", "draft"] },
  );
  test("any values and any text of a map", () => {
    fc.assert(
      fc.property(values, word, (given, text) => {
        const line = formatArguments(release, given, text);
        expect(parseArguments(release, line)).toEqual({ values: given, text: text.trim(), problems: [] });
      }),
      { numRuns: 2_000 },
    );
  });
  test("any values and any text of a bare list of names", () => {
    const schema = schemaOf(["a", "b"]);
    const some = fc.record({ a: word, b: word }, { requiredKeys: [] });
    fc.assert(
      fc.property(some, word, (given, text) => {
        const line = formatArguments(schema, given, text);
        expect(parseArguments(schema, line)).toEqual({ values: given, text: text.trim(), problems: [] });
      }),
      { numRuns: 2_000 },
    );
  });
  test("without need nothing is quoted", () => {
    expect(formatArguments(release, { version: "1.2", draft: true, tags: ["a", "b"] }, "write it")).toBe(
      "version=1.2 draft=true tags=a,b write it",
    );
    expect(formatArguments(release, { version: undefined }, "")).toBe("");
  });
});
