import { expect, test } from "vitest";
import { editJsonc } from "./jsonc.ts";

const set = (text: string, path: (string | number)[], value: unknown): Promise<string> =>
  editJsonc(text, [{ path, value }], "f");

test("comments, unknown keys, tabs, line ends and the byte order mark stay", async () => {
  const text = '\uFEFF{\r\n\t// mine\r\n\t"theme": "dark", // here\r\n\t"later": {"x": 1}\r\n}\r\n';
  const next = await editJsonc(text, [{ path: ["switches", "mcp:user/a"], value: false }], "f");
  expect(next).toContain('\uFEFF{\r\n\t// mine\r\n\t"theme": "dark", // here\r\n\t"later": {"x": 1}');
  expect(next.replaceAll("\r\n", "")).not.toContain("\n");
  expect(next).toContain('\t"switches": {\r\n\t\t"mcp:user/a": false');
});
test("an empty file and one of comments alone become an object", async () => {
  expect(await editJsonc("", [{ path: ["a"], value: 1 }], "f")).toBe('{\n  "a": 1\n}\n');
  expect(await editJsonc("// mine\n", [{ path: ["a"], value: 1 }], "f")).toBe('// mine\n{\n  "a": 1\n}\n');
});
test("undefined removes a key; several edits follow one another", async () => {
  const edits = [
    { path: ["a"], value: undefined },
    { path: ["b", "c"], value: [1] },
    { path: ["b", "d"], value: 2 },
  ];
  expect(JSON.parse(await editJsonc('{"a": 1}', edits, "f"))).toEqual({ b: { c: [1], d: 2 } });
});
test("what does not parse, or cannot hold the key, is refused", async () => {
  await expect(editJsonc("{", [{ path: ["a"], value: 1 }], "/x.json")).rejects.toThrow(
    /^\/x\.json was not changed: it does not parse \(line 1/,
  );
  await expect(editJsonc('{"a": "text"}', [{ path: ["a", "b"], value: 1 }], "/x.json")).rejects.toThrow(
    /a\.b cannot be set/,
  );
});
test.each([
  ['{"a": 1}', ["b"], { c: [1] }, '{"a": 1, "b": {"c":[1]}}'],
  ['{ "a": 1 }', ["b"], 2, '{ "a": 1, "b": 2 }'],
  ['{"a": {}}', ["a", "b"], 1, '{"a": {\n  "b": 1\n}}'],
  [
    '{\n  "s": {"x": {"args": ["a", "b"]}} // one\n}',
    ["t"],
    1,
    '{\n  "s": {"x": {"args": ["a", "b"]}}, // one\n  "t": 1\n}',
  ],
  ['{\n  "a": 1,\n}', ["b"], 2, '{\n  "a": 1,\n  "b": 2\n}'],
  ['{\n    "a": 1\n    // the end\n}', ["b"], 2, '{\n    "a": 1,\n    // the end\n    "b": 2\n}'],
  ["{\n  // empty\n}", ["b"], 2, '{\n  // empty\n  "b": 2\n}'],
  ['{\n  "a": [1, 2], "b": 3\n}', ["a"], [9], '{\n  "a": [\n    9\n  ], "b": 3\n}'],
  ['{"a": ["x", "y"]}', ["a", 1], "z", '{"a": ["x", "z"]}'],
  ['{\n  "a": 1,\n  "b": 2\n}', ["b"], undefined, '{\n  "a": 1\n}'],
  ['{"a": 1}', ["b"], undefined, '{"a": 1}'],
])("%j %j := %j", async (text, path, value, expected) => {
  expect(await set(text, path, value)).toBe(expected);
});
test.each([
  [
    "the first of several lines",
    '{\n  "a": 1, // one\n  // two\n  "b": 2\n}\n',
    '{\n  // two\n  "b": 2\n}\n',
  ],
  ["one in the middle", '{\n  "x": 0,\n  "a": 1,\n  "b": 2\n}\n', '{\n  "x": 0,\n  "b": 2\n}\n'],
  ["the first on one line", '{"a": 1, "b": 2}', '{"b": 2}'],
  ["one with its comma on the next line", '{\r\n  "a": 1\r\n  , "b": 2\r\n}', '{\r\n  "b": 2\r\n}'],
  ["one before a comment of the same line", '{"a": 1, /* two */ "b": 2}', '{/* two */ "b": 2}'],
])("taking away %s leaves the others and their comments as they stand", async (_name, before, after) => {
  expect(await editJsonc(before, [{ path: ["a"], value: undefined }], "f")).toBe(after);
});
