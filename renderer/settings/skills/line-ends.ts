/**
 * What a field gives for a text, with the line ends of that text: fields know line feeds alone (HTML, textarea, API
 * value). Of several kinds the first one counts.
 */
export function withLineEndsOf(text: string, typed: string): string {
  const [end = "\n"] = /\r\n|\n|\r/.exec(text) ?? [];
  return end === "\n" ? typed : typed.replaceAll("\n", end);
}
