/** What somebody wrote for a switch (spec 3: true, false, yes, no, on, off, 1, 0, in any case); undefined for what is none. */
export function switchOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word =
    typeof value === "number" || typeof value === "string" ? String(value).trim().toLowerCase() : "";
  if (["true", "yes", "on", "1"].includes(word)) return true;
  return ["false", "no", "off", "0"].includes(word) ? false : undefined;
}
