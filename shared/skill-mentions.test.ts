import { expect, test } from "vitest";
import { mentionedNames } from "./skill-mentions.ts";

test.each([
  ["use @pdf now", ["pdf"]],
  ["@pdf", ["pdf"]],
  ["use @docs:pdf-forms\nand @style", ["docs:pdf-forms", "style"]],
  ["@a @b @a", ["a", "b"]],
  ["is it @pdf? Yes, @style. (@no", ["pdf", "style"]],
  ["用 @pdf。", ["pdf"]],
  ["mail me@pdf.com", []],
  ["see @src/pdf.ts and @README.md", []],
  ["@Not_A_Name @-x @x- @", []],
  ["`@pdf` and ``a ` @pdf`` then @style", ["style"]],
  ["a ` lonely tick @pdf", ["pdf"]],
  ["```\n@pdf\n```\n@style", ["style"]],
  ["~~~ts\n@pdf\n```\n@pdf\n~~~\n@style", ["style"]],
  ["````\n```\n@pdf\n````\n@style", ["style"]],
  ["```inline``` @pdf", ["pdf"]],
  ["before @a\n```\n@pdf", ["a"]],
])("%j mentions %j", (text, names) => {
  expect(mentionedNames(text)).toEqual(names);
});
test("a long text without an end of anything is read in one go", () => {
  expect(mentionedNames("`".repeat(3) + " `".repeat(50_000))).toEqual([]);
  expect(mentionedNames(`@${"a.".repeat(50_000)}`)).toEqual([]);
  expect(mentionedNames("@a".repeat(50_000))).toEqual([]);
});
