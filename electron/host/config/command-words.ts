/** A word of a command line: quoted parts and `${…}` may hold blanks. */
const words = /(?:"[^"]*"|'[^']*'|\$\{[^}]*\}|\S)+/g;
const quotes = /"([^"]*)"|'([^']*)'/g;

/**
 * The program and the arguments that stand in one `command`: `npx -y server` as people write it. A path is taken whole, as its
 * folders may have blanks in their names; in quotes it ends where they do.
 */
export function commandWords(command: string): readonly string[] {
  const found = command.match(words) ?? [];
  const [first = ""] = found;
  if (!/^["']/.test(first) && (found.length < 2 || /[\\/]/.test(first.replaceAll(/\$\{[^}]*\}/g, ""))))
    return [command];
  return found.map((word) =>
    word.replaceAll(quotes, (_whole, double?: string, single?: string) => double ?? single ?? ""),
  );
}
