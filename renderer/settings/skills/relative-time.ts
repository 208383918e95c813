const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
/** Past this many days a date says more than a count. */
const mostDays = 30;

/** How long ago `then` was, in words of `locale` (`2 minutes ago`); a date past a month. Both ms since 1970. */
export function relativeTime(then: number, now: number, locale: string): string {
  const passed = now - then;
  if (Math.abs(passed) >= mostDays * units[0][1])
    return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(then);
  const [unit, size] = units.find(([, own]) => Math.abs(passed) >= own) ?? ["second", 60_000];
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return words.format(unit === "second" ? 0 : -Math.round(passed / size), unit);
}
