import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proof } from "../kit/proofs.testkit.ts";
import { decide } from "./gate.ts";
import { sampleInput } from "./gate-tables.testkit.ts";
import { allowRules } from "./rules.ts";

const decided = (command: string, patterns: readonly string[], commandIsOpaque = false): string =>
  decide({
    ...sampleInput,
    perm: "shell",
    sandboxAvailable: false,
    tool: { all: ["run_shell"] },
    command,
    commandIsOpaque,
    rules: allowRules(patterns.map((pattern) => `run_shell:${pattern}`)),
  }).answer;
/** What people write: none of it says `touch`. */
const usual = [
  "git status*",
  "git log*",
  "git diff*",
  "ls",
  "ls *",
  "cat *",
  "echo *",
  "npm test",
  "npm run *",
];

/** Each runs `touch canary`, or reads or writes what no pattern speaks of. */
const bypasses: readonly string[] = [
  // Lists, pipes, background, lines.
  "git status; touch canary",
  "git status;touch canary",
  "git status && touch canary",
  "git status || touch canary",
  "git status | touch canary",
  "git status |& touch canary",
  "git status & touch canary",
  "git status&touch canary",
  "git status\ntouch canary",
  "git status\n\n\ttouch canary",
  "git status \\\n; touch canary",
  "git status # harmless\ntouch canary",
  "git status;\ttouch\tcanary",
  "touch canary; git status",
  "(git status; touch canary)",
  "{ git status; touch canary; }",
  "git status; { touch canary; }",
  "! touch canary",
  // Substitutions.
  "git status $(touch canary)",
  "git status `touch canary`",
  'git status "$(touch canary)"',
  'git status "`touch canary`"',
  "git status '$(ls)'$(touch canary)",
  "git status ${x:-$(touch canary)}",
  "git status ${x:=`touch canary`}",
  "git status $(( $(touch canary) ))",
  "echo <(touch canary)",
  "cat >(touch canary)",
  "git status=$(touch canary)",
  "echo ${PATH/x/$(touch canary)}",
  "echo ${x@P}",
  // Here-documents and redirections.
  "cat <<EOF\n$(touch canary)\nEOF",
  "cat <<-EOF\n\t`touch canary`\n\tEOF",
  "cat <<< $(touch canary)",
  "git status > canary",
  "git status >> canary",
  "git status >| canary",
  "git status 1> canary",
  "git status &> canary",
  "git status <> canary",
  "echo x >canary",
  "cat < /etc/passwd",
  "git status 2>canary",
  "git status >& canary",
  // Prefixes of the environment.
  "GIT_SSH_COMMAND='touch canary' git status",
  "PATH=.:$PATH git status",
  "LD_PRELOAD=./x.so git status",
  "GIT_PAGER='touch canary' git log",
  "IFS=x git status",
  "BASH_ENV=./x git status",
  // Other ways to name a program.
  "alias git='touch canary'; git status",
  "git() { touch canary; }; git status",
  "function git { touch canary; }; git status",
  "x='touch canary'; $x",
  "$x canary",
  "$(echo touch) canary",
  "to''uch canary",
  't"o"uch canary',
  "t\\ouch canary",
  "/usr/bin/touch canary",
  "t?uch canary",
  "/bin/t*h canary",
  "{touch,canary}",
  "touch${IFS}canary",
  "git${IFS}status;touch${IFS}canary",
  "$'touch' canary",
  "$'\\x74ouch' canary",
  '$"touch" canary',
  "~/touch canary",
  // Programs that run programs.
  "eval 'touch canary'",
  "eval git status; eval touch canary",
  "command touch canary",
  "exec touch canary",
  "builtin eval 'touch canary'",
  "env touch canary",
  "env -S 'touch canary'",
  "xargs touch <<< canary",
  "nohup touch canary",
  "sudo touch canary",
  "time touch canary",
  "timeout 5 touch canary",
  "sh -c 'touch canary'",
  "bash -c 'git status; touch canary'",
  "echo touch canary | sh",
  "cat x | bash",
  ". ./x",
  "source ./x",
  "trap 'touch canary' EXIT",
  "git status; trap 'touch canary' EXIT",
  // Options before the word that the pattern begins with.
  "git -c core.pager='touch canary' log",
  "git -c alias.status='!touch canary' status",
  "git -C /elsewhere status",
  "git --exec-path=. status",
  "git --git-dir=/elsewhere status",
  "git fetch --upload-pack='touch canary' .",
  "git clone --config core.sshCommand='touch canary' x",
  // One word that looks like several.
  "'git status/../evil.sh'",
  "git\\ status/../evil.sh",
  '"git status/../evil.sh" x',
  "git' 'status",
  "'ls x/../evil'",
  "git status && 'npm run x/../../evil'",
  "'X=1' git status",
  "'echo a' && git status",
  // Compound commands.
  "if git status; then touch canary; fi",
  "for x in git status; do touch canary; done",
  "while touch canary; do git status; done",
  "until touch canary; do :; done",
  "case x in x) touch canary;; esac",
  "select x in a; do touch canary; done",
  "[[ -f x ]] && touch canary",
  "(( x = 1 )) ; touch canary",
  "coproc touch canary",
  // Characters that look like something else.
  "git\u00a0status; touch canary",
  "git\u2003status",
  "git status\u2028touch canary; touch canary",
  "git\tstatus\u000btouch; touch canary",
  "\u0067it status\r\ntouch canary",
  "ｇit status",
  "git status；touch canary; touch canary",
  // What is not closed.
  "git status 'open; touch canary",
  'git status "open; touch canary',
  "git status $(touch canary",
  "git status `touch canary",
  "git status \\",
];
describe("no pattern for harmless commands allows what runs something else", () => {
  test("the corpus is as long as it says", () => {
    expect(new Set(bypasses).size).toBe(bypasses.length);
    expect(bypasses.length).toBeGreaterThan(100);
  });
  test.each(bypasses)("%j", (command) => {
    expect(decided(command, usual)).toBe("ask");
  });
});

