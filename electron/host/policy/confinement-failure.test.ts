import { expect, test } from "vitest";
import { confinementFailure } from "./confinement-failure.ts";

test.each([
  [
    "bwrap: Can't find source path /x: No such file or directory\n",
    1,
    /could not be made \(Can't find source path \/x/,
  ],
  ["bwrap: execvp nacre-none: No such file or directory\n", 1, /the program nacre-none was not found/],
  [
    "sandbox-exec: execvp() of 'none' failed: No such file or directory\n",
    71,
    /the program none was not found/,
  ],
])("the sandbox program's own complaint is named as such: %s", (output, code, expected) => {
  expect(confinementFailure(output, code)).toMatch(expected);
});
test.each([
  ["bwrap: something\n", 0],
  ["bwrap: something\nand more\n", 1],
  ["said first\nbwrap: something\n", 1],
  ["", 1],
])("output of the command itself is left as it is: %j", (output, code) => {
  expect(confinementFailure(output, code)).toBeUndefined();
});
