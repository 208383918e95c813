import { describe, expect, it } from "vitest";
import type { McpRequest, McpRequestAnswer } from "../../../shared/mcp-request.ts";
import { answerElicitation } from "./elicitation.ts";

const { signal } = new AbortController();
const schema = {
  type: "object",
  properties: {
    name: { type: "string", default: "Ada" },
    age: { type: "integer", default: 0 },
    happy: { type: "boolean", default: false },
    tags: { type: "array", default: ["a"] },
    note: { type: "string" },
  },
};
/** Answers with `answer` and notes what was asked. */
async function ask(params: object, answer: McpRequestAnswer) {
  const asked: McpRequest[] = [];
  const person = (question: McpRequest): Promise<McpRequestAnswer> => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  return { asked, result: await answerElicitation({ ...params }, "far", person, signal) };
}

describe("elicitation", () => {
  it("asks by the form of the server, with its name", async () => {
    const { asked } = await ask({ message: "Who?", requestedSchema: schema }, { action: "decline" });
    expect(asked).toEqual([{ kind: "form", server: "far", message: "Who?", schema }]);
  });
  it("fills what was left out with the defaults, false and 0 among them", async () => {
    const { result } = await ask({ requestedSchema: schema }, { action: "accept", content: { age: 7 } });
    expect(result).toEqual({ action: "accept", content: { name: "Ada", age: 7, happy: false, tags: ["a"] } });
  });
  it("sends nothing but flat values", async () => {
    const content = { note: { deep: true }, name: "Bob" };
    const { result } = await ask({ requestedSchema: schema }, { action: "accept", content });
    expect(result.content).not.toHaveProperty("note");
  });
  it.each(["decline", "cancel"] as const)("%s: sends no content", async (action) => {
    expect((await ask({ requestedSchema: schema }, { action })).result).toEqual({ action });
  });
  it.each(["file:///etc/passwd", "javascript:alert(1)", "ms-settings:", 7])(
    "declines to show %s",
    async (url) => {
      const { asked, result } = await ask({ mode: "url", url }, { action: "accept" });
      expect(asked).toEqual([]);
      expect(result).toEqual({ action: "decline" });
    },
  );
  it("shows a url and sends that the person agreed, nothing else", async () => {
    const { asked, result } = await ask(
      { mode: "url", message: "Sign", url: "https://a.example/x" },
      { action: "accept", content: { secret: "x" } },
    );
    expect(asked).toEqual([{ kind: "url", server: "far", message: "Sign", url: "https://a.example/x" }]);
    expect(result).toEqual({ action: "accept" });
  });
});
