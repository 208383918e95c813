import type { Component } from "vue";

export interface Tab<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly icon?: Component;
  /** How many things its panel lists. */
  readonly count?: number;
}

/**
 * Where a key leads from tab `at` of `count` (WAI-ARIA, tabs pattern): arrows of the list's direction go round,
 * Home and End to the ends. Undefined where the key is none of them.
 */
export function nextTab(key: string, at: number, count: number, vertical: boolean): number | undefined {
  if (count === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === (vertical ? "ArrowDown" : "ArrowRight")) return (at + 1) % count;
  if (key === (vertical ? "ArrowUp" : "ArrowLeft")) return (at - 1 + count) % count;
  return undefined;
}
