import { describe, expect, it } from "vitest";
import { createMasker } from "./mask.ts";

describe("createMasker", () => {
  it("hides what it was told, wherever it stands", () => {
    const masker = createMasker();
    masker.add("hunter22");
    masker.add("hunter22-longer");
    masker.add('with "quotes"\nand lines');
    expect(masker.mask("a hunter22 b hunter22-longer c hunter22")).toBe("a *** b *** c ***");
    expect(masker.mask(JSON.stringify({ key: 'with "quotes"\nand lines' }))).toBe('{"key":"***"}');
  });
  it("passes over what is too short, and takes a secret as text, not as a pattern", () => {
    const masker = createMasker();
    masker.add("abc");
    masker.add("");
    masker.add("a.c+d$e(");
    expect(masker.mask("abc a.c+d$e( aXc+d$e(")).toBe("abc *** aXc+d$e(");
  });
  it.each([
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer ***"],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic ***"}'],
    ["key sk-proj-abcdefghijklmnop1234 end", "key sk-*** end"],
    ["sk-ant-api03-abcdefghijklmnop", "sk-***"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_***"],
    ["AKIAABCDEFGHIJKLMNOP", "AKIA***"],
    ["https://user:p4ss@proxy.test:8080/x", "https://user:***@proxy.test:8080/x"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh", "eyJ***"],
  ])("hides what looks like a secret: %s", (text, masked) => {
    expect(createMasker().mask(text)).toBe(masked);
  });
  it.each([
    "Basic functionality",
    "a task-list",
    "https://example.com:8080/a@b",
    "disk-usage",
    "ask-me-anything-now",
  ])("leaves %s", (text) => expect(createMasker().mask(text)).toBe(text));
  it("takes long texts in linear time", () => {
    const text = `${"a://".repeat(50_000)}${"sk-".repeat(50_000)}${"Bearer ".repeat(50_000)}`;
    expect(createMasker().mask(text).length).toBeGreaterThan(0);
  });
});
