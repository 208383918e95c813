import { expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import type { ChatModel, ModelEvent, ModelFailure } from "../../../shared/model.ts";
import { withFallback } from "./fallback-model.ts";

const request = { system: "", messages: [], tools: [] };
const never = new AbortController().signal;
const model = (id: string, ...steps: (ModelEvent | ModelFailure)[]): ChatModel & { calls: number } => {
  const made = {
    id,
    calls: 0,
    async *stream(): AsyncGenerator<ModelEvent, void> {
      made.calls++;
      for (const step of steps) {
        if (typeof step === "string")
          throw new NacreError("model", `${id}: ${step}`, { data: { failure: step } });
        yield step;
      }
    },
  };
  return made;
};
const done: ModelEvent = { type: "finish", reason: "stop" };
const read = async (one: ChatModel): Promise<ModelEvent[]> => {
  const events: ModelEvent[] = [];
  for await (const event of one.stream(request, never)) events.push(event);
  return events;
};

test("the first answers where its server knows it", async () => {
  const [first, second] = [model("a/x", done), model("a/y", done)];
  const both = withFallback(first, second, "why");
  expect(await read(both)).toEqual([done]);
  expect([both.id, second.calls]).toEqual(["a/x", 0]);
});
test("the second answers from then on where it does not, and is named", async () => {
  const [first, second] = [model("a/x", "unknown_model"), model("a/y", done)];
  const both = withFallback(first, second, "x cannot be used");
  expect(await read(both)).toEqual([
    { type: "notice", text: "x cannot be used: a/x: unknown_model. a/y answers instead." },
    done,
  ]);
  expect(both.id).toBe("a/y");
  expect(await read(both)).toEqual([done]);
  expect(first.calls).toBe(1);
});
test("any other failure is the turn's", async () => {
  const both = withFallback(model("a/x", "rate_limit"), model("a/y", done), "why");
  await expect(read(both)).rejects.toThrow("rate_limit");
});
