/** Marks that stand alone, so that what follows would be counted wrongly: escaped ones and whole code spans. */
const settled = /\\.|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

/**
 * The text of an open block with what is still being typed closed or left out, so that half-written emphasis, code and
 * links do not flicker: `**bo` → `**bo**`, `` `co `` → `` `co` ``, `see [page](https://ex` → `see page`.
 */
export function closeOpenSyntax(text: string): string {
  const source = text.replace(/\s+$/, "");
  const plain = source.replace(settled, (span) => " ".repeat(span.length));

  const code = /(`+)[\s\S]*$/.exec(plain);
  if (code?.[1] !== undefined) return code[0] === code[1] ? source.slice(0, code.index) : source + code[1];
  const link = /!?\[([^[\]]*)(?:\](?:\([^()\s]*)?)?$/.exec(plain);
  if (link && /[[(]|\]$/.test(link[0]) && !/^\[[ xX]?\]?$/.test(link[0])) {
    const words = link[0].startsWith("!")
      ? ""
      : source.slice(link.index + 1, link.index + 1 + (link[1]?.length ?? 0));
    return closeOpenSyntax(source.slice(0, link.index) + words);
  }
  return closeEmphasis(source, plain);
}

function closeEmphasis(source: string, plain: string): string {
  for (const mark of ["**", "~~"]) {
    const count = plain.split(mark).length - 1;
    if (count % 2 === 0) continue;
    return plain.endsWith(mark) ? source.slice(0, -mark.length) : source + mark;
  }
  return source;
}
