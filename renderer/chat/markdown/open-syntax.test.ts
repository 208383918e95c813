import { expect, test } from "vitest";
import { closeOpenSyntax } from "./open-syntax.ts";

test.each([
  ["plain", "plain"],
  ["a **bo", "a **bo**"],
  ["a **bold** b", "a **bold** b"],
  ["a **", "a "],
  ["use `co", "use `co`"],
  ["use `", "use "],
  ["use ``a`b", "use ``a`b``"],
  ["`a**b` and **c", "`a**b` and **c**"],
  ["~~gone", "~~gone~~"],
  ["see [the pa", "see the pa"],
  ["see [the page]", "see the page"],
  ["see [the page](https://exam", "see the page"],
  ["see ![alt](https://exam", "see"],
  ["- [ ] task", "- [ ] task"],
  ["- [", "- ["],
  ["f(a[0]) is", "f(a[0]) is"],
  ["\\`not code", "\\`not code"],
])("%j → %j", (text, closed) => expect(closeOpenSyntax(text)).toBe(closed));
