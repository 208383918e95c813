import { expect, test } from "vitest";
import type { TurnEvent } from "../host/chat/turn.ts";
import { createMasker } from "../host/kit/mask.ts";
import { maskedEvents } from "./masked-run.ts";

const shownOf = (events: readonly TurnEvent[]): TurnEvent[] => {
  const masker = createMasker();
  masker.add("hunter22-longer");
  const shown: TurnEvent[] = [];
  const show = maskedEvents(masker, (event) => shown.push(event));
  events.forEach(show);
  return shown;
};
const output = (callId: string, text: string): TurnEvent => ({ type: "tool_output", callId, text });
const text = (piece: string): TurnEvent => ({ type: "text", message: "m", text: piece });
const result = (id: string, more: string): TurnEvent => ({
  type: "tool_result",
  result: {
    id,
    name: "run_shell",
    title: "run_shell",
    origin: "builtin",
    input: { command: "echo hunter22-longer" },
    output: more,
    isError: false,
    durationMs: 1,
    decision: "allow",
    sandboxed: false,
    by: "policy",
  },
});

test("a secret that lies across two pieces of a call's output is hidden, whatever comes between them", () => {
  const shown = shownOf([
    output("a", "it is hunter"),
    output("b", "other"),
    output("a", "22-longer, and"),
    result("a", "it is hunter22-longer"),
    result("b", "other"),
  ]);
  expect(JSON.stringify(shown)).not.toContain("22-longer");
  const ofA = shown.flatMap((event) =>
    event.type === "tool_output" && event.callId === "a" ? [event.text] : [],
  );
  expect(ofA.join("")).toBe("it is ***, and");
});
test("nothing is lost or overtaken: what was held back comes before the next event", () => {
  const shown = shownOf([
    text("say h"),
    text("unt"),
    { type: "step", step: 2 },
    output("a", "hun"),
    result("a", "hun"),
  ]);
  expect(shown.map((event) => ("text" in event ? event.text : event.type))).toEqual([
    "say ",
    "hunt",
    "step",
    "hun",
    "tool_result",
  ]);
});
