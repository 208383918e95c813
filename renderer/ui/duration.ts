/** A key of `ui.duration` and its numbers: milliseconds below 1 s, tenths below 10 s, then whole units. */
export interface DurationWords {
  readonly key: "ui.duration.ms" | "ui.duration.s" | "ui.duration.ms_s" | "ui.duration.h_m";
  readonly values: Readonly<Record<string, number>>;
}

/** Splits a duration for the messages; `ms` is at least 0. */
export function durationWords(ms: number): DurationWords {
  if (ms < 1000) return { key: "ui.duration.ms", values: { n: Math.round(ms) } };
  const seconds = ms / 1000;
  if (seconds < 10) return { key: "ui.duration.s", values: { n: Math.round(seconds * 10) / 10 } };
  if (seconds < 60) return { key: "ui.duration.s", values: { n: Math.floor(seconds) } };
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return { key: "ui.duration.ms_s", values: { m: minutes, s: Math.floor(seconds % 60) } };
  return { key: "ui.duration.h_m", values: { h: Math.floor(minutes / 60), m: minutes % 60 } };
}