describe("what a pattern speaks of by its own words", () => {
  /** A `*` at the end covers every option of that program: those that run something among them. */
  test.each([
    ["git status --porcelain", "git status*"],
    ["git log --output=canary", "git log*"],
    ["git -c core.pager='touch canary' log", "git *"],
    ["git fetch --upload-pack='touch canary' .", "git *"],
    ["npm run build -- --force", "npm run *"],
    ["git status && git status -s", "git status*"],
    ["git 'status'", "git status"],
    ["git statusx", "git status*"],
    ["if true; then touch canary; fi", "*"],
    ["git status; touch canary", "git status; touch canary"],
  ])("%j is allowed by %j", (command, pattern) => {
    expect(decided(command, [pattern])).toBe("allow");
  });
  test("a pattern speaks of words: one word with blanks is none of them", () => {
    for (const patterns of [["./build all"], ["./build *"], ["*build all"], ["?./build all?"], ["*/build*"]])
      expect([patterns, decided("'./build all'", patterns)]).toEqual([patterns, "ask"]);
    expect(decided("ls '.' && './build all'", ["ls *", "'./build all'"])).toBe("allow");
    expect(decided('"./build all"', ["'./build all'"])).toBe("allow");
    expect(decided('"./build all"', ['"./build all"'])).toBe("allow");
    expect(decided("git 'log -p'", ["git log -p"])).toBe("ask");
    expect(decided("git commit -m 'a b'", ["git commit -m *"])).toBe("allow");
  });
  test("every part needs a pattern, which may be another one", () => {
    expect(decided("git status | cat -n && npm test", ["git status*", "cat *", "npm test"])).toBe("allow");
    expect(decided("git status | cat -n && npm test", ["git status*", "npm test"])).toBe("ask");
  });
  test("a deny is heard in every part, behind assignments, and in what cannot be read", () => {
    const denied = (command: string): string =>
      decide({
        ...sampleInput,
        perm: "shell",
        tool: { all: ["run_shell"] },
        command,
        rules: [
          { tool: "run_shell", pattern: "git push*", answer: "deny", source: "settings", trusted: true },
        ],
      }).answer;
    for (const command of [
      "git push",
      "ls; git push -f",
      "X=1 git push",
      "echo $(git push)",
      "git 'push'",
      "git push <<EOF\nx\nEOF",
      "'git push' x",
      "X=1 'git' \"push -f\"",
      "git 'push --force'",
    ])
      expect([command, denied(command)]).toEqual([command, "deny"]);
  });
});

