import { describe, expect, it } from "vitest";
import { readCallResult, toToolOutput } from "./tool-result.ts";

const output = (raw: unknown) => toToolOutput(readCallResult(raw));

describe("tools/call results", () => {
  it("joins texts and keeps structured content", () => {
    expect(
      output({
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
        structuredContent: { n: 1 },
      }),
    ).toMatchObject({ output: "a\nb", isError: false, sandboxed: null, structuredContent: { n: 1 } });
  });
  it("shows structured content alone as JSON", () => {
    expect(output({ content: [], structuredContent: { n: 1 } }).output).toBe('{"n":1}');
    expect(output({ structuredContent: [1] }).output).toBe("[1]");
  });
  it("isError is a failure", () => {
    expect(output({ content: [{ type: "text", text: "no" }], isError: true })).toMatchObject({
      isError: true,
    });
  });
  it("gives images, and says type and size", () => {
    const data = Buffer.from("12345").toString("base64");
    expect(
      output({
        content: [
          { type: "image", mimeType: "image/png", data },
          { type: "audio", mimeType: "audio/wav", data: "A".repeat(4000) },
        ],
      }),
    ).toMatchObject({
      output: "[image image/png, 5 bytes]\n[audio audio/wav, 3 KB]",
      images: [{ mediaType: "image/png", base64: data }],
    });
  });
  it("gives no image that is too large, and not more of them than a conversation can carry", () => {
    const image = (letters: number) => ({ type: "image", mimeType: "image/png", data: "A".repeat(letters) });
    const mega = 1024 * 1024;
    const large = output({ content: [image(8 * mega), image(4)] });
    expect(large.images).toHaveLength(1);
    expect(large.output).toBe(
      "[image image/png, 6144 KB]\n[image image/png, 3 bytes]\n(too large to be looked at: 1 of the images)",
    );
    expect(output({ content: Array.from({ length: 6 }, () => image(6 * mega)) }).images).toHaveLength(4);
  });
  it("gives resources", () => {
    expect(
      output({
        content: [
          { type: "resource", resource: { uri: "a://1", text: "inside" } },
          { type: "resource", resource: { uri: "a://2", blob: "AAAA" } },
          { type: "resource_link", uri: "a://3", name: "three" },
        ],
      }).output,
    ).toBe("inside\n[resource a://2, 3 bytes]\n[resource three: a://3]");
  });
  it.each([
    [{ content: [{ type: "video", url: "u" }] }, '{"type":"video","url":"u"}'],
    [{ content: [{ type: "text", text: null }] }, '{"type":"text","text":null}'],
    [{ content: ["loose"] }, '{"type":"unknown","value":"loose"}'],
    [{ toolResult: { old: true } }, '{"old":true}'],
    [{ something: 1 }, '{"something":1}'],
    [null, "null"],
    [{ content: [] }, ""],
  ])("never refuses %j", (raw, text) => {
    expect(output(raw).output).toBe(text);
  });
});
