import { splitShellCommand } from "./shell-command.ts";

/** Programs that destroy or take over, whatever their arguments. */
const always = new Set(
  "dd shred fdisk sfdisk parted wipefs mkswap shutdown reboot halt poweroff fork-bomb crontab".split(" "),
);
/** Programs that only run another one: what follows their options is looked at too. */
const wrappers = new Set(
  "sudo doas env nohup nice time xargs exec command builtin timeout stdbuf setsid".split(" "),
);
const shells = new Set("sh bash zsh dash ksh fish".split(" "));

/** The same in PowerShell, whose commands and parameters may be cut short and know no case. */
const powerShell =
  /\b(remove-item\w*|ri|rm|rmdir|rd|del|erase)\b[^;|\n]*\s[-/](r|fo|f\b|s\b|q\b)|\b(format-volume|clear-(disk|content|recyclebin)|remove-partition|initialize-disk|(stop|restart)-computer|diskpart|vssadmin|bcdedit)\b|\bformat(\.com)?\s+[a-z]:|\bcipher\s+\/w|\breg(\.exe)?\s+delete\b|\bstop-process\b[^;|\n]*\s-f|\btaskkill\b[^;|\n]*\s\/f/i;

/**
 * Whether a shell command looks destructive. It only ever raises (an approval more); nothing is allowed because it
 * answers false: a shell string cannot be judged safe. `isPowerShell`: it is looked at as PowerShell too.
 */
export function isDestructive(command: string, isPowerShell = false): boolean {
  if (isPowerShell && powerShell.test(command)) return true;
  const { parts, complete } = splitShellCommand(command);
  if (parts.some((part) => destroys(part.words))) return true;
  return !complete && /\b(rm\s+-\w*[rf]|mkfs|dd\s+\w+=|shred)\b|:\(\)\s*\{/.test(command);
}

function destroys(words: readonly string[]): boolean {
  const [first = "", ...args] = words;
  const program = first.slice(first.lastIndexOf("/") + 1);
  const flags = args.filter((word) => word.startsWith("-"));
  const has = (letter: RegExp, ...long: string[]): boolean =>
    flags.some((flag) => (/^-[^-]/.test(flag) ? letter.test(flag) : long.includes(flag.split("=")[0] ?? "")));
  if (wrappers.has(program)) {
    // Options and their values come first; trying every rest finds the real program.
    return args.some((_word, index) => destroys(args.slice(index)));
  }
  if (shells.has(program))
    return (
      flags.some((flag) => /^-\w*c/.test(flag)) && isDestructive(args.join(" ").replace(/^(-\S+\s+)+/, ""))
    );
  if (always.has(program) || program.startsWith("mkfs")) return true;
  switch (program) {
    case "rm":
      return has(/[rRf]/, "--recursive", "--force");
    case "chmod":
    case "chown":
    case "chgrp":
      return has(/R/, "--recursive");
    case "find":
      return (
        args.includes("-delete") ||
        args.some((word, index) => word.startsWith("-exec") && destroys(args.slice(index + 1)))
      );
    case "git":
      return gitDestroys(args);
    case "kill":
    case "pkill":
    case "killall":
      return has(/9/, "--signal") || args.includes("-KILL");
    case "truncate":
      return true;
    case "docker":
    case "podman":
      return args.includes("prune") || (args.includes("rm") && has(/f/, "--force"));
    default:
      return false;
  }
}

function gitDestroys(args: readonly string[]): boolean {
  const has = (...words: string[]): boolean => args.some((arg) => words.includes(arg));
  const short = (letter: string): boolean =>
    args.some((arg) => /^-[A-Za-z]+$/.test(arg) && arg.includes(letter));
  if (has("push"))
    return (
      short("f") ||
      has("--mirror", "--delete", "-d") ||
      args.some((arg) => arg.startsWith("--force") || arg.startsWith("+") || /^:./.test(arg))
    );
  if (has("reset")) return has("--hard");
  if (has("clean")) return short("f") || has("--force");
  if (has("checkout", "restore")) return has("--", ".") || short("f") || has("--force");
  if (has("branch", "tag")) return short("D") || (short("d") && short("f")) || has("--delete");
  if (has("stash")) return has("drop", "clear");
  return has("filter-branch", "filter-repo") || (has("reflog") && has("expire")) || has("--prune=now");
}
