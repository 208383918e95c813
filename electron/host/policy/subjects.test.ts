import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RuleAnswer } from "../../../shared/policy.ts";
import { allowRules, rulesAnswer } from "./rules.ts";
import type { Rule } from "../config/permission.ts";
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
test("the same part counts once", () => {
  const names = callSubjects({ ...call, command: "a; b; a; a" }).map((subject) => subject.names);
  expect(names).toEqual([["a"], ["b"]]);
});
test("of more than can be compared nothing but `*` or the very text allows, and all that denies or asks is heard", () => {
  const command = Array.from({ length: 2_000 }, (_, index) => `a ${index}`).join(";");
  const subjects = callSubjects({ ...call, command });
  const answer = (answer: RuleAnswer, pattern: string, more = subjects) => {
    const rule = { tool: "t", pattern, answer, source: "settings", trusted: true };
    const others = Array<Rule>(200).fill({ ...rule, pattern: "z", answer: "allow" });
    return rulesAnswer([...others, rule], { all: ["t"] }, more)?.answer;
  };
  expect([answer("allow", "a *"), answer("allow", "*"), answer("allow", command)]).toEqual([
    undefined,
    "allow",
    "allow",
  ]);
  expect([answer("deny", "rm *"), answer("ask", "x")]).toEqual(["deny", "ask"]);
  expect(answer("allow", command, [...subjects, { names: ["/x"] }])).toBeUndefined();
  expect(answer("deny", "rm *", subjects.slice(0, 10))).toBeUndefined();
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

describe("what is offered for a command", () => {
  const allows = (rule: string, command: string): boolean =>
    rulesAnswer(allowRules([rule]), { all: ["t"] }, callSubjects({ ...call, command })) !== undefined;
  test.each([
    ["printf 'a b'; # and no more", "printf 'a  b'"],
    ["printf '…'; # …", "printf '.'"],
    ["printf 'a;b' # c", "printf a; b"],
    ["git\\ status", "git status"],
    ["./build all", "'./build all'"],
    ["'./build all'", "./build all"],
    ['X="a b" git status', "'X=a b' git status"],
    ["echo $x", 'echo "$x"'],
    ["echo '$x'", "echo $x"],
    ["a && b # c", "a; b"],
    ["if a; then b; fi", "if b; then a; fi"],
    ["cat <<EOF\nx\nEOF", "cat <<EOF\ny\nEOF"],
    ["> 'a b'", "> a b"],
  ])("%j allows it again and no other: %j", (command, other) => {
    const rule = ruleToStore("t", { ...call, command }) ?? "none";
    expect([rule, allows(rule, command), allows(rule, other)]).toEqual([rule, true, false]);
  });
  test("allows it again, whatever it is put together from", () => {
    const piece = fc.constantFrom(
      ..."git|status|'|\"|\\|#| | |;|&&|\n|$x|$(|)|`|x=|=|>|<|a b|'a b'|\\ |~|{|}|if|\u00a0|\r".split("|"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const command = pieces.join("");
        const rule = ruleToStore("t", { ...call, command });
        if (rule !== null) expect([command, rule, allows(rule, command)]).toEqual([command, rule, true]);
      }),
      { numRuns: 3_000 },
    );
  });
});
