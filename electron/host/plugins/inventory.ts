import { contributionId } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import type { AppPaths, McpDeclaration } from "../config/types.ts";
import { realPath } from "../kit/files.ts";
import { fingerprint, folderFiles, type Fingerprint } from "../policy/digest.ts";
import { argumentFiles, commandWords, entryFiles } from "../policy/named-files.ts";
import { argumentVector } from "./exec-tool.ts";
import { readManifest, type PluginManifest } from "./manifest.ts";
import { pluginFolders, pluginRoots, scopeOfPlugin } from "./roots.ts";
import { pluginServers } from "./servers.ts";

/** What a plugin is, its manifest and every file of its folder; the reason where it cannot be read whole. */
export type PluginDigest =
  | { readonly ok: true; readonly fingerprint: Fingerprint }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** A plugin's folder as it was found last. */
export interface FoundPlugin {
  readonly manifest: PluginManifest;
  readonly folder: string;
  readonly scope: "user" | "workspace";
  /** `plugin:NAME`; `plugin:NAME~1` for the next of the same name. */
  readonly id: string;
  readonly owner: string;
  readonly servers: readonly McpDeclaration[];
  readonly problems: readonly Diagnostic[];
  /** As the files were when it was first asked for; one of the user's that no install brought is never asked. */
  digest(): PluginDigest;
}
export interface Inventory {
  /** Best first. */
  readonly plugins: readonly FoundPlugin[];
  /** Every folder in a root: one without a manifest may get it. */
  readonly folders: readonly string[];
  /** What belongs to no plugin. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads every plugin that lies in a root; the same folder by two ways is one plugin. Runs nothing. */
export function findPlugins(workspace: string, paths: AppPaths): Inventory {
  const diagnostics: Diagnostic[] = [];
  const plugins: FoundPlugin[] = [];
  const folders: string[] = [];
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  for (const root of pluginRoots(workspace, paths))
    for (const { folder, real } of pluginFolders(root.folder, (one) => diagnostics.push(one))) {
      folders.push(folder);
      const manifest = seen.has(real) ? undefined : readManifest(folder);
      seen.add(real);
      if (!manifest) continue;
      const before = counts.get(manifest.name) ?? 0;
      counts.set(manifest.name, before + 1);
      const owner = before === 0 ? manifest.name : `${manifest.name}~${before}`;
      const { declarations: servers, diagnostics: problems } = pluginServers(manifest, folder);
      const scope = scopeOfPlugin(real, root, workspace, paths);
      let digest: PluginDigest | undefined;
      plugins.push({
        manifest,
        folder,
        scope,
        id: `plugin:${owner}`,
        owner,
        servers: servers.map((server) => ({ ...server, owner })),
        problems,
        digest: () => (digest ??= digestNow({ manifest, folder, scope, servers }, workspace)),
      });
    }
  return { plugins, folders, diagnostics };
}

/** Of the files as they are at this moment. */
export function digestNow(
  plugin: Pick<FoundPlugin, "manifest" | "folder" | "scope" | "servers">,
  workspace: string,
): PluginDigest {
  try {
    return { ok: true, fingerprint: fingerprintNow(plugin, workspace) };
  } catch (error) {
    const { code, message } = toErrorValue(error);
    if (code === "internal") throw error;
    return {
      ok: false,
      diagnostic: { code: "plugin-unreadable", severity: "error", message, path: plugin.folder },
    };
  }
}
/** As `digestNow`. @throws NacreError for a file that cannot be read */
export function fingerprintNow(
  { manifest, folder, scope, servers }: Pick<FoundPlugin, "manifest" | "folder" | "scope" | "servers">,
  workspace: string,
): Fingerprint {
  const real = realPath(folder);
  const declaration = { kind: "plugin", declaration: manifest.raw };
  // Of the user's its folder alone, so that it is the same in every workspace.
  if (scope === "user") return fingerprint(declaration, folderFiles(real), { base: real });
  // Beside the plugin's folder, what its commands name elsewhere in the workspace, or in a folder that is left out.
  const tools = manifest.tools.map(({ command }) => argumentVector(command, folder));
  const started = servers.map(({ config: { command, args } }) => [
    ...(command === undefined ? [] : [command]),
    ...args,
  ]);
  const place = { cwd: workspace, workspace };
  const inFolder = { cwd: folder, workspace };
  const entries = [
    ...tools.map((argv) => entryFiles(argv, place)),
    ...started.map((argv) => entryFiles(argv, inFolder)),
  ];
  const files = [
    ...folderFiles(real),
    ...argumentFiles(commandWords(tools.flat()), place),
    ...argumentFiles(commandWords(started.flat()), inFolder),
    ...entries.flatMap((entry) => entry.files),
  ];
  const packages = entries.flatMap((entry) => entry.packages);
  return fingerprint(declaration, files, { base: real, packages });
}

export const toolId = ({ owner }: Pick<FoundPlugin, "owner">, name: string): string =>
  contributionId("tool", owner, name);
export const serverId = ({ owner }: Pick<FoundPlugin, "owner">, name: string): string =>
  contributionId("mcp", owner, name);
