import { expect, test } from "vitest";
import { createIds } from "../kit/clock.ts";
import { Questions } from "./questions.ts";

const where = { sessionId: "s", callId: "c" };

test("an answer reaches the call that asked, once", async () => {
  const questions = new Questions(createIds());
  const asked = questions.ask("Which?", ["a", "b"], where, new AbortController().signal);
  const [view] = questions.open();
  expect(view).toMatchObject({ question: "Which?", options: ["a", "b"], sessionId: "s" });
  questions.answer(view?.id ?? "", "b");
  expect(await asked).toBe("b");
  expect(questions.open()).toEqual([]);
  expect(() => questions.answer(view?.id ?? "", "a")).toThrow(/no longer open/);
});
test("a stopped turn takes its question back", async () => {
  const questions = new Questions(createIds());
  const stop = new AbortController();
  const asked = questions.ask("Which?", [], where, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(asked).rejects.toThrow("stopped");
  expect(questions.open()).toEqual([]);
});
