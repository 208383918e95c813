import type { MarketKind, MarketTrust, PlanVariable } from "../../../shared/market.ts";

/** How an entry gets onto this computer, in one of the forms of spec 9. */
export type InstallForm =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly kind: "remote";
      readonly transport: "sse" | "streamable_http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** A folder relative to the catalog's own file. */
  | { readonly kind: "folder"; readonly path: string };

/** What an entry needs on this computer, before anybody has looked. */
export interface Needed {
  readonly kind: string;
  readonly minVersion?: string;
  readonly hint?: string;
}
/** One thing that can be installed, as its catalog describes it. */
export interface CatalogEntry {
  readonly id: string;
  readonly kind: MarketKind;
  /** The server's name, or the skill's folder. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly author?: string;
  readonly homepage?: string;
  readonly version?: string;
  readonly trust: MarketTrust;
  readonly source: string;
  readonly install: InstallForm;
  readonly needs: readonly Needed[];
  readonly variables: readonly PlanVariable[];
}
/** A file that an entry brings: its path inside the entry's folder, `/` between the names. */
export interface EntryFile {
  readonly path: string;
  readonly text: string;
}
