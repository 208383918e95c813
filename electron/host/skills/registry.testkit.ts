import type { Logger } from "../kit/log.ts";
import { SkillRegistry } from "./registry.ts";
import type { SkillCandidate, SkillLookupOptions, SkillProvider } from "./types.ts";
import { quietLog } from "./world.testkit.ts";

export const warnings: string[] = [];
export const log: Logger = { ...quietLog, warn: (message) => void warnings.push(message) };
export const registry = (maxEntries = 128): SkillRegistry =>
  new SkillRegistry({ log, maxEntries: () => maxEntries });
export const candidate = (name: string, rank: number, description = "D."): SkillCandidate => ({
  name,
  rank,
  description,
  source: "custom",
  provider: "p",
  locator: { name },
});
export interface Fake extends SkillProvider {
  lists: SkillLookupOptions[];
  gets: [SkillCandidate, SkillLookupOptions][];
}
export function provider(name: string, candidates: readonly SkillCandidate[]): Fake {
  const fake: Fake = {
    name,
    lists: [],
    gets: [],
    list: async (options) => {
      fake.lists.push(options);
      return candidates;
    },
    get: async (wanted, options) => {
      fake.gets.push([wanted, options]);
      return { ...wanted, content: `body of ${wanted.name} by ${name}` };
    },
  };
  return fake;
}

/** Every object of it frozen: what is borrowed read-only and changed throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
export const later = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
export const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);
