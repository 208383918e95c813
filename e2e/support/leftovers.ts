import { readdirSync, readFileSync } from "node:fs";
import type { World } from "./world.ts";

/**
 * Processes that still run for a world, by the variable that every child of it inherits. Linux only: elsewhere nothing is
 * found, and the specs that ask say so.
 */
export function leftovers(world: World): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const own = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`CANARY=${world.canary}`);
        return own ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`] : [];
      } catch {
        // It ended while we looked, or is not ours.
        return [];
      }
    });
}
