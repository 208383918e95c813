import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingMarkdown, type Block } from "./blocks.ts";

const whole = (text: string): readonly Block[] => new GrowingMarkdown(3).update(text, true);
const html = (text: string): string =>
  whole(text)
    .map((block) => (block.kind === "html" ? block.html : `<${block.language}:${block.text}>`))
    .join("")
    .trim();

const sample = `# Title

A paragraph with **bold**, \`code\` and a [link](https://example.org/a?b).

- one
- two

  still two

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

| a | b |
| --- | ---: |
| 1 | 2 |

> quote
lazy

1. first

   \`\`\`sh
   ls
   \`\`\`
2. second

Last words.`;

test("fed in any pieces, the end is what the whole gives", () => {
  const expected = whole(sample);
  for (const size of [1, 3, 7, 64]) {
    const growing = new GrowingMarkdown(3);
    for (let at = 0; at <= sample.length; at += size) growing.update(sample.slice(0, at), false);
    expect(growing.update(sample, true)).toEqual(expected);
  }
});

test("whatever the text and the pieces, the end is what the whole gives", () => {
  const piece = fc.constantFrom(
    ..."a¦b c¦\n¦\n\n¦  ¦    ¦- ¦1. ¦2¦.¦# ¦### ¦> ¦```¦~~~¦`¦**¦| x | y |¦|---|---|¦|¦---¦=¦[a](b)¦[r]: u¦\\¦<b>¦\r\n¦\t".split(
      "¦",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const growing = new GrowingMarkdown(3);
      let text = "";
      for (const next of pieces) growing.update((text += next), false);
      expect(growing.update(text, true)).toEqual(whole(text));
    }),
    { numRuns: 300 },
  );
});

test("finished blocks keep their identity while the last one grows", () => {
  const growing = new GrowingMarkdown(3);
  const before = growing.update("first\n\nsecond\n\nthird\nli", false);
  const after = growing.update("first\n\nsecond\n\nthird\nline", false);
  expect(after).toHaveLength(3);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(after[2]).not.toBe(before[2]);
});

test("another text starts again", () => {
  const growing = new GrowingMarkdown(3);
  growing.update("one\n\ntwo\n\nthree", false);
  expect(growing.update("other\n\nwords", true)).toEqual(whole("other\n\nwords"));
});

test("code is a block of its own, open until its fence closes", () => {
  const growing = new GrowingMarkdown(3);
  expect(growing.update("```ts\nconst a", false)).toEqual([
    { kind: "code", language: "ts", text: "const a", closed: false },
  ]);
  expect(growing.update("```ts\nconst a = 1;\n```", false)).toEqual([
    { kind: "code", language: "ts", text: "const a = 1;", closed: true },
  ]);
});

test("a reference defined below its use is a link at the end", () => {
  const text = "See [the page][p].\n\nMore.\n\n[p]: https://example.org";
  const growing = new GrowingMarkdown(3);
  growing.update(text.slice(0, 30), false);
  const [first] = growing.update(text, true);
  expect(first).toMatchObject({ html: expect.stringContaining('href="https://example.org"') });
});

test.each([
  ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
  ["<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"],
  ["[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"],
  ["[a](data:text/html,x)", "<p>[a](data:text/html,x)</p>"],
])("%s stays text", (text, expected) => expect(html(text)).toBe(expected));

test("links show their host and open only as web or mail", () => {
  expect(html("[here](https://user@example.org:8080/p)")).toBe(
    '<p><a href="https://user@example.org:8080/p" title="example.org:8080" class="link">here</a></p>',
  );
  expect(html("[file](src/a.ts)")).toBe('<p><span title="src/a.ts">file</span></p>');
  expect(html("README.md and https://example.org")).toContain('href="https://example.org"');
  expect(html("README.md")).toBe("<p>README.md</p>");
});

test("an image is a link to it", () => {
  const text = html("![chart](https://evil.example/p.png?secret=1)");
  expect(text).toContain("chart (evil.example)</a>");
  expect(text).not.toContain("<img");
});

test.each([
  ["#", "h3"],
  ["##", "h3"],
  ["####", "h3"],
  ["# a\n## b\n#### c\n## d\n# e\n##", "h3 h4 h5 h4 h3 h4"],
  ["## a\n# b\n##", "h3 h3 h4"],
  ["# a\n## b\n### c\n#### d\n##### e\n######", "h3 h4 h5 h6 h6 h6"],
  ["a\n=\n\nb\n-\n\n> ### c\n\n- # d", "h3 h4 h5 h3"],
])("headings of %j are %s: the first is at the top, none skips a level", (text, expected) => {
  const found = [...html(text).matchAll(/<(h\d)>[^<]*<\/(h\d)>/g)];
  expect(found.map(([, open]) => open).join(" ")).toBe(expected);
  expect(found.map(([, , close]) => close).join(" ")).toBe(expected);
});

test("cells are aligned by class", () => {
  expect(html("| a |\n| ---: |\n| 1 |")).toContain('<td class="to-right">1</td>');
});
