import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import { parsePlainJson } from "../config/jsonc-read.ts";
import { parseMcpServers } from "../config/mcp-declaration.ts";
import { readRegular } from "../config/read-regular.ts";
import type { McpDeclaration } from "../config/types.ts";
import { realPath } from "../kit/files.ts";
import { pathInPlugin, type PluginManifest } from "./manifest.ts";
import { pluginVariables } from "./variables.ts";

interface ServerSource {
  readonly file: string;
  readonly raw: unknown;
}

/**
 * The servers that a plugin brings: those of its manifest (a map, or paths to files that hold one), and of `.mcp.json`
 * in its folder or beside the manifest; the manifest wins on a name (spec 5, Contributions).
 */
export function pluginServers(
  manifest: PluginManifest,
  folder: string,
): { declarations: McpDeclaration[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const declared = manifest.raw["mcpServers"];
  const named = typeof declared === "string" ? [declared] : Array.isArray(declared) ? declared : [];
  const inline: ServerSource[] =
    declared === undefined || typeof declared === "string" || Array.isArray(declared)
      ? []
      : [{ file: manifest.file, raw: declared }];
  const files = [
    ...named.flatMap((name: unknown) => {
      const file = typeof name === "string" ? pathInPlugin(name, folder) : undefined;
      if (file !== undefined) return [{ file, wanted: true }];
      diagnostics.push({
        code: "plugin-path-outside",
        severity: "error",
        message: `mcpServers: ${JSON.stringify(name)} is no path inside the plugin's folder`,
        path: manifest.file,
        fix: "name a file inside the plugin",
      });
      return [];
    }),
    { file: path.join(folder, ".mcp.json"), wanted: false },
    { file: path.join(path.dirname(manifest.file), ".mcp.json"), wanted: false },
  ];
  const seen = new Set<string>();
  const sources = [...inline];
  for (const { file, wanted } of files) {
    const source = readSource(file, wanted, seen);
    if (source && "raw" in source) sources.push(source);
    else if (source) diagnostics.push(source);
  }
  const byName = new Map<string, McpDeclaration>();
  for (const { file, raw } of sources) {
    const parsed = parseMcpServers(raw, {
      owner: manifest.name,
      scope: "plugin",
      file,
      base: folder,
      variables: pluginVariables(folder),
      // The manifest's value is the map itself: a name in it is a server, whatever it holds.
      ...(file === manifest.file ? { pointer: ["mcpServers"] } : {}),
    });
    diagnostics.push(...parsed.diagnostics);
    for (const declaration of parsed.declarations)
      if (!byName.has(declaration.name)) byName.set(declaration.name, declaration);
  }
  return { declarations: [...byName.values()], diagnostics };
}

/** Undefined for a file that is not there and need not be, and for one that was read already. */
function readSource(file: string, wanted: boolean, seen: Set<string>): ServerSource | Diagnostic | undefined {
  const problem = (message: string, fix: string, line?: number): Diagnostic => ({
    code: "mcp-invalid",
    severity: "error",
    message,
    path: file,
    ...(line === undefined ? {} : { line }),
    fix,
  });
  try {
    const real = realPath(file);
    if (seen.has(real)) return undefined;
    seen.add(real);
    const text = readRegular(file);
    if (text === undefined)
      return wanted ? problem("the manifest names this file, and it is not there", "add it") : undefined;
    const parsed = parsePlainJson(text);
    return "value" in parsed
      ? { file, raw: parsed.value }
      : problem(`the file does not parse: ${parsed.problem}`, "correct the JSON", parsed.line);
  } catch (error) {
    return problem(toErrorValue(error).message, "make the file readable");
  }
}
