import type { RuleAnswer } from "../../shared/policy.ts";
import { marks, type StateMark } from "./states.ts";

/** How the gate's answers look: a tick, two bars that wait, a diamond. */
export const answerMarks: Readonly<Record<RuleAnswer, StateMark>> = {
  allow: marks.done,
  ask: marks.waits,
  deny: marks.failed,
};
