export type MarketKind = "skill" | "plugin" | "mcp";
export type MarketTrust = "unverified" | "community" | "verified";

export interface Requirement {
  readonly kind: string;
  readonly need?: string;
  readonly found?: string;
  readonly ok: boolean;
  readonly hint?: string;
}
export interface MarketItem {
  readonly id: string;
  readonly kind: MarketKind;
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly version?: string;
  /** Who publishes it, as its catalog says. */
  readonly author?: string;
  readonly trust: MarketTrust;
  readonly installed: boolean;
  readonly requirements: readonly Requirement[];
}
export interface MarketSourceRow {
  readonly id: string;
  readonly kind: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly ok: boolean;
  readonly stale: boolean;
  readonly error?: string;
}
export interface PlanVariable {
  readonly key: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly description?: string;
  readonly default?: string;
}
/** What an install will write and run, shown before it happens (spec 9). `digest` binds the approval. */
export interface InstallPlan {
  readonly id: string;
  readonly kind: MarketKind;
  readonly name: string;
  readonly scope: "user" | "workspace";
  readonly writes: readonly { readonly path: string; readonly bytes: number }[];
  /** One array a command, one element an argument. */
  readonly commands: readonly (readonly string[])[];
  readonly variables: readonly PlanVariable[];
  readonly permissions: readonly string[];
  readonly requirements: readonly Requirement[];
  readonly digest: string;
}
/** The record of what an install did; used for update and removal. */
export interface Receipt {
  readonly v: 1;
  readonly id: string;
  readonly kind: MarketKind;
  readonly name: string;
  readonly scope: "user" | "workspace";
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** Entries put into a shared file: `{path: <config>/mcp.json, pointer: ["mcpServers", name], sha256}`. */
  readonly entries: readonly {
    readonly path: string;
    readonly pointer: readonly string[];
    readonly sha256: string;
  }[];
  readonly source: string;
  readonly version?: string;
  readonly installedAt: string;
}
export const installSteps = ["fetch", "validate", "plan", "approval", "place", "receipt", "enable"] as const;
export type InstallStep = (typeof installSteps)[number];
export interface InstallView {
  readonly id: string;
  readonly name: string;
  readonly step: InstallStep;
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly error?: string;
}
export interface MarketView {
  readonly sources: readonly MarketSourceRow[];
  readonly installs: readonly InstallView[];
  readonly receipts: readonly Receipt[];
}
export type MarketEvent =
  | { readonly type: "install"; readonly install: InstallView }
  | { readonly type: "receipts"; readonly receipts: readonly Receipt[] }
  | { readonly type: "sources"; readonly sources: readonly MarketSourceRow[] };
