import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject } from "../../../shared/json.ts";
import type { Document } from "./documents.ts";
import { diagnosticOf, Fields } from "./fields.ts";
import { parseMcpServers } from "./mcp-declaration.ts";
import type { McpDeclaration, OtherDeclaration } from "./types.ts";

/** One TOML file of spec 2 with its scope. */
export interface Layer {
  readonly document: Document;
  readonly scope: "user" | "workspace";
}
export interface LayeredDeclarations {
  /** Highest precedence first. */
  readonly mcp: readonly McpDeclaration[];
  readonly others: readonly OtherDeclaration[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What else stands in these files, for Kairox itself. */
const kairoxOwn = [
  "profiles",
  "features",
  "context",
  "advisor",
  "trusted_servers",
  "catalog_sources",
  "knowledge_bases",
];
const tables = [
  ["lsp_servers", "lsp"],
  ["dap_servers", "dap"],
] as const;

/**
 * Reads servers and hooks of Kairox's TOML files. Every one belongs to the owner `kairox`; where files of several
 * layers declare one name, the further ones are `kairox~1` and so on, counted from the user's files, so that a
 * workspace never takes over the id under which the user's own server is switched.
 * `disabled_mcp_servers` is a union over layers; a workspace's list speaks of the workspace's servers alone.
 */
export function readLayers(layers: readonly Layer[], workspace: string): LayeredDeclarations {
  const disabledBy = (scope: Layer["scope"]): Set<string> =>
    new Set(layers.filter((layer) => layer.scope === scope).flatMap(disabledNames));
  const byUser = disabledBy("user");
  const byWorkspace = disabledBy("workspace");
  const diagnostics: Diagnostic[] = [];
  const mcp = layers.flatMap(({ document, scope }) => {
    const result = parseMcpServers(member(document.value, "mcp_servers"), {
      owner: "kairox",
      scope,
      file: document.path,
      base: workspace,
      autoRestart: true,
      pointer: ["mcp_servers"],
      lineOf: document.lineOf,
    });
    for (const found of result.diagnostics) diagnostics.push(found);
    return result.declarations.map((declaration) => {
      const off =
        byUser.has(declaration.name) || (scope === "workspace" && byWorkspace.has(declaration.name));
      return off ? { ...declaration, config: { ...declaration.config, disabled: true } } : declaration;
    });
  });
  const others = layers.flatMap((layer) => readOthers(layer, diagnostics));
  return {
    mcp: withOwners(mcp, () => "mcp"),
    others: withOwners(others, (entry) => entry.kind),
    diagnostics,
  };
}
const member = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

function disabledNames({ document }: Layer): string[] {
  const list = member(document.value, "disabled_mcp_servers");
  // One name that is no list means that server all the same.
  return [list].flat().filter((name): name is string => typeof name === "string");
}

function readOthers({ document, scope }: Layer, diagnostics: Diagnostic[]): OtherDeclaration[] {
  if (document.value === undefined) return [];
  const found: OtherDeclaration[] = [];
  const add = (kind: OtherDeclaration["kind"], name: string, raw: unknown): void =>
    void found.push({ kind, name, owner: "kairox", scope, file: document.path, raw });
  const fields = new Fields(document.value, [], "toml-invalid", (problem) =>
    diagnostics.push(diagnosticOf(document, problem)),
  );
  fields.pass("mcp_servers", ...kairoxOwn);
  fields.string("instructions");
  fields.strings("disabled_mcp_servers");
  for (const [table, kind] of tables) eachTable(fields.object(table), (name, raw) => add(kind, name, raw));
  const hooks = fields.object("hooks");
  eachTable(hooks, (event) =>
    eachTable(hooks.object(event), (id, raw) => add("hook", `${event}.${id}`, raw)),
  );
  fields.reportUnknown("misspelt");
  return found;
}
/** Calls `use` with every member that is a table; another is reported. */
function eachTable(fields: Fields, use: (name: string, raw: unknown) => void): void {
  for (const [name, raw] of Object.entries(fields.raw)) {
    if (isObject(raw)) {
      fields.pass(name);
      use(name, raw);
    } else fields.object(name);
  }
}

function withOwners<T extends { name: string; owner: string; scope: string }>(
  list: readonly T[],
  kindOf: (entry: T) => string,
): T[] {
  const counts = new Map<string, number>();
  const owners = new Map<T, string>();
  const userFirst = [...list].sort((a, b) => Number(b.scope === "user") - Number(a.scope === "user"));
  for (const entry of userFirst) {
    const key = `${kindOf(entry)}:${entry.name}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    owners.set(entry, count === 0 ? entry.owner : `${entry.owner}~${count}`);
  }
  return list.map((entry) => ({ ...entry, owner: owners.get(entry) ?? entry.owner }));
}
