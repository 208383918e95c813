import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { judgeSkill } from "./judge.ts";
import { loadSkillParser, type ParseSkill } from "./parse-skill.ts";
import { loadSkillRepair, mayBeRepaired, type RepairSkillText } from "./repair-text.ts";

let repair: RepairSkillText;
let parse: ParseSkill;
beforeAll(async () => {
  [repair, parse] = await Promise.all([loadSkillRepair(), loadSkillParser()]);
});
const place = { placeName: "demo", inferred: false, strict: false };
const judged = (text: string) => judgeSkill(parse(text, false).head, place);
const left = (text: string): number =>
  judged(text).findings.filter((finding) => mayBeRepaired([finding])).length;
/** What a skill says, without where it says it. */
const meaning = (text: string): unknown => {
  const { fields, ...skill } = judged(text).skill ?? { fields: undefined, name: "" };
  return { ...skill, fields: { ...fields, name: skill.name, lines: [], findings: [] } };
};
const body = "\n# Body\n\n---\nrule: a: b\r\n\tend  ";

const faults: readonly (readonly [what: string, block: string, repaired: string])[] = [
  [
    "an unquoted colon",
    "name: demo\ndescription: Does it. Use when: it's needed.\n",
    "name: demo\ndescription: 'Does it. Use when: it''s needed.'\n",
  ],
  [
    "two bracket groups",
    "name: demo\ndescription: D.\nargument-hint: [dir] [size: 1x2, colors: true]\n",
    "name: demo\ndescription: D.\nargument-hint: '[dir] [size: 1x2, colors: true]'\n",
  ],
  [
    "a cosmetic fault",
    'name: demo\ndescription: D.\nauthor: "me\nversion: {1\n',
    "name: demo\ndescription: D.\nauthor: '\"me'\nversion: '{1'\n",
  ],
  [
    "a number",
    "name: demo # mine\ndescription: 3000 # port\n",
    "name: demo # mine\ndescription: '3000' # port\n",
  ],
  ["a date", "name: demo\ndescription: 2024-01-02\n", "name: demo\ndescription: '2024-01-02'\n"],
  [
    "tabs",
    "name: demo\ndescription: D.\nmetadata:\n\ta: b\n",
    "name: demo\ndescription: D.\nmetadata:\n  a: b\n",
  ],
  ["a key twice", "name: demo\ndescription: D.\nname: demo\n# end\n", "name: demo\ndescription: D.\n# end\n"],
  ["no name", "# first\ndescription: D.\n", "name: demo\n# first\ndescription: D.\n"],
  [
    "a name that is none",
    "name: My_Skill  # old\ndescription: D.\n",
    "name: my-skill  # old\ndescription: D.\n",
  ],
  ["a quoted name that is none", 'name: "De #mo"\ndescription: D.\n', "name: de-mo\ndescription: D.\n"],
  [
    "comments and order",
    "# top\nname: demo\n\n# about\ndescription: a: b\n# end\n\nx: y\n",
    "# top\nname: demo\n\n# about\ndescription: 'a: b'\n# end\n\nx: y\n",
  ],
];
test.each(faults)("%s", (_what, block, repaired) => {
  for (const end of ["\n", "\r\n", "\r"])
    for (const mark of ["", "\uFEFF"]) {
      const lines = (text: string): string => text.replaceAll("\n", end);
      const before = `${mark}${lines(`---\n${block}---\n`)}${body}`;
      const found = repair(before, place);
      expect(found?.after).toBe(`${mark}${lines(`---\n${repaired}---\n`)}${body}`);
      expect(found?.changes.length).toBeGreaterThan(0);
      expect(mayBeRepaired(judged(before).findings)).toBe(true);
      expect(repair(found?.after ?? "", place)).toBeNull();
      expect(mayBeRepaired(judged(found?.after ?? "").findings)).toBe(false);
    }
});
test("each line keeps its own end", () => {
  expect(repair("---\r\nname: demo\ndescription: a: b\r\nx: y\r---\n", place)?.after).toBe(
    "---\r\nname: demo\ndescription: 'a: b'\r\nx: y\r---\n",
  );
});
test("what stands above the front matter goes into it, the body stays byte for byte", () => {
  expect(
    repair(`<!-- generated\n  by tool -->\n\n---\nname: demo\ndescription: D.\n---\n${body}`, place),
  ).toEqual({
    after: `---\n# generated\n# by tool\nname: demo\ndescription: D.\n---\n${body}`,
    changes: ["the front matter is moved to the first line, the comment above it into it"],
  });
  expect(repair(`\n\n---\nname: demo\ndescription: D.\n---\n${body}`, place)?.after).toBe(
    `---\nname: demo\ndescription: D.\n---\n${body}`,
  );
});
test("indented front matter moves to the edge", () => {
  expect(repair(`  ---\n  name: demo\n  description: D.\n  ---\n${body}`, place)?.after).toBe(
    `---\nname: demo\ndescription: D.\n---\n${body}`,
  );
});
test.each([
  ["a value", "  name: demo\n  description: a: b\n", "name: demo\ndescription: 'a: b'\n"],
  ["the name", "  # top\n  description: D.\n\n", "name: demo\n# top\ndescription: D.\n\n"],
])("a block that is indented as a whole moves to the edge where %s is repaired", (_what, block, repaired) => {
  expect(repair(`---\n${block}---\n${body}`, place)).toMatchObject({
    after: `---\n${repaired}---\n${body}`,
    changes: expect.arrayContaining([
      "the blanks before the lines of the front matter are taken away",
    ]) as unknown,
  });
  expect(repair(`---\n  name: demo\n  description: D.\n---\n${body}`, place)).toBeNull();
});
test.each([
  [
    "a longer line of dashes",
    "---\nname: demo\ndescription: D.\n-----\nText",
    "---\nname: demo\ndescription: D.\n---\nText",
  ],
  [
    "an indented one",
    "---\nname: demo\ndescription: D.\n  ---\nText",
    "---\nname: demo\ndescription: D.\n---\nText",
  ],
  [
    "nothing at all",
    "---\r\nname: demo\r\ndescription: D.\r\n\r\n# Title\r\n",
    "---\r\nname: demo\r\ndescription: D.\r\n---\r\n\r\n# Title\r\n",
  ],
])("a block that ends with %s is closed", (_what, before, after) => {
  expect(judged(before).skill).toBeNull();
  expect(repair(before, place)?.after).toBe(after);
  expect(judged(after).skill).toMatchObject({ name: "demo", description: "D." });
});
test.each([
  ["fine", "---\nname: demo\ndescription: D.\n---\nBody"],
  ["no front matter", "# Title\ntext"],
  ["empty", ""],
  ["an open list", "---\nname: demo\ndescription: [unclosed\n---\n"],
  ["an open quote", '---\nname: "demo\ndescription: D.\n---\n'],
  ["two different names", "---\nname: a\ndescription: D.\nname: b\n---\n"],
  ["a name with no letter that may stay", "---\nname: 拆分\ndescription: D.\n---\n"],
  ["code", "---js\n{}\n---\n"],
  ["a block that nobody knows the end of", "---\nname: demo\ndescription: D.\n\nlicense: MIT\ntext\n"],
  ["a cosmetic value over several lines", "---\nname: demo\ndescription: D.\nx: [a\n  b\n---\n"],
])("nothing is repaired where there is a doubt, or nothing to do: %s", (_what, text) => {
  expect(repair(text, place)).toBeNull();
});
test("a repair changes nothing of what the skill says, and a second one changes nothing", () => {
  const value = fc.oneof(
    fc.constantFrom("D.", "a: b", "x: y: z", "3000", "1.0", "true", "~", "2024-01-02", "`code` it", "@me"),
    fc.constantFrom(
      "[a] [b: c]",
      "'quoted: it'",
      '"x # y"',
      "it's # so",
      "|\n  two: lines\n  here",
      ">-\n  a\n  b",
    ),
    fc.constantFrom("\n  folded: text\n  more", "[a, b]", "{a: b}", "\n\ta: b", "", "yes", "中文: 说明"),
  );
  const key = fc.constantFrom(
    "description",
    "license",
    "version",
    "when-to-use",
    "metadata",
    "argument-hint",
    "x",
  );
  const part = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`) },
    fc.constantFrom("# comment", "", "name: demo", "name: De_mo"),
  );
  const lead = fc.constantFrom("", "<!-- made -->\n", "\n", "# note\n");
  fc.assert(
    fc.property(
      lead,
      fc.array(part, { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n"),
      (above, lines, end) => {
        const before =
          `${above}---\n${(lines.some((line) => line.startsWith("description:")) ? lines : [...lines, "description: last"]).join("\n")}\n---\n`.replaceAll(
            "\n",
            end,
          ) + body;
        const found = repair(before, place);
        if (!found) return;
        expect(found.after.endsWith(body)).toBe(true);
        if (judged(before).skill) expect(meaning(found.after)).toEqual(meaning(before));
        expect(repair(found.after, place)).toBeNull();
        expect(left(found.after)).toBeLessThan(left(before));
      },
    ),
    { numRuns: 400 },
  );
});
test.each([
  ["a key that is part of a text in quotes", 'name: "abc\nname: x"\ndescription: D.\n'],
  ["a name above lines that are indented", "# c\n a:\n  b: c\n"],
])("what would no longer read as it did is left alone: %s", (_what, block) => {
  expect(repair(`---\n${block}---\n${body}`, place)).toBeNull();
});
test("60 KB of whatever is repaired in a time that grows with its length", () => {
  const named = "name: demo\ndescription: D.\n";
  for (const block of [
    named + "a:\n".repeat(20_000),
    named + "a: [\n".repeat(12_000),
    `name: A${" ".repeat(60_000)}b\ndescription: D.\n`,
    `${named}x:\n${" a\n".repeat(10_000)}${"x:\n".repeat(10_000)}`,
    `${named}${"#\n".repeat(15_000)}arguments: ${"a( ".repeat(10_000)}\n`,
    `${named}x: {${"k".repeat(30_000)}: [${"1,".repeat(15_000)}1]}\n`,
  ]) {
    const text = `---\n${block}---\n`;
    judged(text);
    repair(text, place);
  }
});
test("whatever is mangled, a repair reads as front matter, keeps the body and leaves nothing to a second one", () => {
  const keys = [
    "name: ",
    "description: ",
    "a: ",
    "b:",
    "\n",
    "\n ",
    "\n  ",
    "\n\t",
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
  ];
  const values = [
    "D.",
    "3000",
    "My x",
    "b: c",
    "- ",
    "# c",
    "|",
    ">",
    "&a ",
    "*a",
    "\ndescription: D.\n",
    "\nname: x",
  ];
  const piece = fc.constantFrom(...keys, ...values);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const found = repair(`---\n${pieces.join("")}\n---\n${body}`, place);
      if (!found) return;
      expect(found.after.endsWith(`---\n${body}`)).toBe(true);
      expect(parse(found.after, false).head.kind).toBe("fields");
      expect(repair(found.after, place)).toBeNull();
    }),
    { numRuns: 500 },
  );
});
