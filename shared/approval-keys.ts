import type { ApprovalChoice } from "./approval.ts";

/** A key answers once nothing was typed for this long, in ms: what came before was meant for something else. */
export const guardMs = 500;
/** A press of the pointer counts from this long after a question's appearance on, in ms. */
export const pointerGuardMs = 300;

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
 * It is told of everything that is pressed, not of answers alone. Times in ms.
 */
export class TypingGuard {
  readonly #quietMs: number;
  #quietSince: number;
  constructor(now: number, quietMs: number = guardMs) {
    this.#quietSince = now;
    this.#quietMs = quietMs;
  }
  /** True where what was pressed at `now` was meant; else the quiet time starts again. */
  passes(now: number): boolean {
    const quiet = now - this.#quietSince >= this.#quietMs;
    if (!quiet) this.restart(now);
    return quiet;
  }
  /** What was pressed at `now` is typing: what follows at once is too. */
  restart(now: number): void {
    this.#quietSince = now;
  }
}
