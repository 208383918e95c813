import { expect, test } from "vitest";
import type { SessionRow } from "../../shared/session.ts";
import { sessionDays } from "./session-days.ts";

const now = new Date(2026, 10, 30, 15, 0).getTime();
const row = (id: string, ...at: [number, number, number, number]): SessionRow => {
  const time = new Date(...at).toISOString();
  return { id, title: id, createdAt: time, updatedAt: time, turns: 1, state: "idle" };
};

test("groups by local day, newest first, and leaves out empty days", () => {
  const rows = [
    row("old", 2026, 5, 1, 9),
    row("week", 2026, 10, 24, 23),
    row("morning", 2026, 10, 30, 0),
    row("noon", 2026, 10, 30, 12),
    row("late", 2026, 10, 29, 23),
  ];
  expect(sessionDays(rows, now).map(({ name, sessions }) => [name, sessions.map(({ id }) => id)])).toEqual([
    ["today", ["noon", "morning"]],
    ["yesterday", ["late"]],
    ["last_week", ["week"]],
    ["earlier", ["old"]],
  ]);
  expect(sessionDays([], now)).toEqual([]);
});
