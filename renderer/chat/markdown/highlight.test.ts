import { expect, test } from "vitest";
import { highlightWhenIdle } from "./highlight.ts";

test("words get classes and the text is escaped", async () => {
  const html = await highlightWhenIdle('const a = "<b>";', "ts");
  expect(html).toContain('<span class="hljs-keyword">const</span>');
  expect(html).toContain("&lt;b&gt;");
});

test.each([
  ["plain", ""],
  ["plain", "klingon"],
  ["x".repeat(60_001), "ts"],
])("stays plain: %#", async (text, language) => expect(await highlightWhenIdle(text, language)).toBeNull());
