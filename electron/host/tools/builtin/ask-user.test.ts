import { expect, it } from "vitest";
import { askUserTool } from "./ask-user.ts";
import { testRun } from "./test-run.ts";

const withAsking = () => {
  const run = testRun("/", { sessionId: "s1" });
  return { ...run, caller: { ...run.caller, canAsk: true } };
};

it("hands question and options to the person and gives the answer", async () => {
  const asked: unknown[] = [];
  const tool = askUserTool((question, options, where) => {
    asked.push(question, options, where);
    return Promise.resolve("blue");
  });
  const result = await tool.run({ question: "Which?", options: ["red", "blue"] }, withAsking());
  expect(result).toEqual({ output: "blue", isError: false, sandboxed: null });
  expect(asked).toEqual(["Which?", ["red", "blue"], { sessionId: "s1", callId: "call-1" }]);
});
it("says that nobody is there, without a port and headless", async () => {
  const never = (): Promise<string> => Promise.reject(new Error("asked"));
  await expect(askUserTool(undefined).run({ question: "?" }, withAsking())).rejects.toThrow(/nobody is here/);
  await expect(askUserTool(never).run({ question: "?" }, testRun("/"))).rejects.toThrow(/nobody is here/);
});
it("never runs beside other calls", () => {
  expect(askUserTool(undefined).parallel?.({})).toBe(false);
});
