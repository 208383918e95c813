import type { PlannedInstall } from "../../shared/contract/market.ts";
import type { InstallView, MarketItem, Receipt } from "../../shared/market.ts";

/** Rows with every member filled, for tests that care about one of them. */
export const marketItem = (part: Partial<MarketItem> = {}): MarketItem => ({
  id: "memory",
  kind: "mcp",
  name: "Memory",
  description: "Remembers facts between sessions",
  source: "builtin",
  version: "1.0.0",
  trust: "verified",
  installed: false,
  requirements: [],
  ...part,
});

export const plannedInstall = (part: Partial<PlannedInstall> = {}): PlannedInstall => ({
  id: "memory",
  kind: "mcp",
  name: "memory",
  scope: "user",
  writes: [{ path: "/home/me/.config/nacre/mcp.json", bytes: 120 }],
  commands: [["npx", "-y", "memory server@1.0.0"]],
  variables: [],
  permissions: ["shell"],
  requirements: [],
  digest: "7be1a4f0c0ffee00",
  grant: "g1",
  ...part,
});

export const installView = (part: Partial<InstallView> = {}): InstallView => ({
  id: "memory",
  name: "Memory",
  step: "fetch",
  state: "running",
  ...part,
});

export const receipt = (part: Partial<Receipt> = {}): Receipt => ({
  v: 1,
  id: "memory",
  kind: "mcp",
  name: "memory",
  scope: "user",
  files: [],
  entries: [{ path: "/home/me/.config/nacre/mcp.json", pointer: ["mcpServers", "memory"], sha256: "ab" }],
  source: "builtin",
  version: "1.0.0",
  installedAt: "2026-11-30T10:00:00Z",
  ...part,
});
