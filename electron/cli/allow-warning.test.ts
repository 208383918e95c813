import { expect, test } from "vitest";
import { allowWarnings } from "./allow-warning.ts";

const names = ["run_shell", "read_file", "count_words"];

test("an --allow that names no tool is told, with the near name", () => {
  expect(allowWarnings(["runshell:ls"], names)).toEqual([
    '--allow runshell:ls: there is no tool "runshell", so it allows nothing; did you mean run_shell?',
  ]);
  expect(allowWarnings(["frobnicate"], names)).toEqual([
    '--allow frobnicate: there is no tool "frobnicate", so it allows nothing; nacre tools list names them',
  ]);
});
test.each(["run_shell:ls", "RUN_SHELL", "Bash:ls", "count_words", "run*:ls", "mcp__s__t", "mcp.s.t", "a/b"])(
  "an --allow of %s is not",
  (pattern) => expect(allowWarnings([pattern], names)).toEqual([]),
);
