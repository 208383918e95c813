import { describe, expect, it } from "vitest";
import { parseToolArguments } from "./tool-arguments.ts";

describe("parseToolArguments", () => {
  it.each([
    ["", {}],
    ["  \n", {}],
    ["{}", {}],
    ['{"a":[1,"2"]}', { a: [1, "2"] }],
    [JSON.stringify('{"a":1}'), { a: 1 }],
  ])("takes %j", (text, input) => {
    expect(parseToolArguments(text)).toEqual({ input });
  });

  it.each([
    ['{"a":', "not valid JSON"],
    ["[1]", "not a list"],
    ["null", "not null"],
    ["3", "not number"],
    ['"plain"', "not valid JSON"],
  ])("reports %j and keeps the text", (text, words) => {
    const result = parseToolArguments(text);
    expect(result.input).toBe(text);
    expect("inputError" in result && result.inputError).toContain(words);
    expect("inputError" in result && result.inputError).toContain(text);
  });

  it("shows at most 200 characters of long arguments", () => {
    const result = parseToolArguments(`{"a":"${"x".repeat(5_000)}`);
    expect("inputError" in result && result.inputError.length).toBeLessThan(500);
  });
});
