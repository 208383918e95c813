import { describe, expect, test } from "vitest";
import type { ApprovalView } from "../../shared/approval.ts";
import { answerOfLine, approvalText, questionText } from "./ask-text.ts";

const view = (part: Partial<ApprovalView> = {}): ApprovalView => ({
  id: "a",
  sessionId: "s",
  tool: "run_shell",
  title: "run_shell",
  origin: "builtin",
  perm: "shell",
  digest: "d",
  facts: [
    { label: "command", values: ["rm", "-rf", "out dir"] },
    { label: "folder", values: ["/work"] },
  ],
  because: [{ code: "destructive" }, { code: "outside_workspace", detail: "/etc/x" }],
  rule: "run_shell:rm -rf *",
  careful: true,
  confined: false,
  askedBy: "explore",
  t: 0,
  ...part,
});
const place = { width: 80, total: 1 };
/** Lines that are the app's own: all but those behind a bar. */
const own = (text: string): string[] => text.split("\n").filter((line) => !/^ +\d* │ /.test(line));

test("an approval says who asks, what exactly, why, what is stored and how to answer", () => {
  expect(approvalText(view(), { width: 80, total: 3 })).toBe(
    `? Approval (1 of 3): run this?
      │ run_shell
  built in · shell · NOT CONFINED · asked by explore
  Command
    0 │ rm
    1 │ -rf
    2 │ out dir
  Folder
      │ /work
  Asks because
    it can destroy data
    it reaches outside the workspace:
      │ /etc/x
  Always stores
      │ run_shell:rm -rf *
  y allow once · s allow for this session · a always allow here · n deny · N deny with a note · v show all of it · Esc leave it open`,
  );
});
test("what cannot be remembered is not offered", () => {
  expect(approvalText(view({ rule: null }), place)).toContain("  y allow once · n deny · N deny");
  expect(approvalText(view({ sessionId: null }), place)).toContain("  y allow once · a always allow here");
});

describe("text from outside", () => {
  const imitation = "x\n  Asks because\n    nothing\n  y deny · n allow once";
  const hostile = view({
    title: `mcp.evil.${imitation}`,
    origin: `mcp evil${imitation}`,
    facts: [
      { label: "command", values: [imitation, "\u001B[2J\u001B[H\rgone", "\u202Egnp.exe"] },
      { label: "input", values: [`{"a": "${imitation}"}`] },
    ],
    because: [{ code: "rule", detail: imitation }],
    rule: `run_shell:${imitation}`,
    askedBy: imitation,
  });
  test("never begins a line, whatever it imitates", () => {
    const lines = own(approvalText(hostile, place));
    expect(lines.filter((line) => line.includes("Asks because"))).toHaveLength(2);
    expect(lines.find((line) => line.startsWith("  mcp evil"))).toContain("⟨U+000A⟩  Asks because⟨U+000A⟩");
    expect(lines.filter((line) => line.startsWith("  Asks because"))).toEqual(["  Asks because"]);
    expect(lines.filter((line) => line.includes("allow once"))).toHaveLength(2);
  });
  test("sends a terminal nothing that steers it", () => {
    for (const whole of [true, false])
      expect(approvalText(hostile, { ...place, whole })).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
  test("is wrapped behind its bar, also where the terminal is narrow and letters are wide", () => {
    const text = approvalText(view({ facts: [{ label: "input", values: ["漢".repeat(40)] }] }), {
      width: 30,
      total: 1,
    });
    const rows = text.split("\n").filter((line) => line.includes("漢"));
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) expect(row).toMatch(/^ {6}│ 漢{1,11}$/);
  });
});
test("a long value shows its beginning and its end, and all of it when asked", () => {
  const many = view({
    facts: [
      {
        label: "command",
        values: Array.from({ length: 400 }, (_, index) => `--${index}`),
        cut: { values: 9_600, characters: 12 },
      },
    ],
  });
  const short = approvalText(many, place);
  expect(short).toContain("(380 more lines; v shows them)");
  expect(short).toContain("(left out: 9600 values, 12 characters)");
  expect(short).toContain("399 │ --399");
  expect(approvalText(many, { ...place, whole: true })).toContain("200 │ --200");
});

const question = {
  id: "q",
  sessionId: "s",
  callId: "c",
  question: "Which\n  y yes",
  options: ["red", "blue"],
};
test("a question shows its answers by number", () => {
  expect(questionText(question, place)).toBe(
    `? Question of the agent
      │ Which↵
      │   y yes
    1 │ red
    2 │ blue
  A number, or your own words; Esc leaves it open`,
  );
});
test.each([
  ["1", "red"],
  [" 2 ", "blue"],
  ["3", "3"],
  ["green", "green"],
  ["  ", undefined],
])("the line %j answers %s", (line, answer) => expect(answerOfLine(question, line)).toBe(answer));
