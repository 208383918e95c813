import { describe, expect, it } from "vitest";
import { ToolCallParts } from "./tool-call-parts.ts";

type Piece = { index?: number; id?: string | null; function?: { name?: string | null; arguments?: string } };
const put = (pieces: readonly Piece[]): string[] => {
  const parts = new ToolCallParts();
  for (const piece of pieces) parts.add(piece);
  return parts.calls().map(({ id, name, arguments: text }) => `${id} ${name} ${text}`);
};
const call = (name: string | undefined, text: string, more: Piece = {}): Piece => ({
  ...more,
  function: { ...(name === undefined ? {} : { name }), arguments: text },
});

describe("ToolCallParts", () => {
  it.each<[string, Piece[], string[]]>([
    [
      "numbered pieces that alternate",
      [
        call("read", "", { index: 0, id: "a" }),
        call("grep", '{"x":', { index: 1, id: "b" }),
        call(undefined, '{"p":1}', { index: 0 }),
        call(undefined, "2}", { index: 1 }),
      ],
      ['a read {"p":1}', 'b grep {"x":2}'],
    ],
    [
      "numbers that come out of order",
      [call("two", "{}", { index: 1, id: "b" }), call("one", "{}", { index: 0, id: "a" })],
      ["a one {}", "b two {}"],
    ],
    [
      "whole calls without numbers (Google)",
      [call("read", '{"a":1}', { id: "a" }), call("read", '{"a":2}', { id: "b" })],
      ['a read {"a":1}', 'b read {"a":2}'],
    ],
    [
      "whole calls without numbers and without ids",
      [call("read", '{"a":1}'), call("read", '{"a":2}')],
      [' read {"a":1}', ' read {"a":2}'],
    ],
    [
      "the same number for each call",
      [
        call("read", '{"a":1}', { index: 0, id: "a" }),
        call("read", '{"a":', { index: 0, id: "b" }),
        call(undefined, "2}", { index: 0, id: "b" }),
      ],
      ['a read {"a":1}', 'b read {"a":2}'],
    ],
    [
      "the same number and no ids",
      [call("read", '{"a":1}', { index: 0 }), call("read", '{"a":2}', { index: 0 })],
      [' read {"a":1}', ' read {"a":2}'],
    ],
    [
      "id and name with every piece",
      [
        call("read", '{"a":', { index: 0, id: "a" }),
        call("read", '"b', { index: 0, id: "a" }),
        call("read", '"}', { index: 0, id: "a" }),
      ],
      ['a read {"a":"b"}'],
    ],
    [
      "empty ids and names behind the first piece",
      [
        call("read", '{"a"', { index: 0, id: "a" }),
        call("", ":1", { index: 0, id: "" }),
        { index: 0, id: null, function: { name: null, arguments: "}" } },
      ],
      ['a read {"a":1}'],
    ],
    [
      "a name that comes after its arguments",
      [call(undefined, '{"a":1', { index: 0, id: "a" }), call("read", "}", { index: 0 })],
      ['a read {"a":1}'],
    ],
    [
      "pieces without numbers that only go on",
      [call("read", '{"a":', { id: "a" }), call(undefined, "1}")],
      ['a read {"a":1}'],
    ],
    ["a call without a name", [call(undefined, "{}", { index: 0, id: "a" })], []],
  ])("takes %s", (_what, pieces, wanted) => expect(put(pieces)).toEqual(wanted));
  it("passes over what is no piece", () => {
    const parts = new ToolCallParts();
    for (const piece of [null, 3, "x", [], { function: 3 }]) parts.add(piece);
    expect(parts.calls()).toEqual([]);
  });
});
