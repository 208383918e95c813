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
  it("hides a secret in base64, whatever stands before and after it, and in an address", () => {
    const masker = createMasker();
    const secret = "p4ss/w&rd+with?all";
    masker.add(secret);
    for (const before of ["", "u", "us", "user:"])
      for (const after of ["", ":", "\n", "zz"]) {
        const bytes = Buffer.from(before + secret + after);
        for (const encoding of ["base64", "base64url"] as const) {
          const masked = masker.mask(`x ${bytes.toString(encoding)} y`);
          expect(Buffer.from(masked.slice(2, -2), encoding).toString()).not.toContain("w&rd+with?");
          expect(masked).toContain("***");
        }
      }
    expect(masker.mask(`https://a.test/?q=${encodeURIComponent(secret)}&z`)).toBe("https://a.test/?q=***&z");
  });
  it("hides the lines of a secret that has several, each where it stands alone", () => {
    const masker = createMasker();
    masker.add("-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----\n");
    expect(masker.mask("first MIIEvQIBADAN\nsecond BgkqhkiG9w0B")).toBe("first ***\nsecond ***");
  });
  it("hides a secret that comes in pieces, at every border, and the beginning of one that is cut off", () => {
    const masker = createMasker();
    masker.add("hunter22-longer");
    const text = "a hunter22-longer b hunter22x";
    for (let first = 0; first <= text.length; first++)
      for (let second = first; second <= text.length; second++) {
        const stream = masker.stream();
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        expect(pieces.map((piece) => stream.push(piece)).join("") + stream.end()).toBe("a *** b hunter22x");
      }
    const cut = masker.stream();
    expect(cut.push("it is hunter22-lo") + cut.end()).toBe("it is ***");
    const short = masker.stream();
    expect(short.push("a hun") + short.end()).toBe("a hun");
  });
  it("masks data in depth and keeps it valid, whatever the secret is", () => {
    const masker = createMasker();
    masker.add("n123456");
    const value = { text: "line\n123456 n123456", list: [1, null, { n123456: true }] };
    expect(masker.masked(value)).toEqual({ text: "line\n123456 ***", list: [1, null, { "***": true }] });
  });
});
