/** One word of a shell command. */
export interface ShellWord {
  /** Without its quotes; substitutions as they are written. */
  readonly value: string;
  /**
   * The one way to write it: what is literal and holds a blank or what a shell treats stands in single quotes, other
   * quotes are gone, substitutions stay as they are written, in double quotes where they stood in some.
   */
  readonly text: string;
  /** Some of it was quoted. */
  readonly isQuoted: boolean;
  /** `NAME=value` to the shell: neither the name nor the sign is quoted. */
  readonly isAssignment: boolean;
  /** What it stands for is known only when it runs: it holds a substitution, or characters that file names fill in. */
  readonly isOpen: boolean;
}

/** What has a meaning to a shell, or parts words to a reader. */
const special = /[\s\p{Z}\p{C}!"#$&'()*;<>?[\\\]^`{|}~]/u;
const fillsIn = /[*?[{]/;
/** A text in single quotes, whatever it holds. */
export const quotedWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The length of a leading `NAME=` or `NAME+=`; 0 where none stands. */
export const assignmentAt = (text: string): number => /^[A-Za-z_]\w*\+?=/.exec(text)?.[0].length ?? 0;
/** Whether a word can be written only with quotes. */
export const quotesNeeded = ({ text }: ShellWord): boolean => /['"]/.test(text);

/** Puts a word together, piece by piece in its order. */
export class ShellWordBuilder {
  readonly #pieces: { text: string; isLiteral: boolean }[] = [];
  #value = "";
  #isQuoted = false;
  #isOpen = false;
  /** How many characters stand before the first quote or substitution. */
  #bareUntil: number | undefined;

  /** A character that stands for itself, in whatever quotes. */
  addQuoted(text: string): void {
    this.#bareUntil ??= this.#value.length;
    this.#isQuoted = true;
    this.#add(text, true);
  }
  /** A character without quotes: what a shell treats stays what it is. */
  addBare(char: string): void {
    if (fillsIn.test(char)) this.#isOpen = true;
    this.#add(char, !special.test(char));
  }
  /** A substitution as it is written; `inQuotes`: its outcome is not split into words. */
  addExpansion(text: string, inQuotes: boolean): void {
    this.#bareUntil ??= this.#value.length;
    this.#isOpen = true;
    this.#value += text;
    this.#pieces.push({ text: inQuotes ? `"${text}"` : text, isLiteral: false });
  }
  #add(text: string, isLiteral: boolean): void {
    this.#value += text;
    const last = this.#pieces.at(-1);
    if (isLiteral && last?.isLiteral === true) last.text += text;
    else this.#pieces.push({ text, isLiteral });
  }
  build(): ShellWord {
    const value = this.#value;
    const name = assignmentAt(value.slice(0, this.#bareUntil));
    let text = value.slice(0, name);
    this.#pieces.forEach((piece, index) => {
      const rest = index === 0 ? piece.text.slice(name) : piece.text;
      text += piece.isLiteral && special.test(rest) ? quotedWord(rest) : rest;
    });
    return {
      value,
      text: text === "" && this.#isQuoted ? "''" : text,
      isQuoted: this.#isQuoted,
      isAssignment: name > 0,
      isOpen: this.#isOpen,
    };
  }
}
