import { isObject } from "../../../shared/json.ts";
import type { Document } from "./documents.ts";
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
}

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
  const mcp = layers.flatMap(({ document, scope }) =>
    parseMcpServers(member(document.value, "mcp_servers"), {
      owner: "kairox",
      scope,
      file: document.path,
      base: workspace,
      autoRestart: true,
      pointer: ["mcp_servers"],
    }).declarations.map((declaration) => {
      const off =
        byUser.has(declaration.name) || (scope === "workspace" && byWorkspace.has(declaration.name));
      return off ? { ...declaration, config: { ...declaration.config, disabled: true } } : declaration;
    }),
  );
  const others = layers.flatMap(readOthers);
  return { mcp: withOwners(mcp, () => "mcp"), others: withOwners(others, (entry) => entry.kind) };
}
const member = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

function disabledNames({ document }: Layer): string[] {
  const list = member(document.value, "disabled_mcp_servers");
  return Array.isArray(list) ? list.filter((name): name is string => typeof name === "string") : [];
}

function readOthers({ document, scope }: Layer): OtherDeclaration[] {
  const found: OtherDeclaration[] = [];
  const add = (kind: OtherDeclaration["kind"], name: string, raw: unknown): void =>
    void found.push({ kind, name, owner: "kairox", scope, file: document.path, raw });
  for (const [table, kind] of tables)
    for (const [name, raw] of entriesOf(member(document.value, table))) add(kind, name, raw);
  for (const [event, hooks] of entriesOf(member(document.value, "hooks")))
    for (const [id, raw] of entriesOf(hooks)) add("hook", `${event}.${id}`, raw);
  return found;
}
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

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
