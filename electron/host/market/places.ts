import path from "node:path";
import type { MarketKind } from "../../../shared/market.ts";
import type { AppPaths } from "../config/types.ts";

export type InstallScope = "user" | "workspace";
export interface PlacesOptions {
  readonly paths: Pick<AppPaths, "home" | "config" | "data">;
  readonly workspace: string;
  /** `market.targets` of the settings: folders of the user's own choice, by kind. */
  readonly targets: Readonly<Record<string, string>>;
}

/** Where things are installed (spec 9, Install). All absolute. */
export interface Places {
  /** The folder that holds one folder for each skill or plugin. */
  folder(kind: Exclude<MarketKind, "mcp">, scope: InstallScope): string;
  servers(scope: InstallScope): string;
  receipts(scope: InstallScope): string;
  /** One folder for each install that is under way. */
  readonly staging: string;
  /** `<ws>/.agent`: nothing of the workspace's scope lies outside. */
  readonly agent: string;
}
export function placesOf({ paths, workspace, targets }: PlacesOptions): Places {
  const agent = path.join(workspace, ".agent");
  return {
    agent,
    staging: path.join(paths.data, "staging"),
    folder(kind, scope) {
      const name = `${kind}s`;
      if (scope === "workspace") return path.join(agent, name);
      const target = targets[kind];
      return target === undefined
        ? path.join(paths.config, name)
        : path.resolve(paths.home, target.replace(/^~(?=$|[\\/])/, paths.home));
    },
    servers: (scope) => path.join(scope === "user" ? paths.config : agent, "mcp.json"),
    receipts: (scope) => path.join(scope === "user" ? paths.data : agent, "receipts"),
  };
}
