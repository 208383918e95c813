import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlToText } from "./html-text.ts";

const text = (html: string): string => htmlToText(html, "https://example.com/dir/page");

describe("htmlToText", () => {
  it.each<[string, string, string]>([
    ["paragraphs", "<p>one  two\n three</p><p>four</p>", "one two three\n\nfour"],
    ["headings", "<h1>A</h1>x<h3>B</h3>", "# A\n\nx\n\n### B"],
    ["lists", "<ul><li>a</li><li><p>b</p></li><li></li></ul>", "- a\n- b"],
    ["line breaks", "a<br>b<br/>c", "a\nb\nc"],
    [
      "tables",
      "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
      "a | b |\n1 | 2 |",
    ],
    ["links", '<a href="../x?a=1&amp;b=2">go</a> on', "go (https://example.com/x?a=1&b=2) on"],
    ["links that lead nowhere", '<a href="#top">up</a><a href="javascript:x">js</a>', "upjs"],
    ["images", '<img src=x alt="a cat"><img src=y>', "[image: a cat]"],
    ["title", "<head><title>The\n page</title><style>p{}</style></head><p>x", "# The page\n\nx"],
    ["scripts", "a<script>if (1 < 2) '<p>'</script>b<STYLE>x</Style >c", "abc"],
    ["comments", "a<!-- <p>no</p> -->b<!doctype html>c", "abc"],
    ["preformatted", "<pre>a\n  b\n\n</pre>c", "a\n  b\n\nc"],
    ["entities", "1 &lt; 2 &amp;&nbsp;3 &#8364; &#x20AC; &unknown; &#0;", "1 < 2 & 3 € € &unknown; &#0;"],
    ["text that only looks like tags", "1 < 2 and a <3", "1 < 2 and a <3"],
    ["quotes in attributes", '<p title="a > b">x</p>', "x"],
    ["quotes that quote nothing", "<p don't>x</p>it's", "x\n\nit's"],
    ["unclosed", "<p>a<script>b", "a"],
  ])("%s", (_name, html, expected) => expect(text(html)).toBe(expected));
  it("ends once enough is written", () => {
    expect(htmlToText("<p>abc</p>".repeat(10_000), "https://example.com/", 30).length).toBeLessThan(60);
  });
  it("ends on whatever it is given", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "/",
      "a",
      "p",
      "!--",
      "-->",
      '"',
      "'",
      "=",
      " ",
      "script",
      "&#x",
      ";",
      "\n",
      "pre",
      "href=",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (parts) => typeof text(parts.join("")) === "string"),
    );
  });
});
