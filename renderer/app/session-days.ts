import type { SessionRow } from "../../shared/session.ts";

type DayName = "today" | "yesterday" | "last_week" | "earlier";
export interface SessionDay {
  readonly name: DayName;
  readonly sessions: readonly SessionRow[];
}

const dayMs = 24 * 60 * 60 * 1000;

/** Sessions by day of their last change, newest first; `now` in ms since the epoch, days in local time. */
export function sessionDays(rows: readonly SessionRow[], now: number): SessionDay[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const nameOf = (row: SessionRow): DayName => {
    const time = Date.parse(row.updatedAt);
    if (time >= midnight) return "today";
    if (time >= midnight - dayMs) return "yesterday";
    return time >= midnight - 7 * dayMs ? "last_week" : "earlier";
  };
  const sorted = rows.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  const days = new Map<DayName, SessionRow[]>();
  for (const row of sorted) {
    const name = nameOf(row);
    const day = days.get(name);
    if (day) day.push(row);
    else days.set(name, [row]);
  }
  return [...days].map(([name, sessions]) => ({ name, sessions }));
}
