import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

function split(chunks: readonly Buffer[], limit = 1000): { lines: string[]; tooLong: string[] } {
  const lines: string[] = [];
  const tooLong: string[] = [];
  const splitter = new LineSplitter(
    limit,
    (line) => lines.push(line),
    (start) => tooLong.push(start),
  );
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, tooLong };
}
const bytes = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe("LineSplitter", () => {
  it("keeps characters whole over chunks of one byte", () => {
    expect(split(bytes("é😀\n漢字\n"))).toEqual({ lines: ["é😀", "漢字"], tooLong: [] });
  });
  it("drops the byte order mark and carriage returns, keeps empty lines", () => {
    expect(split([Buffer.from("\uFEFFa\r\n\nb")]).lines).toEqual(["a", "", "b"]);
  });
  it("reports a line over the limit once and goes on with the next", () => {
    const { lines, tooLong } = split(
      [Buffer.from("ok\n"), ...bytes("x".repeat(50)), Buffer.from("yyy\nnext\n")],
      20,
    );
    expect(lines).toEqual(["ok", "next"]);
    expect(tooLong).toEqual(["x".repeat(20)]);
  });
  it("gives the same lines however the bytes are cut", () => {
    const text = fc.array(
      fc.string({ unit: "binary" }).filter((line) => !/[\n\r\uFEFF]/.test(line)),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 10 }), (lines, cuts) => {
        const whole = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const chunks: Buffer[] = [];
        let from = 0;
        for (const cut of cuts) {
          chunks.push(whole.subarray(from, from + cut));
          from += cut;
        }
        chunks.push(whole.subarray(from));
        expect(split(chunks, 1_000_000).lines).toEqual(
          lines.map((line) => Buffer.from(line).toString("utf8")),
        );
      }),
    );
  });
});
