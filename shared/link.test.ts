import { expect, test } from "vitest";
import { externalLink } from "./link.ts";

test.each([
  ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
  ["HTTPS://Example.COM/", "https://example.com/"],
  ["mailto:someone@example.com?subject=x", "mailto:someone@example.com?subject=x"],
  ["https://例え.jp/", "https://xn--r8jz45g.jp/"],
])("%s may be opened", (text, opened) => {
  expect(externalLink(text)).toBe(opened);
});

test.each([
  "file:///etc/passwd",
  "FILE:///etc/passwd",
  "smb://host/share",
  "ms-msdt:/id PCWDiagnostic",
  "ms-msdt:/id",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "\\\\host\\share",
  "//host/share",
  "vscode://file/x",
  "calculator:",
  "calculator://",
  " https://example.com",
  "\thttps://example.com",
  "https://example.com\t",
  "java\tscript:alert(1)",
  "ht\ntps://example.com",
  "https://trusted.example@evil.example/",
  "https:\\\\example.com",
  "blob:https://example.com/x",
  "about:blank",
  "example.com",
  "",
])("%j is refused", (text) => {
  expect(externalLink(text)).toBeUndefined();
});
