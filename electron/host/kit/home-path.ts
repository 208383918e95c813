import path from "node:path";

/**
 * `~` and `~/x` from the home folder, in the spelling of either system; any other text as it is. What follows is not
 * normalised: `link/..` is left to whoever walks the real links.
 */
export function fromHome(text: string, home: string): string {
  if (text === "~") return home;
  return text.startsWith("~/") || text.startsWith("~\\") ? `${home}${path.sep}${text.slice(2)}` : text;
}
