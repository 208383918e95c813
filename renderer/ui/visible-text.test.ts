import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test.each([
  ["plain text, with\ttabs\nand lines", "plain text, with\ttabs\nand lines"],
  ["中文，日本語, 한국어, émigré", "中文，日本語, 한국어, émigré"],
  ["safe\u202Ecod.exe", "safe⟨U+202E⟩cod.exe"],
  ["a\u200Bb", "a⟨U+200B⟩b"],
  ["a\u00A0b", "a⟨U+00A0⟩b"],
  ["\u001B[2J", "⟨U+001B⟩[2J"],
  ["over\rwritten", "over⟨U+000D⟩written"],
  ["\u{E0041}", "⟨U+E0041⟩"],
  ["\u3164", "⟨U+3164⟩"],
])("%j", (text, shown) => expect(visibleText(text)).toBe(shown));
