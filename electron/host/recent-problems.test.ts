import { expect, test } from "vitest";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { recentProblems } from "./recent-problems.ts";

const problem = (message: string): Diagnostic => ({ code: "quarantined", severity: "warning", message });

test("the newest problems of calls are kept, each once, and never more than anybody reads", () => {
  let shown: readonly Diagnostic[] = [];
  const tell = recentProblems((list) => (shown = list));
  for (let number = 0; number < 1000; number += 1) tell(problem(`file ${number}`));
  tell(problem("file 990"));
  expect(shown).toHaveLength(32);
  expect(shown.at(-1)?.message).toBe("file 990");
  expect(shown[0]?.message).toBe("file 968");
});
