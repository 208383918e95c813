import { assignmentAt, quotedWord, quotesNeeded, type ShellWord, ShellWordBuilder } from "./shell-word.ts";

/** One simple command or redirection of a shell command. */
interface ShellPart {
  /**
   * Its words joined by single blanks, each written in the one way that a word has: quoted where it holds a blank or
   * what a shell treats. So two texts are equal where the words are, and a blank in a pattern parts words.
   */
  readonly text: string;
  /** Other spellings, for what denies or asks: quotes removed, and without leading `NAME=value` words. */
  readonly spellings: readonly string[];
  /** The program and its arguments without quotes and leading assignments; empty for a redirection. */
  readonly words: readonly string[];
  /** The program's word needs quotes: no usual program, and no pattern with wildcards is meant for it. */
  readonly oddProgram: boolean;
}
export interface ShellCommand {
  readonly parts: readonly ShellPart[];
  /** False where something was met that this reader does not understand: then no rule can speak of the whole. */
  readonly complete: boolean;
}

/** Words that begin a compound command; what follows is more than a list of simple commands. */
const reserved = new Set(
  "if then elif else fi for while until do done case esac function select time coproc [[ ]] ! { }".split(" "),
);
const wordEnds = new Set([" ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);
/** Redirections that touch no file. */
const harmlessTargets = new Set(["/dev/null", "/dev/stdout", "/dev/stderr"]);
const mostDepth = 8;
/** Of a variable's name no more is read at once: the rest of a longer one is read as what it is followed by. */
const longestName = 256;

/**
 * Takes a POSIX shell command apart: lists, pipes, background, new lines, subshells, command substitution and
 * redirections each become parts. It decides nothing: what it cannot read makes the whole incomplete.
 */
export function splitShellCommand(command: string): ShellCommand {
  const reader = new Reader(command, 0);
  reader.list(false);
  return { parts: reader.parts, complete: reader.complete };
}

class Reader {
  readonly parts: ShellPart[] = [];
  complete = true;
  readonly #text: string;
  readonly #depth: number;
  #at = 0;
  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
    if (depth > mostDepth) this.#giveUp();
  }
  /** Reads commands until the end, or until the `)` that closes a subshell; gives where it stopped. */
  list(nested: boolean): number {
    let words: ShellWord[] = [];
    const end = (): void => {
      this.#command(words);
      words = [];
    };
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (char === " " || char === "\t") this.#at++;
      else if (this.#joinsLines()) this.#at += 2;
      else if (char === "#") this.#skipComment();
      else if (this.#redirection()) continue;
      else if (char === "\n" || char === ";" || char === "|" || char === "&") {
        end();
        this.#at++;
      } else if (char === "(") {
        // `name()` defines a function, `((` computes.
        if (words.length > 0 || this.#text[this.#at + 1] === "(") this.#giveUp();
        this.#at++;
        this.#nested();
      } else if (char === ")") {
        if (!nested) this.#giveUp();
        end();
        this.#at++;
        if (nested) return this.#at;
      } else {
        const word = this.#word();
        if (words.length === 0 && !word.isQuoted && reserved.has(word.value)) this.#giveUp();
        words.push(word);
      }
    }
    if (nested) this.#giveUp();
    end();
    return this.#at;
  }
  /** A backslash before a line break: both are as if they were not there. */
  #joinsLines(): boolean {
    return this.#text.startsWith("\\\n", this.#at);
  }
  #giveUp(): void {
    this.complete = false;
  }
  #command(words: readonly ShellWord[]): void {
    if (words.length === 0) return;
    const first = words.findIndex((word) => !word.isAssignment);
    const start = first < 0 ? words.length : first;
    const program = words[start];
    // What is only known when it runs may be anything, or nothing: then the next word is the program.
    if (program?.isOpen === true) this.#giveUp();
    const looksAssigned = program !== undefined && assignmentAt(program.value) > 0;
    const texts = words.map((word, index) =>
      index === start && looksAssigned ? quotedWord(word.value) : word.text,
    );
    const plain = words.map(({ value }) => value);
    this.parts.push({
      text: texts.join(" "),
      spellings: [...new Set([plain.join(" "), plain.slice(start).join(" "), texts.slice(start).join(" ")])],
      words: plain.slice(start),
      oddProgram: program !== undefined && (looksAssigned || quotesNeeded(program)),
    });
  }
  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }
  /** What stands in `( )`, `$( )`, `<( )` from here on, as parts of its own. */
  #nested(): void {
    const inner = new Reader(this.#text.slice(this.#at), this.#depth + 1);
    if (inner.complete) this.#at += inner.list(true);
    else this.#at = this.#text.length;
    this.#take(inner);
  }
  #take(inner: Reader): void {
    for (const part of inner.parts) this.parts.push(part);
    if (!inner.complete) this.#giveUp();
  }
  /** `>file`, `2>&1`, `<<<word`, `<(list)`; false where no redirection starts here. */
  #redirection(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 16);
    const match = /^(\d*)(&>>|&>|<<<|<<-?|<&|>&|<>|>>|>\||<|>)/.exec(rest);
    if (!match) return false;
    const operator = match[2] ?? "";
    this.#at += match[0].length;
    // One redirection in bash; in a plain sh a command in the background and the start of the next one.
    if (operator.startsWith("&>")) this.#giveUp();
    if ((operator === "<" || operator === ">") && this.#text[this.#at] === "(") {
      this.#at++;
      this.#nested();
      return true;
    }
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
    const target = this.#word();
    // The body of a here-document is text with substitutions of its own.
    if (operator.startsWith("<<") && operator !== "<<<") this.#giveUp();
    else if (target.value === "") this.#giveUp();
    else if (operator === "<<<" || harmlessTargets.has(target.value)) return true;
    else if ((operator === ">&" || operator === "<&") && /^(\d+-?|-)$/.test(target.value)) return true;
    else
      this.parts.push({
        text: `${operator} ${target.text}`,
        spellings: [`${operator} ${target.value}`],
        words: [],
        oddProgram: false,
      });
    return true;
  }
  /** One word; substitutions in it stay as written and are read as parts too. */
  #word(): ShellWord {
    const word = new ShellWordBuilder();
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (wordEnds.has(char)) break;
      if (this.#joinsLines()) this.#at += 2;
      else if (char === "'") word.addQuoted(this.#until("'"));
      else if (char === '"') this.#doubleQuoted(word);
      else if (char === "\\") word.addQuoted(this.#escaped());
      else if (char === "$" || char === "`") word.addExpansion(this.#expansion(), false);
      else {
        word.addBare(char);
        this.#at++;
      }
    }
    return word.build();
  }
  /** The text up to the closing mark; the opening one is the character here. */
  #until(mark: string): string {
    const end = this.#text.indexOf(mark, this.#at + 1);
    if (end < 0) this.#giveUp();
    const text = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    return text;
  }
  #escaped(): string {
    const char = this.#text[this.#at + 1];
    if (char === undefined) this.#giveUp();
    this.#at += 2;
    return char ?? "";
  }
  #doubleQuoted(word: ShellWordBuilder): void {
    word.addQuoted("");
    this.#at++;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) {
        this.#giveUp();
        return;
      }
      if (char === '"') {
        this.#at++;
        return;
      }
      // Here the shell also takes the backslash from `\"` within the backticks: not every shell reads it alike.
      if (char === "`") this.#giveUp();
      if (this.#joinsLines()) this.#at += 2;
      else if (char === "$" || char === "`") word.addExpansion(this.#expansion(), true);
      else if (char === "\\" && /["$`\\]/.test(this.#text[this.#at + 1] ?? ""))
        word.addQuoted(this.#escaped());
      else {
        word.addQuoted(char);
        this.#at++;
      }
    }
  }
  #expansion(): string {
    const start = this.#at;
    const two = this.#text.slice(start, start + 2);
    if (this.#text[start] === "`") {
      const inner = new Reader(this.#backquoted(), this.#depth + 1);
      if (inner.complete) inner.list(false);
      this.#take(inner);
    } else if (two === "$(") {
      if (this.#text[start + 2] === "(") this.#giveUp();
      this.#at += 2;
      this.#nested();
    } else if (two === "${") {
      const end = this.#text.indexOf("}", start);
      const body = this.#text.slice(start + 2, end < 0 ? undefined : end);
      // A default value may hold anything, commands among it.
      if (end < 0 || !/^[#!]?\w+$/.test(body)) this.#giveUp();
      this.#at = end < 0 ? this.#text.length : end + 1;
    } else {
      // `$'…'` and `$"…"` have escapes of their own.
      if (two === "$'" || two === '$"') this.#giveUp();
      const name = /^(?:[A-Za-z_]\w*|[\d@*#?$!-])/.exec(this.#text.slice(start + 1, start + 1 + longestName));
      this.#at += 1 + (name?.[0].length ?? 0);
    }
    return this.#text.slice(start, this.#at);
  }
  #backquoted(): string {
    let text = "";
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? "";
      if (char === "`") {
        this.#at++;
        return text;
      }
      const next = this.#text[this.#at + 1] ?? "";
      if (char === "\\" && /[`$\\]/.test(next)) {
        text += next;
        this.#at++;
      } else text += char;
    }
    this.#giveUp();
    return text;
  }
}
