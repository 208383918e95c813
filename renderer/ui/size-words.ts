/** A key of `ui.size` and its number: whole bytes below 1,000, then KB and MB with one decimal. */
export function sizeWords(bytes: number): {
  readonly key: "ui.size.b" | "ui.size.kb" | "ui.size.mb";
  readonly n: number;
} {
  if (bytes < 1000) return { key: "ui.size.b", n: bytes };
  const inUnit = (unit: number): number => Math.round((bytes / unit) * 10) / 10;
  return inUnit(1000) < 1000
    ? { key: "ui.size.kb", n: inUnit(1000) }
    : { key: "ui.size.mb", n: inUnit(1_000_000) };
}
