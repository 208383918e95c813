import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { parseMcpServers } from "../config/mcp-declaration.ts";
import type { McpDeclaration } from "../config/types.ts";
import { readText } from "../kit/files.ts";
import type { PluginManifest } from "./manifest.ts";

/**
 * The servers that a plugin brings: those of its manifest, and of `.mcp.json` in its folder or beside the manifest; the
 * manifest wins on a name (spec 5, Contributions).
 */
export function pluginServers(
  manifest: PluginManifest,
  folder: string,
): { declarations: McpDeclaration[]; diagnostics: Diagnostic[] } {
  const beside = new Set([
    path.join(folder, ".mcp.json"),
    path.join(path.dirname(manifest.file), ".mcp.json"),
  ]);
  const diagnostics: Diagnostic[] = [];
  const files = [...beside].flatMap((file) => {
    const text = readText(file);
    if (text === undefined) return [];
    try {
      return [{ file, raw: JSON.parse(text) as unknown }];
    } catch (error) {
      diagnostics.push({
        code: "mcp-invalid",
        severity: "error",
        message: `the file does not parse: ${error instanceof Error ? error.message : String(error)}`,
        path: file,
        fix: "correct the JSON",
      });
      return [];
    }
  });
  const byName = new Map<string, McpDeclaration>();
  for (const { file, raw } of [...manifest.mcpServers, ...files]) {
    const parsed = parseMcpServers(raw, {
      owner: manifest.name,
      scope: "plugin",
      file,
      base: folder,
      variables: { CLAUDE_PLUGIN_ROOT: folder, PLUGIN_ROOT: folder, CST_PLUGIN_DIR: folder },
    });
    diagnostics.push(...parsed.diagnostics);
    for (const declaration of parsed.declarations)
      if (!byName.has(declaration.name)) byName.set(declaration.name, declaration);
  }
  return { declarations: [...byName.values()], diagnostics };
}
