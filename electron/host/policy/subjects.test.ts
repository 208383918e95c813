import { expect, test } from "vitest";
import type { RuleAnswer } from "../../../shared/policy.ts";
import { rulesAnswer } from "./rules.ts";
import type { LocatedPath } from "./locate.ts";
import { callSubjects, ruleToStore } from "./subjects.ts";

const path = (names: string[]): LocatedPath => ({
  given: "given",
  real: names.at(-1) ?? "",
  access: "write",
  place: "workspace",
  names,
  protectedFolder: null,
  secret: false,
  folder: "/ws",
});
const call = { hosts: [], paths: [] };

test("each part, host and path is a subject", () => {
  expect(
    callSubjects({
      command: "a && b",
      hosts: ["API.Example.com."],
      paths: [path(["x", "/ws/x"])],
      names: ["p:s", "s"],
    }).map(({ names }) => names),
  ).toEqual([["a"], ["b"], ["api.example.com"], ["x", "/ws/x"], ["p:s", "s"]]);
  expect(callSubjects(call)).toEqual([]);
});
test("the same part counts once; of too many parts nothing but `*` allows, and all that denies is heard", () => {
  const names = (command: string) => callSubjects({ ...call, command }).map((subject) => subject.names);
  expect(names("a; b; a; a")).toEqual([["a"], ["b"]]);
  const many = Array.from({ length: 2_001 }, (_, index) => `a ${index}`).join(";");
  const subjects = callSubjects({ ...call, command: many });
  expect(subjects).toHaveLength(1);
  const answer = (answer: RuleAnswer, pattern: string) =>
    rulesAnswer([{ tool: "t", pattern, answer, source: "settings", trusted: true }], { all: ["t"] }, subjects)
      ?.answer;
  expect([answer("allow", "a *"), answer("allow", "*"), answer("allow", many)]).toEqual([
    undefined,
    "allow",
    "allow",
  ]);
  expect([answer("deny", "rm *"), answer("ask", "x")]).toEqual(["deny", "ask"]);
});
test.each([
  ["a tool without arguments", call, "t"],
  ["a command", { ...call, command: "git  'status'" }, "t:git status"],
  ["a word with a blank", { ...call, command: 'git "a b"' }, "t:git 'a b'"],
  ["a program with a blank", { ...call, command: "git\\ status" }, "t:'git status'"],
  ["a compound command, whole", { ...call, command: "a && b" }, "t:a && b"],
  ["a command with a wildcard", { ...call, command: "rm *" }, null],
  ["a quoted wildcard", { ...call, command: "find . -name '*.ts'" }, null],
  ["a host", { ...call, hosts: ["x.test"] }, "t:x.test"],
  ["two hosts", { ...call, hosts: ["x.test", "y.test"] }, null],
  ["a path", { ...call, paths: [path(["docs/x", "/ws/docs/x"])] }, "t:docs/x"],
  ["a skill", { ...call, names: ["pdf"] }, "t:pdf"],
])("always would store for %s", (_name, touch, rule) => {
  expect(ruleToStore("t", touch)).toBe(rule);
});
