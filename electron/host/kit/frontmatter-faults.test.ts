import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { loadFrontmatter, namesOf, type Frontmatter } from "./frontmatter.ts";
import type { StructuredKeys } from "./yaml-repair.ts";

let read: (text: string, needed?: ReadonlySet<string>, structured?: StructuredKeys) => Frontmatter;
beforeAll(async () => {
  const load = await loadFrontmatter();
  const usual = new Set(["name", "description", "allowed-tools", "user-invocable", "arguments", "kairox"]);
  read = (text, needed = usual, structured?) => load(text, needed, structured);
});
const parsed = (text: string): Extract<Frontmatter, { kind: "parsed" }> => {
  const front = read(text);
  if (front.kind !== "parsed") throw new Error(`not parsed: ${JSON.stringify(front)}`);
  return front;
};
const broken = (text: string): Extract<Frontmatter, { kind: "broken" }>["finding"] => {
  const front = read(text);
  if (front.kind !== "broken") throw new Error(`not broken: ${JSON.stringify(front)}`);
  return front.finding;
};

describe("more than anybody writes", () => {
  test.each([
    ["large", `x: ${"a".repeat(64 * 1024)}`, "frontmatter-large"],
    ["large in bytes", `x: ${"字".repeat(22_000)}`, "frontmatter-large"],
    ["nested", `x: ${"[".repeat(30_000)}`, "frontmatter-yaml"],
    ["nested and closed", `x: ${"[".repeat(200)}${"]".repeat(200)}`, "frontmatter-yaml"],
    [
      "nested by blanks",
      Array.from({ length: 150 }, (_, i) => `${" ".repeat(i)}k:`).join("\n"),
      "frontmatter-yaml",
    ],
    ["blank lines", `x: a${"\n".repeat(60_000)}y: b`, "frontmatter-yaml"],
    ["a circle", "x: &a [*a]", "frontmatter-yaml"],
    ["commas", `x: [${"a,".repeat(30_000)}]`, "frontmatter-yaml"],
  ])("%s", (_what, block, code) => {
    expect(broken(`---\n${block}\n---\n`).code).toBe(code);
  });
  test("what is just within is read", () => {
    expect(parsed(`---\nx: ${"a".repeat(65_000)}\n---\n`).data["x"]).toHaveLength(65_000);
    expect(parsed(`---\nx: ${"[".repeat(60)}${"]".repeat(60)}\n---\n`).findings).toEqual([]);
    expect(parsed(`---\n${"# c\n".repeat(10_000)}x: a: b\n---\n`).data).toEqual({ x: "a: b" });
    expect(parsed(`---\nname: a\n---\n${"x".repeat(4_000_000)}`).body).toHaveLength(4_000_000);
  });
});

/** At the square of a length these would take longer than a test may. */
describe("what is long takes no longer than its length", () => {
  const much = 60_000;
  test.each([
    ["blanks in a first line", "none", `;;;${" ".repeat(much)}!`],
    ["blanks in a value below", "parsed", `---\nname: a\nx:\n  y: a: ${" ".repeat(much)}b\n---\n`],
    ["brackets in a value below", "parsed", `---\nname: a\nx:\n  y: a: ${"[".repeat(much)}b\n---\n`],
  ] as const)("%s", (_what, kind, text) => {
    expect(read(text)).toMatchObject({ kind });
  });
  test("brackets in a list of names, which stay whole where they are closed", () => {
    expect(namesOf("(".repeat(much))).toEqual([]);
    expect(namesOf("a(".repeat(much))).toHaveLength(much);
    expect(namesOf("Bash(a (b) c), Read(x)y (z")).toEqual(["Bash(a (b)", "c)", "Read(x)y", "z"]);
    expect(namesOf("Bash(git diff:*) Read, a(b")).toEqual(["Bash(git diff:*)", "Read", "a", "b"]);
  });
});

