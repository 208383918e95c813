import { describe, expect, it } from "vitest";
import { withResultType } from "./result-type.ts";

describe("a result of the newer era", () => {
  it("counts as complete where it does not say what it is", () => {
    expect(withResultType({ jsonrpc: "2.0", id: 1, result: { content: [] } })).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { content: [], resultType: "complete" },
    });
  });
  it.each([
    { jsonrpc: "2.0", id: 1, result: { resultType: "input_required", inputRequests: {} } },
    { jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } },
    { jsonrpc: "2.0", method: "notifications/message", params: {} },
  ])("stays as it came: %j", (message) => {
    expect(withResultType(message)).toBe(message);
  });
});
