import { describe, expect, test } from "vitest";
import { splitShellCommand } from "./shell-command.ts";

const texts = (command: string): string[] => splitShellCommand(command).parts.map(({ text }) => text);

describe("parts", () => {
  test.each<[string, string[]]>([
    ["git status", ["git status"]],
    ["  git   status  ", ["git status"]],
    ["a && b || c; d | e & f\ng", ["a", "b", "c", "d", "e", "f", "g"]],
    ["a |& b", ["a", "b"]],
    ["echo 'a && b' \"c; d\" e\\;f", ["echo 'a && b' 'c; d' 'e;f'"]],
    ["(cd x; rm y) && z", ["cd x", "rm y", "z"]],
    ["echo $(rm x) b", ["rm x", "echo $(rm x) b"]],
    ['echo "$(rm x)"', ["rm x", 'echo "$(rm x)"']],
    ["echo `rm x`", ["rm x", "echo `rm x`"]],
    ["echo `echo \\`rm x\\``", ["rm x", "echo `rm x`", "echo `echo \\`rm x\\``"]],
    ["echo $(a $(b))", ["b", "a $(b)", "echo $(a $(b))"]],
    ["diff <(a) <(b)", ["a", "b", "diff"]],
    ["a > out.txt", ["> out.txt", "a"]],
    ["a >> out.txt 2>&1", [">> out.txt", "a"]],
    ["a < in.txt", ["< in.txt", "a"]],
    ["a >out 2>err", ["> out", "> err", "a"]],
    ["a 2>/dev/null >&2 <&- <<< 'text'", ["a"]],
    ["echo a>b", ["> b", "echo a"]],
    ["a # b; rm x", ["a"]],
    ["a#b c", ["a#b c"]],
    ["echo '#' # x", ["echo '#'"]],
    ["FOO=1 BAR=2 git status", ["FOO=1 BAR=2 git status"]],
    ["git \\\n status", ["git status"]],
    ["echo a\\\\\nrm x", ["echo 'a\\'", "rm x"]],
    ["echo $HOME ${HOME} $1", ["echo $HOME ${HOME} $1"]],
    ["'' x", ["'' x"]],
    ["", []],
    ["# nothing", []],
  ])("%j", (command, parts) => {
    expect(splitShellCommand(command).complete).toBe(true);
    expect(texts(command)).toEqual(parts);
  });
});

test("leading assignments are no program", () => {
  const program = (command: string): string | undefined =>
    splitShellCommand(command).parts[0]?.words.join(" ");
  expect(program("LD_PRELOAD=x.so git status")).toBe("git status");
  expect(program("X='a b' git status")).toBe("git status");
  expect(program("X=1")).toBe("");
  expect(program("'X=1' git status")).toBe("X=1 git status");
  expect(program("X\\=1 git status")).toBe("X=1 git status");
});

describe("a word has one way to be written, and two words never look like one", () => {
  test.each<[string, string, boolean]>([
    ["git 'status'", "git status", false],
    ["git\\ status/../x", "'git status/../x'", true],
    ['"git status/../x" y', "'git status/../x' y", true],
    ["git 'a b'", "git 'a b'", false],
    ['git a" "b', "git 'a b'", false],
    ["git a\\ b", "git 'a b'", false],
    ["git 'it'\\''s'", "git 'it'\\''s'", false],
    ['git "it\'s"', "git 'it'\\''s'", false],
    ["find . -name '*.ts'", "find . -name '*.ts'", false],
    ["find . -name *.ts", "find . -name *.ts", false],
    ["ls '~/x' ~/x", "ls '~/x' ~/x", false],
    ['echo \'$x\' $x "$x" "a b $x"', "echo '$x' $x \"$x\" 'a b '\"$x\"", false],
    ["X='a b' git", "X='a b' git", false],
    ["'X=a b' git", "'X=a b' git", true],
    ["'X=1' git", "'X=1' git", true],
    ["X=1 git", "X=1 git", false],
    ["'>' x", "'>' x", true],
    ["a > 'x y'", "> 'x y'", false],
    ["git '' x", "git '' x", false],
    ["git 'a\u00a0b' 'a\nb'", "git 'a\u00a0b' 'a\nb'", false],
  ])("%j → %j", (command, text, oddProgram) => {
    const { parts, complete } = splitShellCommand(command);
    expect([parts[0]?.text, parts[0]?.oddProgram, complete]).toEqual([text, oddProgram, true]);
    expect(splitShellCommand(text.startsWith(">") ? `a ${text}` : text).parts[0]?.text).toBe(text);
  });
});
test("a list of any length is read", () => {
  expect(splitShellCommand(`(${"a;".repeat(200_000)})`).parts).toHaveLength(200_000);
});

describe("what it does not understand makes the whole incomplete", () => {
  test.each([
    "if true; then rm x; fi",
    "for i in a b; do rm $i; done",
    "while :; do x; done",
    "case a in a) rm x;; esac",
    "f() { rm x; }; f",
    "function f { rm x; }",
    "{ a; }",
    "! a",
    "[[ -f x ]]",
    "((x++))",
    "echo $((1+1))",
    "echo ${x:-$(rm y)}",
    "echo ${x:-a}",
    "echo $'\\x41'",
    'echo $"x"',
    "cat <<EOF\n$(rm x)\nEOF",
    "cat <<-EOF\nx\nEOF",
    "echo 'open",
    'echo "open',
    "echo `open",
    "echo $(open",
    "(open",
    "closed)",
    "echo x\\",
    "a >",
    `${"$(".repeat(20)}a${")".repeat(20)}`,
    "$\\\n(rm x)",
    "git status &>/dev/null rm x",
    "$x rm x",
    "r? x",
    'git status "`git status " \\" ; touch PWNED ; \\" "`"',
    'echo "a`b`"',
  ])("%j", (command) => {
    expect(splitShellCommand(command).complete).toBe(false);
  });
});
test("every command that a shell runs is a part, or the whole is incomplete", () => {
  const hidden = [
    'echo "a`rm x`b"',
    'echo "$(echo "$(rm x)")"',
    "echo ${x}$(rm x)",
    "a=$(rm x)",
    "a=`rm x` b",
    "echo > $(rm x)",
    "echo <<< $(rm x)",
    "echo \\\n$(rm x)",
    "echo a\\ $(rm x)",
    "echo '$(no)' $(rm x)",
    "cat < <(rm x)",
    "tee >(rm x)",
    "a\n\n\nrm x",
    "a&&rm x",
    "a||rm x",
    "a&rm x",
    "a;rm x",
    "a|rm x",
    "(rm x)",
    "\\rm x",
    "r''m x",
    '"rm" x',
  ];
  for (const command of hidden) {
    const { parts, complete } = splitShellCommand(command);
    expect([command, !complete || parts.some(({ text }) => text === "rm x")]).toEqual([command, true]);
  }
});
