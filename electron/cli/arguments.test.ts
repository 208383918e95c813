import { expect, test } from "vitest";
import {
  allowFlags,
  jsonObject,
  oneOf,
  parseArguments as parse,
  UsageError,
  wholeNumber,
} from "./arguments.ts";

const parseArguments = (argv: string[]) => parse(argv, "/built");

test("a flag that nobody knows is a usage error that names it", () => {
  expect(() => parseArguments(["run", "--modle", "x"])).toThrow(/--modle/);
  expect(() => parseArguments(["run", "--modle", "x"])).toThrow(UsageError);
});
test("a flag of another command is a usage error with the usage", () => {
  const args = parseArguments(["skills", "list", "--port", "1"]);
  expect(() => allowFlags(args, [], "nacre skills list")).toThrow(/--port .*nacre skills list/);
});
test("words and numbers are checked before anything starts", () => {
  const args = parseArguments(["run", "--output", "xml", "--max-steps", "0", "--wait", "0"]);
  expect(() => oneOf(args, "output", ["text", "json"])).toThrow(/text, json, not "xml"/);
  expect(() => wholeNumber(args, "max-steps", 1)).toThrow(/from 1, not "0"/);
  expect(wholeNumber(args, "wait", 0)).toBe(0);
});
test("--allow may stand several times and a lone dash is a prompt", () => {
  const args = parseArguments(["run", "-", "--allow", "a", "--allow", "run_shell:git *"]);
  expect(args.positionals).toEqual(["run", "-"]);
  expect(args.list("allow")).toEqual(["a", "run_shell:git *"]);
});
test("arguments of a tool are a JSON object", () => {
  expect(jsonObject('{"a":1}', "JSON")).toEqual({ a: 1 });
  expect(() => jsonObject("[1]", "JSON")).toThrow(UsageError);
  expect(() => jsonObject("{", "JSON")).toThrow(/no JSON/);
});
test("what is no JSON is answered with what to write instead", () => {
  expect(() => jsonObject("git status", "JSON")).toThrow(
    /^this is no JSON: .*; write the arguments as an object, for example '\{"command": "git status"\}'$/,
  );
  expect(() => jsonObject("{'a':", "JSON")).toThrow(/for example '\{"command": "git status"\}'$/);
  expect(() => jsonObject("[1]", "JSON")).toThrow(/is a JSON object, for example '\{"command"/);
});
