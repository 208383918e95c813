import { describe, expect, it } from "vitest";
import { paramHeaders, readParamHeaders } from "./param-headers.ts";

const region = { type: "string", "x-mcp-header": "Region" };
const schema = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("x-mcp-header", () => {
  it("names arguments at any depth of properties", () => {
    expect(
      readParamHeaders(schema({ region, at: schema({ zone: { type: "integer", "x-mcp-header": "Zone" } }) })),
    ).toEqual([
      { path: ["region"], header: "Region" },
      { path: ["at", "zone"], header: "Zone" },
    ]);
  });
  it("is no declaration where a property or a default merely bears the name", () => {
    expect(readParamHeaders(schema({ "x-mcp-header": { type: "string" } }))).toEqual([]);
    expect(readParamHeaders(schema({ a: { type: "object", default: { "x-mcp-header": "" } } }))).toEqual([]);
  });
  it.each([
    ["empty", { a: { type: "string", "x-mcp-header": "" } }],
    ["a blank", { a: { type: "string", "x-mcp-header": "My Region" } }],
    ["a colon", { a: { type: "string", "x-mcp-header": "Region:" } }],
    ["a line break", { a: { type: "string", "x-mcp-header": "A\r\nB" } }],
    ["not ASCII", { a: { type: "string", "x-mcp-header": "Región" } }],
    ["no text", { a: { type: "string", "x-mcp-header": 1 } }],
    ["an object", { a: { type: "object", "x-mcp-header": "A" } }],
    ["a number, which has no one way to be written", { a: { type: "number", "x-mcp-header": "A" } }],
    ["twice", { a: region, b: { ...region, "x-mcp-header": "REGION" } }],
    ["in the items of a list", { a: { type: "array", items: region } }],
    ["in a choice", { a: { anyOf: [region] } }],
    ["in the properties of a choice", { a: { anyOf: [schema({ region })] } }],
  ])("%s: makes the tool unusable", (_, properties) => {
    expect(readParamHeaders(schema(properties))).toEqual(expect.any(String));
  });
  it("makes it unusable in definitions and at the root", () => {
    expect(readParamHeaders(schema({}, { $defs: { region } }))).toEqual(expect.any(String));
    expect(readParamHeaders(schema({}, { "x-mcp-header": "A" }))).toEqual(expect.any(String));
  });
  it("does not follow a schema without end", () => {
    let deep: object = region;
    for (let depth = 0; depth < 10_000; depth++) deep = { properties: { a: deep } };
    expect(readParamHeaders(schema({ deep }))).toContain("too deeply");
  });
  it.each<[unknown, string | undefined]>([
    ["us-west1", "us-west1"],
    ["us west 1", "us west 1"],
    ["", "=?base64??="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="],
    ["世", "=?base64?5LiW?="],
    ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
    [42, "42"],
    [2 ** 60, undefined],
    [Infinity, undefined],
    [false, "false"],
    [null, undefined],
    [undefined, undefined],
    [{ a: 1 }, undefined],
  ])("%j is sent as %j", (value, header) => {
    expect(paramHeaders([{ path: ["region"], header: "Region" }], { region: value })).toEqual(
      header === undefined ? {} : { "Mcp-Param-Region": header },
    );
  });
});
