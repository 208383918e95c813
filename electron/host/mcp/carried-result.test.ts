import { expect, test } from "vitest";
import { carried, uncarried } from "./carried-result.ts";

test.each([
  { resultType: "complete", tools: [{ name: "no schema" }], nextCursor: null },
  { resultType: "task", taskId: "t1", status: "working" },
])("a result comes through as it was: %j", (result) => {
  const message = carried({ jsonrpc: "2.0", id: 1, result });
  expect(message.result.resultType).toBe("complete");
  expect(uncarried(message.result)).toBe(result);
});
test("what the library has to read itself stays", () => {
  const asks = { id: 1, result: { resultType: "input_required", inputRequests: {} } };
  expect(carried(asks)).toBe(asks);
  expect(carried({ id: 1, error: { code: 1 } })).toEqual({ id: 1, error: { code: 1 } });
  const listens = { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 3 } };
  expect(carried({ id: 3, result: listens }).result._meta).toMatchObject(listens._meta);
  expect(uncarried({ content: [] })).toEqual({ content: [] });
});
