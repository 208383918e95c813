/** One side of a difference as it is drawn: a command's arguments as boxes, everything else as text. */
export type ChangeSide = { readonly argv: readonly string[] } | { readonly text: string } | null;

/** @param text as `DeclarationChange` gives it; null where there is nothing on this side */
export function changeSide(what: string, text: string | null): ChangeSide {
  if (text === null) return null;
  if (!/(?:^|\.)(?:command|args)$/.test(what)) return { text };
  const list = parsed(text);
  if (Array.isArray(list) && list.every((member) => typeof member === "string")) return { argv: list };
  return { argv: [text] };
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A command that is written as one text is no list.
    return undefined;
  }
}
