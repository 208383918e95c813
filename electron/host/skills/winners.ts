/** How names are given away among those that want them. */
export interface Contest<T> {
  readonly name: (item: T) => string;
  /** May win at all. */
  readonly admits: (item: T) => boolean;
  /** Wins whatever its rank; asked only where several want one name. */
  readonly prefers: (item: T) => boolean;
}
export interface Winners<T> {
  readonly byName: ReadonlyMap<string, T>;
  /** Winners that are preferred to others. */
  readonly preferred: ReadonlySet<T>;
}

/** By name the first that may win it; of several the first that is preferred. @param items Best first. */
export function winnersOf<T>(items: readonly T[], { name, admits, prefers }: Contest<T>): Winners<T> {
  const byName = new Map<string, T>();
  const preferred = new Set<T>();
  items.forEach((item) => {
    if (!admits(item)) return;
    const wanted = name(item);
    const best = byName.get(wanted);
    if (best === undefined) byName.set(wanted, item);
    else if (preferred.has(best)) return;
    else if (prefers(best)) preferred.add(best);
    else if (prefers(item)) {
      preferred.add(item);
      byName.set(wanted, item);
    }
  });
  return { byName, preferred };
}
