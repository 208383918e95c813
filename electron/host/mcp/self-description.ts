import type { JsonObject } from "../../../shared/json.ts";
import { cutEnd } from "../../../shared/visible-text.ts";
import type { Connection } from "./types.ts";

/** What is kept of what a server says of itself, UTF-16 units: it may send megabytes, and each conversation carries it. */
const longestInstructions = 8000;
const longestName = 200;
const mostCapabilities = 64;
const largestCapability = 16 * 1024;

export interface SelfDescription {
  readonly instructions: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: Connection["serverInfo"];
}
/** What a server said of itself in the handshake, bounded; what was cut is told to `onNote`. */
export function selfDescription(
  said: {
    readonly instructions?: string | undefined;
    readonly capabilities?: JsonObject | undefined;
    readonly serverInfo?: { readonly name?: string; readonly version?: string } | undefined;
  },
  onNote: (text: string) => void,
): SelfDescription {
  const { kept, left } = cutEnd(said.instructions ?? "", longestInstructions);
  if (left > 0)
    onNote(
      `its instructions are cut after ${longestInstructions} of ${longestInstructions + left} characters`,
    );
  const all = Object.entries(said.capabilities ?? {});
  const small = all
    .filter(
      ([name, value]) => name.length <= longestName && JSON.stringify(value).length <= largestCapability,
    )
    .slice(0, mostCapabilities);
  if (small.length < all.length)
    onNote(`${all.length - small.length} of its capabilities are too large and left out`);
  return {
    instructions: kept,
    capabilities: Object.fromEntries(small),
    serverInfo: {
      name: cutEnd(said.serverInfo?.name ?? "", longestName).kept,
      version: cutEnd(said.serverInfo?.version ?? "", longestName).kept,
    },
  };
}
