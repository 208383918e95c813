import { describe, expect, test } from "vitest";
import { blankJsonc, hasIndexKeys, lineOf, orderedValue, parseJsonc } from "./jsonc-read.ts";

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
    expect(await parseJsonc(text)).toEqual({ ok: true, value });
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
  const text = '{\n "x": "args",\n "mcpServers": {\n  "one": { "args": [] },\n  "two": {\n   "args": 1 } } }';
  expect(lineOf(text, ["mcpServers", "two", "args"])).toBe(6);
  expect(lineOf(text, ["mcpServers", "one", "args", 0])).toBe(4);
  expect(lineOf(text, ["mcpServers", "three"])).toBeUndefined();
  expect(lineOf(text, [])).toBeUndefined();
});

test("the order of keys that look like an index is read from the text", async () => {
  const text = '{"permission": {"skill": {"*": "allow", "3000": "deny"}}}';
  expect(hasIndexKeys(JSON.parse(text))).toBe(true);
  const value = await orderedValue(text, ["permission"]);
  expect(value).toEqual(
    new Map([
      [
        "skill",
        new Map([
          ["*", "allow"],
          ["3000", "deny"],
        ]),
      ],
    ]),
  );
  expect(await orderedValue(text, ["nothing"])).toBeUndefined();
});
