import { describe, expect, test } from "vitest";
import { cutEnd, cutMiddle, visibleLines, visibleName, visibleText } from "./visible-text.ts";

test.each([
  ["plain text, with\ttabs\nand lines", "plain text, with\ttabs\nand lines"],
  ["中文，日本語, 한국어, émigré, e\u0301", "中文，日本語, 한국어, émigré, e\u0301"],
  ["สวัสดี, שָׁלוֹם, नमस्ते", "สวัสดี, שָׁלוֹם, नमस्ते"],
  ["safe\u202Ecod.exe", "safe⟨U+202E⟩cod.exe"],
  ["a\u2066b\u2069c", "a⟨U+2066⟩b⟨U+2069⟩c"],
  ["a\u200Bb", "a⟨U+200B⟩b"],
  ["a\u00A0b", "a⟨U+00A0⟩b"],
  ["a\u2028b\u0085c", "a⟨U+2028⟩b⟨U+0085⟩c"],
  ["\u001B[2J", "⟨U+001B⟩[2J"],
  ["\u001B]0;title\u0007", "⟨U+001B⟩]0;title⟨U+0007⟩"],
  ["\u009B31m", "⟨U+009B⟩31m"],
  ["over\rwritten", "over⟨U+000D⟩written"],
  ["ab\b\bcd", "ab⟨U+0008 × 2⟩cd"],
  ["\u{E0041}\u{E0042}", "⟨U+E0041⟩⟨U+E0042⟩"],
  ["\u3164\uFFA0\u115F", "⟨U+3164⟩⟨U+FFA0⟩⟨U+115F⟩"],
  ["a\u2800b\uFFFCc", "a⟨U+2800⟩b⟨U+FFFC⟩c"],
  ["\u00AD\u034F\uFEFF", "⟨U+00AD⟩⟨U+034F⟩⟨U+FEFF⟩"],
  ["half \uD83D of a pair, \uDE00", "half ⟨U+D83D⟩ of a pair, ⟨U+DE00⟩"],
  ["a whole pair 😀", "a whole pair 😀"],
  ["\uE000\u{F0000}", "⟨U+E000⟩⟨U+F0000⟩"],
  ["\0", "⟨U+0000⟩"],
])("%j", (text, shown) => expect(visibleText(text)).toBe(shown));

test("nothing hidden is left, whatever stands beside it", () => {
  const every = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join("x");
  expect(visibleText(every)).not.toMatch(/(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u);
});
test("a flood of one hidden character is one mark with its number", () => {
  expect(visibleText(`a${"\u200B".repeat(5000)}b`)).toBe("a⟨U+200B × 5000⟩b");
  expect(visibleText("\u{E0041}".repeat(3))).toBe("⟨U+E0041 × 3⟩");
});
test("marks that pile up on one letter are written out from the fifth on", () => {
  expect(visibleText(`a${"\u0301".repeat(4)}b`)).toBe(`a${"\u0301".repeat(4)}b`);
  expect(visibleText(`a${"\u0301".repeat(104)}b`)).toBe(`a${"\u0301".repeat(4)}⟨U+0301 × 100⟩b`);
  expect(visibleText("a\u0301\u0302\u0303\u0304\u0305\u0306")).toBe(
    "a\u0301\u0302\u0303\u0304⟨U+0305⟩⟨U+0306⟩",
  );
});
test("lines that a value brings are marked as its own", () => {
  expect(visibleLines("x\r\n\nAsks because: nothing")).toBe("x⟨U+000D⟩↵\n↵\nAsks because: nothing");
});

describe("names", () => {
  test("stay on one line", () =>
    expect(visibleName("search\n\nAllow once\t?")).toBe("search⟨U+000A⟩⟨U+000A⟩Allow once⟨U+0009⟩?"));
  test("are cut with the number of what is left out", () => {
    expect(visibleName("x".repeat(80))).toBe("x".repeat(80));
    expect(visibleName("x".repeat(100_000))).toBe(`${"x".repeat(80)}… (+99920)`);
  });
});
describe("cuts", () => {
  test("leave short texts alone", () => {
    expect(cutEnd("abc", 3)).toEqual({ kept: "abc", left: 0 });
    expect(cutMiddle("abc", 3)).toEqual({ kept: "abc", left: 0 });
  });
  test("keep the end of a long text too", () => {
    const { kept, left } = cutMiddle(`${"a".repeat(50_000)}rm -rf /`, 1000);
    expect(kept).toMatch(/^a{750}⟨… \d+ …⟩a+rm -rf \/$/);
    expect(left).toBe(50_008 - 1000);
  });
  test("part no surrogate pair", () => {
    expect(cutEnd("a😀b", 2)).toEqual({ kept: "a", left: 3 });
    expect(cutMiddle("😀".repeat(50), 10).kept).not.toMatch(/^(?:[^\uD800-\uDFFF]|😀)*[\uD800-\uDFFF]$/u);
    expect(visibleText(cutMiddle("😀".repeat(50), 11).kept)).not.toContain("U+D");
  });
});