describe("a fault in one entry", () => {
  test.each([
    ["argument-hint: [a", "[a"],
    ['author: "me', '"me'],
    ["author: me: you: [", "me: you: ["],
    ["version: *none", "*none"],
    ["x: {a: b", "{a: b"],
    ["x: 'it's'", "'it's'"],
    ["x: @me", "@me"],
    ["x: `code`", "`code`"],
    ["x: [a\n  b", "[a b"],
    ["x: a\n   b: c\n  d: e", "a b: c d: e"],
    ["x: !tag y", "!tag y"],
    ["x: \u001b[1m", "\u001b[1m"],
    ["x: |y\n  z", "|y z"],
  ])("%j is cosmetic: its text stays as it is written, and the others are read", (entry, text) => {
    const front = parsed(`---\nname: demo\n${entry}\n# comment\n\ndescription: D.\n---\n`);
    const [key = ""] = entry.split(":");
    expect(front.data).toEqual({ name: "demo", description: "D.", [key]: text });
    expect(front.findings).toMatchObject([{ severity: "warning", line: 3 }]);
    expect(front.findings[0]?.code).toMatch(/^frontmatter-(?:raw|colon|unread)$/);
  });
  test.each([
    "description: [a",
    'description: "x',
    "allowed-tools: {a",
    "arguments: [a",
    "user-invocable: 'no",
  ])("%j is none: the block is not read, and its line is told", (entry) => {
    expect(broken(`---\nname: demo\nlicense: MIT\n${entry}\nx: y\n---\n`)).toMatchObject({
      code: "frontmatter-yaml",
      line: 4,
    });
  });
  test("which keys are needed is the reader's to say", () => {
    const front = read("---\nname: [a\ncolor: [b\n---\n", new Set(["color"]));
    expect(front).toMatchObject({ kind: "broken", finding: { line: 3 } });
  });
  test("a key twice: of a cosmetic one the first counts, of a needed one nobody knows", () => {
    const front = parsed("---\nname: a\nx: 1\ndescription: D.\nx: 2\nname: a\n---\n");
    expect(front.data).toEqual({ name: "a", x: 1, description: "D." });
    expect(front.findings).toMatchObject([
      { code: "frontmatter-twice", line: 5 },
      { code: "frontmatter-duplicate", line: 6 },
    ]);
    expect(broken("---\nname: a\ndescription: D.\nname: b\n---\n")).toMatchObject({
      line: 4,
      message: "the front matter is no YAML: name stands in it twice, first on line 2",
    });
  });
  test("tabs count as two blanks each where nothing else indents the entry", () => {
    const front = parsed("---\nname: a\nmetadata:\n\tauthor: me\n\tmore:\n\t\tx: y\n---\n");
    expect(front.data).toEqual({ name: "a", metadata: { author: "me", more: { x: "y" } } });
    expect(front.findings).toMatchObject([{ code: "frontmatter-tab", line: 3 }]);
    expect(parsed("---\nname:\ta\tb\nd: |\n  x\n  \ty\n---\n")).toMatchObject({
      data: { name: "a\tb", d: "x\n\ty\n" },
      findings: [],
    });
    expect(broken("---\nname: a\nkairox:\n  a: b\n\tc: d\n---\n")).toMatchObject({ line: 5 });
  });
  test("a value one level deeper that holds a colon", () => {
    const front = parsed("---\nmetadata:\n  note: use when: asked\n  more: x\n---\n");
    expect(front.data).toEqual({ metadata: { note: "use when: asked", more: "x" } });
    expect(front.findings).toMatchObject([{ code: "frontmatter-colon", line: 3 }]);
  });
  test("a line below that is not indented goes on with plain text, as nobody can doubt", () => {
    const front = parsed(
      "---\nname: a\ndescription: Draws [a]\nfor b, and c.\n  Often.\nlicense: MIT\n---\n",
    );
    expect(front.data).toEqual({
      name: "a",
      description: "Draws [a] for b, and c. Often.",
      license: "MIT",
    });
    expect(front.findings).toMatchObject([{ code: "frontmatter-raw", severity: "warning", line: 4 }]);
  });
  test.each([
    ["a list", "description: D.\n- a"],
    ["text below a blank line, which may be the body", "description: D.\n\nSome text."],
    ["a quote", "description: 'a\nb c"],
    ["a block", "description: |\nSome text"],
    ["a comment", "description: D. # comment\nSome text"],
    ["no text", "description:\nSome text"],
    ["a comment alone", "description: # fill in\nSome text"],
    ["a setting without its blank", "description: D.\ntools:[read_file]"],
    ["a setting with an equals sign", "description: D.\nuser-invocable=false"],
    ["a setting without its colon", "description: D.\nuser-invocable false"],
    ["the same below a colon", "description: Use when: asked\ntools:[read_file]"],
    ["a switch", "user-invocable: no\nfor all"],
  ])("%s does not", (_what, entry) => {
    expect(broken(`---\nname: a\n${entry}\n---\n`).code).toBe("frontmatter-yaml");
  });
  test.each([
    ['name: a\ndescription: "Reads\nlicense: MIT', '"', 3],
    ["name: a\ndescription:\n  'Reads\nlicense: MIT", "'", 4],
    ['description: it has "some" words, "and\n  more"\nname: "a', '"', 4],
  ])("of a quote that nothing closes the line is told where it opens: %j", (front, quote, line) => {
    expect(broken(`---\n${front}\n---\n`)).toMatchObject({
      line,
      message: `the front matter is no YAML: the ${quote} that opens on line ${line} is never closed`,
      fix: `close the ${quote} that opens on line ${line}`,
    });
  });
  test("of what is left out the line is told that cannot be read", () => {
    const front = read(
      "---\nname: a\nmetadata:\n  a: b\n  c: d\n  a: e\nx: y\n---\n",
      new Set(["name"]),
      new Map([["metadata", "map"]]),
    );
    expect(front).toMatchObject({
      data: { name: "a", x: "y" },
      findings: [{ code: "frontmatter-left-out", line: 6 }],
    });
  });
});

