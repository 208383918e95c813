import { describe, expect, test } from "vitest";
import { hasIndexKeys, lineIndex, orderedValue, parseJsonc } from "./jsonc-read.ts";
import { blankJsonc } from "./jsonc-scan.ts";
import { Members, valuesAt } from "./members.ts";

describe("reading", () => {
  test.each([
    ['{"a": 1}', { a: 1 }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ["", {}],
    ["  // nothing yet\n", {}],
    ['{"a": 1, // one\n "b": [1, 2,], /* two */ }', { a: 1, b: [1, 2] }],
    ['{"url": "http://x/*y*/", "q": "say \\"// no\\"",}', { url: "http://x/*y*/", q: 'say "// no"' }],
    ['{"a": ",}", "b": ",]" , }', { a: ",}", b: ",]" }],
    ['{"a": [1, /* last */ ] }', { a: [1] }],
    ['{"back": "\\\\", // a comment\r\n}', { back: "\\" }],
  ])("%j", async (text, value) => {
    expect(await parseJsonc(text)).toEqual({ ok: true, value, duplicates: [] });
  });
  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, "comma expected"],
    ['{\n  "a": \n}', 3, "value expected"],
    ["{,}", 1, "value expected"],
  ])("%j names the line", async (text, line, message) => {
    expect(await parseJsonc(text)).toEqual({ ok: false, line, message });
  });
  test("two commas are no trailing comma, and what is open stays open", async () => {
    for (const text of ['{"a": 1,,}', "[1,,]", '{"a": "x', "/* open", "{"])
      expect(await parseJsonc(text)).toMatchObject({ ok: false });
  });
  test("brackets in strings and comments are no levels", async () => {
    const many = "[".repeat(300);
    expect(await parseJsonc(`{"a": "\\"${many}", /* ${many} */ // ${many}\n}`)).toMatchObject({ ok: true });
  });
  test("200 levels are read, one more is not", async () => {
    const nested = (levels: number): string => `\n${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect(await parseJsonc(nested(200))).toMatchObject({ ok: true });
    const tooDeep = { ok: false, line: 2, message: "nested deeper than 200 levels" };
    expect(await parseJsonc(nested(201))).toEqual(tooDeep);
  });
  test("what the reader of faults itself takes for depth is a fault too", async () => {
    const hidden = `["x\n${"[".repeat(20_000)}`;
    expect(await parseJsonc(hidden)).toMatchObject({ ok: false, message: "nested deeper than 200 levels" });
    expect(await parseJsonc("[},".repeat(20_000))).toMatchObject({ ok: false });
  });
  test("blanking keeps every offset and line", () => {
    const text = '{ // x\n "a": [1,], /* y\n z */ "b": 2, }';
    expect(blankJsonc(text)).toHaveLength(text.length);
    expect(blankJsonc(text).split("\n")).toHaveLength(3);
  });
});

test("a key's line is found on its own way, not by its name alone", () => {
  const line = lineIndex(
    '{\n "x": "args",\n "mcpServers": {\n  "one": { "args": [] },\n  "two": {\n   "args": 1 } } }',
  );
  expect(line(["mcpServers", "two", "args"])).toBe(6);
  expect(line(["mcpServers", "one", "args", 0])).toBe(4);
  expect(line(["mcpServers", "three"])).toBeUndefined();
  expect(line([])).toBeUndefined();
});
test("a key whose name stands further up in another object has its own line", () => {
  const line = lineIndex('{"a": {"b": 1},\n"list": [{"b": 2},\n{"b": 3}],\n"b": 4}');
  expect([line(["b"]), line(["list", 1, "b"]), line(["a", "b"])]).toEqual([4, 3, 1]);
});
test("keys that stand twice are found with the line of the last one, in comments and text they are none", async () => {
  const text =
    '{"a": 1, // "a": 2\n "b": {"a": "\\"a\\": 3"},\n "\\u0061": 4,\n "list": [{"b": 1}, {"b": 1, "b": 2}]}';
  expect(await parseJsonc(text)).toMatchObject({
    ok: true,
    value: { a: 4 },
    duplicates: [
      { pointer: ["a"], line: 3 },
      { pointer: ["list", 1, "b"], line: 4 },
    ],
  });
});
test("the order of keys that look like an index, and what stands twice, are read from the text", async () => {
  const text =
    '{"permission": {"skill": {"*": "allow", "3000": "deny"}, "x": 1}, "permission": {"x": 2, "x": 3}}';
  expect(hasIndexKeys({ skill: { "3000": 1 } })).toBe(true);
  const root = await orderedValue(text);
  expect(valuesAt(root, ["permission"])).toEqual([
    new Members([
      [
        "skill",
        new Members([
          ["*", "allow"],
          ["3000", "deny"],
        ]),
      ],
      ["x", 1],
    ]),
    new Members([
      ["x", 2],
      ["x", 3],
    ]),
  ]);
  expect(valuesAt(root, ["permission", "x"])).toEqual([1, 2, 3]);
  expect(valuesAt(root, ["nothing"])).toEqual([]);
});
test("4 MB of trailing commas, comments and equal keys are read in linear time", async () => {
  const entry = '"k": [1,], // one\n';
  const text = `{${entry.repeat(200_000)}}`.replaceAll("],", "],,").replaceAll(",,", ",");
  const result = await parseJsonc(text);
  expect(result).toMatchObject({ ok: true, value: { k: [1] } });
  expect(result.ok && result.duplicates.at(-1)?.line).toBe(200_000);
});
