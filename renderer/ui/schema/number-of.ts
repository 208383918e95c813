/**
 * What a text says as a number. Empty says nothing (undefined); what is no number, or has more digits than one holds,
 * stays the text.
 */
export function numberOf(text: string): number | string | undefined {
  const written = text.trim();
  if (written === "") return undefined;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(written)) return text;
  const value = Number(written);
  const isWhole = /^[+-]?\d+$/.test(written);
  return !Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value)) ? text : value;
}
