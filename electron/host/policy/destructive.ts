import { splitShellCommand } from "./shell-command.ts";
import { assignmentAt } from "./shell-word.ts";

/** Programs that destroy or take over, whatever their arguments. */
const always = new Set(
  "dd shred srm fdisk sfdisk parted wipefs mkswap shutdown reboot halt poweroff crontab truncate".split(" "),
);
/** Programs that only run another one: what follows their options is looked at too. */
const wrappers = new Set(
  "sudo doas env nohup nice ionice time xargs exec command builtin timeout stdbuf setsid busybox toybox chroot flock strace parallel".split(
    " ",
  ),
);
const shells = new Set("sh bash zsh dash ksh ash fish".split(" "));
/** Words of a shell's own that stand before a command; `for` and its like have words of another kind behind them. */
const leading = new Set("if then elif else while until do ! { time coproc".split(" "));
/** How far behind a program that runs another one the other is looked for. */
const mostOptions = 64;

/** The same in PowerShell, whose commands and parameters may be cut short and know no case. */
const powerShell =
  /\b(remove-item\w*|ri|rm|rmdir|rd|del|erase)\b[^;|\n]{0,1000}\s[-/](r|fo|f\b|s\b|q\b)|\b(format-volume|clear-(disk|content|recyclebin)|remove-partition|initialize-disk|(stop|restart)-computer|diskpart|vssadmin|bcdedit)\b|\bformat(\.com)?\s+[a-z]:|\bcipher\s+\/w|\breg(\.exe)?\s+delete\b|\bstop-process\b[^;|\n]{0,1000}\s-f|\btaskkill\b[^;|\n]{0,1000}\s\/f/i;
