/** Time and names, handed in so that tests choose them. */
export interface Clock {
  /** ms since the epoch. */
  now(): number;
}
export interface Ids {
  /** A name that ascends with time within one process: sorted by text is sorted by age. */
  next(): string;
}
export const systemClock: Clock = { now: () => Date.now() };

/**
 * 9 characters of time, 3 of a counter, 5 random; base 36, so that files sort by age. The random part keeps the names of
 * two processes apart; nothing secret hangs on it.
 */
export function createIds(clock: Clock = systemClock): Ids {
  let last = 0;
  let counter = 0;
  return {
    next() {
      const now = Math.max(clock.now(), last);
      counter = now === last ? counter + 1 : 0;
      last = now;
      const random = Math.floor(Math.random() * 36 ** 5)
        .toString(36)
        .padStart(5, "0");
      return now.toString(36).padStart(9, "0") + counter.toString(36).padStart(3, "0") + random;
    },
  };
}
