import { describe, expect, test } from "vitest";
import { KeywordIndex } from "./keywords.ts";

const found = (text: string, ...keywords: string[]): boolean =>
  new KeywordIndex([{ name: "a", keywords }]).find(text, 3, () => true).length > 0;

describe("a keyword", () => {
  test.each([
    ["review this PR, please", "pr"],
    ["PR", "Pr"],
    ["a pull \n request here", "pull request"],
    ["Straße", "STRASSE"],
    ["Ｐｄｆ", "pdf"],
    ["use c++ now", "c++"],
    ["(node.js)", "node.js"],
    ["with .NET", ".net"],
    ["crème brûlée", "CRÈME"],
    ["处理pdf文件", "pdf"],
    ["请帮我翻译这段文字", "翻译"],
    ["この文を要約して", "要約"],
    ["번역해줘", "번역"],
    ["ช่วยแปลภาษาให้หน่อย", "แปลภาษา"],
    ["ຊ່ວຍແປພາສາໃຫ້ແດ່", "ແປ"],
    ["សូមបកប្រែអត្ថបទ", "បកប្រែ"],
    ["ဘာသာပြန်ပေးပါ", "ပြန်"],
    ["make the PDF文件 now", "pdf文件"],
    ["ship it 🚀", "🚀"],
  ])("in %j: %j", (text, keyword) => {
    expect(found(text, keyword)).toBe(true);
  });
  test.each([
    ["express", "pr"],
    ["pdfs", "pdf"],
    ["pull the request", "pull request"],
    ["my_pr_x", "pr"],
    ["nodejs", "node.js"],
    ["anything", ""],
    ["anything", "   "],
    ["е́pr", "pr"],
  ])("not in %j: %j", (text, keyword) => {
    expect(found(text, keyword)).toBe(false);
  });
});

test("the longest first, each thing once with its best keyword, no more than asked for, only what is accepted", () => {
  const index = new KeywordIndex([
    { name: "d", keywords: ["pr"] },
    { name: "a", keywords: ["pr", "review", "pull request"] },
    { name: "c", keywords: ["review"] },
    { name: "b", keywords: ["review"] },
    { name: "no", keywords: ["review"] },
  ]);
  const hits = index.find("review the pull request, a pr", 3, ({ name }) => name !== "no");
  expect(hits.map(({ item, keyword }) => [item.name, keyword])).toEqual([
    ["a", "pull request"],
    ["b", "review"],
    ["c", "review"],
  ]);
});
test("a long text of no keyword costs its length and nothing else", () => {
  let looked = 0;
  const items = Array.from({ length: 5_000 }, (_, index) => ({
    name: `s${index}`,
    get keywords() {
      looked++;
      return [`word${index}`, "翻译"];
    },
  }));
  const index = new KeywordIndex(items);
  const built = looked;
  let accepted = 0;
  index.find(`${"lorem ipsum ".repeat(1_000)}word77`, 3, () => ++accepted > 0);
  expect([built, looked, accepted]).toEqual([5_000, 5_000, 1]);
});