describe("text behind a closed value on its line", () => {
  test.each([
    ['"Foo" helper. Use when: x', "frontmatter-colon"],
    ["'Review' code: finds bugs", "frontmatter-colon"],
    ['"Foo" helper', "frontmatter-raw"],
    ["[a] b: c", "frontmatter-raw"],
    ["{a: b} c: d", "frontmatter-colon"],
    ["{PURPOSE}. Use when {WHEN}.", "frontmatter-raw"],
    ['"it\\"s" c: d', "frontmatter-colon"],
  ])("%s is the text of the whole line, with a warning, and cut by nobody", (value, code) => {
    const front = parsed(`---\nname: a\ndescription: ${value}\n---\n`);
    expect(front.data).toEqual({ name: "a", description: value });
    expect(front.findings).toMatchObject([{ code, severity: "warning", line: 3 }]);
  });
  test("one level deeper too", () => {
    const front = parsed('---\nmetadata:\n  note: "Foo" helper: x\n  list: [a] b: c\n  more: x\n---\n');
    expect(front.data).toEqual({ metadata: { note: '"Foo" helper: x', list: "[a] b: c", more: "x" } });
    expect(front.findings).toMatchObject([{ code: "frontmatter-colon", line: 3 }]);
  });
  test("what is no second key stays as it is", () => {
    const front = parsed(
      '---\n\'a\': "x" # y: z\nb: {\'c\': d, "e" : [f, {g: h}] }\ni:\n- \'j\': k\n- "l"\nm: n" o\np: |\n  "q" r: s\n---\n',
    );
    expect(front.findings).toEqual([]);
    expect(front.data).toEqual({
      a: "x",
      b: { c: "d", e: ["f", { g: "h" }] },
      i: [{ j: "k" }, "l"],
      m: 'n" o',
      p: '"q" r: s\n',
    });
  });
});

test("what this reads as YAML, a reader of YAML 1.2 reads alike", () => {
  const scalar = fc.oneof(
    fc.constantFrom(
      "a",
      "b c",
      "1",
      "1.50",
      "0x1F",
      "0o17",
      "017",
      "1e3",
      ".5",
      "-",
      "true",
      "False",
      "null",
      "~",
      "",
    ),
    fc.constantFrom(
      "2024-01-02",
      "1:30",
      "yes",
      "<<",
      "'it''s'",
      '"a\\nb"',
      '"x: y"',
      "a#b",
      "a # c",
      "中文，说明",
      "😀",
    ),
    fc.constantFrom(
      "x:y",
      "http://a.b/c",
      "-1",
      "+1",
      "1_000",
      "a, b",
      "[a, 1, x]",
      "{a: 1, b: no}",
      "[]",
      "{}",
    ),
    fc.constantFrom(
      "|\n  a\n  b\n",
      ">-\n  a\n  b\n\n  c",
      "|+\n  a\n\n",
      "\n  - a\n  - 1",
      "\n- a\n- b: c",
      "\n  a: 1\n  b: x",
    ),
  );
  const key = fc.constantFrom("a", "b", "c", "name", "1", "true", "'q k'", "__proto__", "constructor");
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(key, scalar), { selector: ([name]) => name, maxLength: 6 }),
      (pairs) => {
        const block = pairs.map(([name, value]) => `${name}: ${value}`).join("\n");
        const document = parseDocument(block, { logLevel: "silent" });
        const front = read(`---\n${block}\n---\n`);
        if (front.kind !== "parsed" || front.findings.length > 0) return;
        expect(document.errors).toEqual([]);
        expect(JSON.parse(JSON.stringify(front.data))).toEqual(
          JSON.parse(JSON.stringify(document.toJS() ?? {})),
        );
      },
    ),
    { numRuns: 500 },
  );
});
test("whatever the text, an answer comes and is the same again", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "---",
      "---\n",
      "\n",
      "\r\n",
      "\r",
      "\t",
      "\uFEFF",
      "<!--",
      "-->",
      "#",
      ";;;",
      "name:",
      "description:",
    ),
    fc.constantFrom(
      ": ",
      "[",
      "]",
      "{",
      "}",
      "|",
      ">",
      "'",
      '"',
      "&a ",
      "*a",
      "!!x ",
      "? ",
      "- ",
      "a",
      "\0",
      "\ud800",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, fenced) => {
      const text = fenced ? `---\n${pieces.join("")}\n---\nBody` : pieces.join("");
      const first = read(text);
      const again = read(text);
      expect({ ...again, lineOf: null }).toEqual({ ...first, lineOf: null });
    }),
    { numRuns: 1000 },
  );
});
