import type { ApprovalChoice } from "./approval.ts";

/** Keys that come within this time of a question's appearance, or of one another, were meant for something else. */
export const guardMs = 300;

const choices: Readonly<Record<string, ApprovalChoice>> = {
  y: "once",
  s: "session",
  a: "always",
  n: "deny",
  "1": "once",
  "2": "session",
  "3": "always",
};
/** The answer that a key gives (spec 4), or undefined. */
export const choiceOfKey = (key: string): ApprovalChoice | undefined =>
  Object.hasOwn(choices, key.toLowerCase()) ? choices[key.toLowerCase()] : undefined;

/**
 * Lets an answer through only after a quiet time: someone who is typing when the question appears goes on for a moment.
 * `now` in ms.
 */
export class TypingGuard {
  #quietSince: number;
  constructor(now: number) {
    this.#quietSince = now;
  }
  /** True where an answer at `now` was meant; else the quiet time starts again. */
  passes(now: number): boolean {
    const quiet = now - this.#quietSince >= guardMs;
    if (!quiet) this.#quietSince = now;
    return quiet;
  }
}