/** Calls of other languages that remove files, or run a command that does. */
const removingCode =
  /\b(unlink(Sync)?|rmtree|removedirs|rmdir(Sync)?|rm(Sync)?|rm_rf?|remove_tree|truncate(Sync)?)\b\s*[("'\s]|\bos\.remove\b|\b(rm\s+-\w*[rRf]|git\s+(reset\s+--hard|clean\s+-\w*f))/;
const codeFlags: ReadonlyMap<string, RegExp> = new Map([
  ["perl", /^-\w*[eE]/],
  ["ruby", /^-\w*e/],
  ["node", /^(-\w*[ep]|--eval|--print)/],
  ["bun", /^(-e|--eval)/],
  ["deno", /^eval$/],
  ["php", /^-r/],
  ["python", /^-\w*c/],
]);

/**
 * Whether a shell command looks destructive. It only ever raises (an approval more); nothing is allowed because it
 * answers false: a shell string cannot be judged safe. `isPowerShell`: it is looked at as PowerShell too.
 */
export function isDestructive(command: string, isPowerShell = false): boolean {
  return looksDestructive(command, isPowerShell, 0);
}
/** Commands within commands: deeper ones are taken for the worst. */
const mostDepth = 3;
function looksDestructive(command: string, isPowerShell: boolean, depth: number): boolean {
  if (isPowerShell && powerShell.test(command)) return true;
  const { parts, complete } = splitShellCommand(command);
  if (parts.some(({ words }) => commandsIn(words, complete).some((one) => destroys(one, depth)))) return true;
  return !complete && /\b(rm\s+-\w*[rf]|mkfs|dd\s+\w+=|shred)\b|:\(\)\s*\{/.test(command);
}
/** A part's words; of what could not be taken apart also those behind the shell's own words: `f() { rm -rf x`. */
const commandsIn = (words: readonly string[], complete: boolean): readonly (readonly string[])[] =>
  complete
    ? [words]
    : [
        words,
        ...words
          .slice(0, mostOptions)
          .flatMap((word, at) => (leading.has(word) ? [words.slice(at + 1)] : [])),
      ];

function destroys(words: readonly string[], depth: number): boolean {
  if (depth > mostDepth) return true;
  const start = words.findIndex((word) => assignmentAt(word) === 0);
  const [first = "", ...args] = start < 0 ? [] : words.slice(start);
  const program = nameOf(first);
  if (wrappers.has(program)) {
    // Options, assignments and values come first; trying every rest finds the real program.
    return args
      .slice(0, mostOptions)
      .some((word, index) => !wrappers.has(nameOf(word)) && destroys(args.slice(index), depth));
  }
  if (program === "eval") return looksDestructive(args.join(" "), false, depth + 1);
  if (shells.has(program)) {
    const flag = args.findIndex((word) => /^-\w*c/.test(word));
    return (
      flag >= 0 &&
      args.slice(flag + 1, flag + 1 + mostOptions).some((word) => looksDestructive(word, false, depth + 1))
    );
  }
  const code = codeFlags.get(program.replace(/[\d.]+$/, ""));
  if (code !== undefined) return args.some((word) => code.test(word)) && removingCode.test(args.join(" "));
  return destroysItself(program, args, depth);
}
const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);

function destroysItself(program: string, args: readonly string[], depth: number): boolean {
  const flags = args.filter((word) => word.startsWith("-"));
  const has = (letter: RegExp, ...long: string[]): boolean =>
    flags.some((flag) => (/^-[^-]/.test(flag) ? letter.test(flag) : long.includes(flag.split("=")[0] ?? "")));
  if (always.has(program) || program.startsWith("mkfs")) return true;
  switch (program) {
    case "rm":
      return has(/[rRf]/, "--recursive", "--force");
    case "mv":
    case "cp":
      return args.at(-1) === "/dev/null";
    case "rsync":
      return flags.some((flag) => /^--(delete|del\b|remove-source-files)/.test(flag));
    case "chmod":
    case "chown":
    case "chgrp":
      return has(/R/, "--recursive");
    case "find":
    case "fd":
      return (
        args.includes("-delete") ||
        args.some(
          (word, index) =>
            /^(-exec|-ok|-x|--exec)/.test(word) &&
            destroys(args.slice(index + 1, index + mostOptions), depth + 1),
        )
      );
    case "git":
      return gitDestroys(args);
    case "kill":
    case "pkill":
    case "killall":
      return has(/9/, "--signal") || args.includes("-KILL");
    case "npm":
    case "pnpm":
    case "yarn":
    case "cargo":
      return ["publish", "unpublish", "yank", "deprecate"].includes(
        args.find((word) => !word.startsWith("-")) ?? "",
      );
    case "docker":
    case "podman":
      return args.includes("prune") || (args.includes("rm") && has(/f/, "--force"));
    default:
      return false;
  }
}

/** Options of git itself that take the next word. */
const gitValues = new Set("-C -c --git-dir --work-tree --namespace --exec-path --config-env".split(" "));
function gitDestroys(all: readonly string[]): boolean {
  const at = all.findIndex((word, index) => !word.startsWith("-") && !gitValues.has(all[index - 1] ?? ""));
  const [command, ...args] = at < 0 ? [] : all.slice(at);
  const has = (...words: string[]): boolean => args.some((arg) => words.includes(arg));
  const short = (letter: string): boolean =>
    args.some((arg) => /^-[A-Za-z]+$/.test(arg) && arg.includes(letter));
  const names = args.filter((arg) => !arg.startsWith("-"));
  switch (command) {
    case "push":
      return (
        short("f") ||
        has("--mirror", "--delete", "-d", "--prune") ||
        args.some((arg) => arg.startsWith("--force") || arg.startsWith("+") || /^:./.test(arg))
      );
    case "reset":
      return has("--hard", "--merge", "--keep");
    case "clean":
      return short("f") || has("--force");
    case "checkout":
      // `checkout NAME` goes to a branch, `checkout NAME FILE` writes over the file; `-b NAME START` makes one.
      if (short("f") || has("--", ".", "--force", "--pathspec-from-file")) return true;
      return !short("b") && !short("B") && !has("--orphan", "--track", "-t") && names.length > 1;
    case "switch":
      return short("f") || short("C") || has("--force", "--discard-changes", "--force-create");
    case "restore":
      // Staged alone takes nothing from the files.
      return !(has("--staged") || short("S")) || has("--worktree") || short("W");
    case "branch":
    case "tag":
      return short("D") || (short("d") && (short("f") || command === "tag")) || has("--delete");
    case "stash":
      return names[0] === "drop" || names[0] === "clear";
    case "worktree":
      return names[0] === "remove" && (short("f") || has("--force"));
    case "update-ref":
      return short("d") || has("--stdin", "--delete");
    case "reflog":
      return names[0] === "expire" || names[0] === "delete";
    case "rm":
      return !has("--cached");
    case "gc":
    case "prune":
      return command === "prune" || has("--prune=now");
    default:
      return command === "filter-branch" || command === "filter-repo";
  }
}
