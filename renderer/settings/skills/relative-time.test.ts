import { expect, test } from "vitest";
import { relativeTime } from "./relative-time.ts";

const now = Date.UTC(2026, 10, 30, 12);
test.each([
  [now - 20_000, "en", "now"],
  [now - 2 * 60_000, "en", "2 minutes ago"],
  [now - 26 * 3_600_000, "en", "yesterday"],
  [now - 2 * 60_000, "zh", "2分钟前"],
  [now - 400 * 86_400_000, "en", "Oct 26, 2025"],
])("%d in %s: %s", (then, locale, words) => expect(relativeTime(then, now, locale)).toBe(words));
