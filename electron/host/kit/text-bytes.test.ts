import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { textOfBytes } from "./text-bytes.ts";

const finding = (bytes: Buffer) => {
  const read = textOfBytes(bytes);
  if (read.ok) throw new Error(`read as ${JSON.stringify(read.text)}`);
  return read.finding;
};

test("UTF-8 is read as it stands, a byte-order mark with it", () => {
  for (const text of ["", "plain", "\uFEFF---\nname: a\n", "拆分小说 😀 é\r\n"])
    expect(textOfBytes(Buffer.from(text))).toEqual({ ok: true, text });
});
test.each([
  ["Latin-1", Buffer.from("name: a\ndescription: caf\xe9\n", "latin1"), 24, 2, "E9"],
  ["a byte that never occurs", Buffer.from([0x61, 0xff]), 1, 1, "FF"],
  ["a character cut at the end", Buffer.from([0x61, 0x0d, 0x62, 0x0d, 0x0a, 0xe6, 0x8b]), 5, 3, "E6"],
  ["a surrogate", Buffer.from([0x61, 0x62, 0xed, 0xa0, 0x80, 0x61]), 2, 1, "ED"],
  ["a slash written too long", Buffer.from([0x0a, 0xc0, 0xaf]), 1, 2, "C0"],
  ["GBK", Buffer.from([0x61, 0x3a, 0x20, 0xb2, 0xf0, 0x0a]), 3, 1, "B2"],
])("%s: the byte, its offset and its line", (_what, bytes, offset, line, hex) => {
  expect(finding(bytes)).toMatchObject({
    code: "text-not-utf-8",
    severity: "error",
    line,
    message: `byte 0x${hex} at offset ${offset} (line ${line}) is no UTF-8`,
  });
});
test("all before the byte is UTF-8, and nothing that goes on with it is", () => {
  const parts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (list) => {
      const bytes = Buffer.concat(list);
      const read = textOfBytes(bytes);
      if (read.ok || read.finding.code !== "text-not-utf-8") return;
      const offset = Number(/offset (\d+)/.exec(read.finding.message)?.[1]);
      expect(isUtf8(bytes.subarray(0, offset))).toBe(true);
      for (let more = 1; more <= 4; more++) expect(isUtf8(bytes.subarray(0, offset + more))).toBe(false);
    }),
  );
});
test("UTF-16 is named as such, with a mark and without", () => {
  const text = "---\nname: a\n---\n";
  const little = Buffer.from(text, "utf16le");
  const big = Buffer.from(little).swap16();
  expect(finding(Buffer.concat([Buffer.from([0xff, 0xfe]), little])).message).toContain("UTF-16 LE");
  expect(finding(Buffer.concat([Buffer.from([0xfe, 0xff]), big])).message).toContain("UTF-16 BE");
  expect(finding(little)).toMatchObject({ code: "text-utf-16", severity: "error" });
  expect(finding(big).message).toContain("UTF-16 BE");
});
test("a NUL byte is told with its place", () => {
  expect(finding(Buffer.from("---\nname: a\0b\n"))).toMatchObject({
    code: "text-nul",
    line: 2,
    message: "byte 11 of the file is NUL: it is no text",
  });
});
test("a NUL byte may be kept", () => {
  expect(textOfBytes(Buffer.from("a\0b"), "kept")).toEqual({ ok: true, text: "a\0b" });
});