describe("PowerShell is not taken apart as if it were sh", () => {
  test.each([
    "git status",
    "git status -s",
    "git status (Remove-Item x)",
    "git status `; Remove-Item x",
    "git status $(Remove-Item x)",
    'git status "; rm x #',
    "git status '; Remove-Item x; '",
    "git status @'\n'; Remove-Item x",
    "git status %{ rm x }",
    "git status | % { iex $_ }",
    "git status <# ' #>; Remove-Item x",
  ])("%j", (command) => {
    expect(decided(command, ["git status*", "git *", "*git*status*"], true)).toBe("ask");
    expect(decided(command, ["*"], true)).toBe("allow");
    expect(decided(command, [command], true)).toBe(/[*?]/.test(command) ? "ask" : "allow");
  });
  test("what denies or asks is still heard", () => {
    const rule = {
      tool: "run_shell",
      pattern: "*Remove-Item*",
      answer: "deny",
      source: "settings",
      trusted: true,
    } as const;
    const call = {
      ...sampleInput,
      perm: "shell",
      tool: { all: ["run_shell"] },
      command: "a; Remove-Item x",
    } as const;
    expect(decide({ ...call, commandIsOpaque: true, rules: [rule] }).answer).toBe("deny");
  });
});

/** What `sh` really runs of a command that a pattern allows: programs that write down that they ran, and nothing else. */
describe.runIf(process.platform !== "win32")("what a real shell runs of an allowed command", () => {
  let root: string;
  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-shell-"));
    fs.mkdirSync(path.join(root, "bin"));
    fs.mkdirSync(path.join(root, "work"));
    for (const name of ["git", "touch"])
      fs.writeFileSync(path.join(root, "bin", name), `#!/bin/sh\necho "${name} $*" >> "${root}/ran"\n`, {
        mode: 0o755,
      });
  });
  afterAll(() => fs.rmSync(root, { recursive: true }));
  const ran = (command: string): string[] => {
    fs.writeFileSync(path.join(root, "ran"), "");
    spawnSync("/bin/sh", ["-c", command], {
      cwd: path.join(root, "work"),
      env: { PATH: path.join(root, "bin") },
      stdio: "ignore",
      timeout: 10_000,
    });
    return fs.readFileSync(path.join(root, "ran"), "utf8").split("\n").filter(Boolean);
  };
  test("the test sees what runs", () => {
    expect(ran("git status; touch canary")).toEqual(["git status", "touch canary"]);
  });
  const piece = fc.constantFrom(
    "git status",
    "git status",
    " ",
    " ",
    ";",
    "&&",
    "|",
    "&",
    "\n",
    "(",
    ")",
    "$(",
    "`",
    "'",
    '"',
    "\\",
    "\\\n",
    "\\ ",
    "' '",
    "/../../bin/touch",
    "#",
    "{",
    "}",
    "touch canary",
    "touch canary",
    "touch",
    "$x",
    "${x}",
    "${x:-",
    "<<<",
    "<",
    ">",
    ">&",
    "2>&1",
    "/dev/null",
    "canary",
    "x=",
    "!",
    "if",
    "then",
    "fi",
    "eval",
    "exec",
    "command",
    "$'",
    "=",
    "\t",
    "\r",
    "\u00a0",
    "~",
    "*",
    "?",
    "[",
    "]",
    "-c",
    "in",
    "do",
    "done",
    "case",
    "esac",
    ";;",
    "$((",
    "))",
  );
  test("is the program that the pattern names, whatever the pieces", () => {
    let allowed = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const command = `git status${pieces.join("")}`;
        if (decided(command, ["git status*"]) !== "allow") return;
        allowed += 1;
        for (const line of ran(command))
          expect([command, line.startsWith("git status")]).toEqual([command, true]);
        expect([command, fs.readdirSync(path.join(root, "work"))]).toEqual([command, []]);
      }),
      proof(200, 12_000),
    );
    expect(allowed).toBeGreaterThan(5);
  }, 900_000);
});
