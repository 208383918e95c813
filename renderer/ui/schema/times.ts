/** `2026-11-30T09:05:00Z` as the picker of this machine's time zone writes it; empty where it is no time. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** What the picker wrote as a time with its zone (RFC 3339); empty where it is no time. */
export function isoTime(local: string): string {
  const at = new Date(local);
  return local === "" || Number.isNaN(at.getTime()) ? "" : at.toISOString().replace(/\.000Z$/, "Z");
}
