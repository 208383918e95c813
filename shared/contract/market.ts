import * as z from "zod/mini";
import type { InstallPlan, MarketItem, MarketSourceRow } from "../market.ts";
import { method } from "./method.ts";

export interface MarketSearch {
  readonly items: readonly MarketItem[];
  readonly sources: readonly MarketSourceRow[];
}
export interface MarketDetail extends MarketItem {
  readonly readme: string;
  readonly homepage?: string;
  readonly command: readonly string[];
}
/** A plan with the one-time grant that installs it. */
export interface PlannedInstall extends InstallPlan {
  readonly grant: string;
}
const scope = z.enum(["user", "workspace"]);
export const marketContract = {
  "market.search": method(
    z.object({ query: z.string(), kind: z.optional(z.enum(["skill", "plugin", "mcp"])) }),
  ).returns<MarketSearch>(),
  "market.detail": method(z.object({ id: z.string() })).returns<MarketDetail>(),
  "market.plan": method(z.object({ id: z.string(), scope })).returns<PlannedInstall>(),
  /** The person approved the plan: places it, writes the receipt, enables and starts. */
  "market.install": method(
    z.object({ grant: z.string(), variables: z.record(z.string(), z.string()) }),
  ).returns<null>(),
  "market.cancel": method(z.object({ id: z.string() })).returns<null>(),
  "market.uninstall": method(z.object({ id: z.string() })).returns<null>(),
} as const;
