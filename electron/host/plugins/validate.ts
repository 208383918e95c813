import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { readManifest } from "./manifest.ts";
import { pluginServers } from "./servers.ts";

/** Everything that is wrong with the plugin in a folder (`nacre plugins validate`, cli.md). Runs nothing. */
export function validatePlugin(folder: string): readonly Diagnostic[] {
  const manifest = readManifest(folder);
  if (!manifest)
    return [
      {
        code: "plugin-manifest-missing",
        severity: "error",
        message: "the folder holds no plugin.json, so it is no plugin",
        path: folder,
        fix: 'add a plugin.json with { "name": … }',
      },
    ];
  return [...manifest.diagnostics, ...pluginServers(manifest, folder).diagnostics];
}
