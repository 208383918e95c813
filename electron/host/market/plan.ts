import path from "node:path";
import { canonicalJson, type JsonObject } from "../../../shared/json.ts";
import type { InstallPlan, Requirement } from "../../../shared/market.ts";
import { sha256 } from "../kit/files.ts";
import type { InstallScope, Places } from "./places.ts";
import type { CatalogEntry, EntryFile, InstallForm } from "./types.ts";

/** What an install puts where; made anew right before it happens and compared with what was shown. */
export interface Placement {
  readonly folder?: { readonly target: string; readonly files: readonly EntryFile[] };
  readonly entry?: {
    readonly file: string;
    readonly pointer: readonly string[];
    readonly value: JsonObject;
  };
}

/** @param written values of the entry's variables, as they stand in the file */
export function placementOf(
  entry: CatalogEntry,
  scope: InstallScope,
  places: Places,
  files: readonly EntryFile[],
  written: Readonly<Record<string, string>> = {},
): Placement {
  if (entry.install.kind === "folder")
    return {
      folder: {
        target: path.join(places.folder(entry.kind === "plugin" ? "plugin" : "skill", scope), entry.name),
        files,
      },
    };
  const keys = entry.variables.map(({ key }) => key);
  const value = serverValue(entry.install, keys, written);
  return { entry: { file: places.servers(scope), pointer: ["mcpServers", entry.name], value } };
}

/**
 * The server as mcp.json declares it. `${KEY}` of a variable that has a value becomes that value; one that no string
 * names becomes an environment variable of the program. Every other `${NAME}` is left for the server's start.
 */
export function serverValue(
  form: Exclude<InstallForm, { kind: "folder" }>,
  keys: readonly string[],
  written: Readonly<Record<string, string>>,
): JsonObject {
  const named = new Set<string>();
  const fill = (text: string): string =>
    text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => {
      if (!keys.includes(name)) return whole;
      named.add(name);
      return written[name] ?? whole;
    });
  const fillAll = (map: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(map).map(([key, text]) => [key, fill(text)]));
  if (form.kind === "remote") {
    const headers = fillAll(form.headers);
    const hasHeaders = Object.keys(headers).length > 0;
    return { type: form.transport, url: fill(form.url), ...(hasHeaders ? { headers } : {}) };
  }
  const args = form.args.map(fill);
  const cwd = form.cwd === undefined ? {} : { cwd: fill(form.cwd) };
  const env = fillAll(form.env);
  for (const key of keys) if (!named.has(key) && written[key] !== undefined) env[key] = written[key];
  const hasEnv = Object.keys(env).length > 0;
  return { command: form.command, args, ...(hasEnv ? { env } : {}), ...cwd };
}

/**
 * What an install of this entry would write and run, its receipt aside. The digest is over all of it but the answers of the form and the
 * versions found on this computer, so that it says the same until the catalog or the place changes.
 */
export function planInstall(
  entry: CatalogEntry,
  scope: InstallScope,
  places: Places,
  files: readonly EntryFile[],
  requirements: readonly Requirement[],
): InstallPlan {
  const placement = placementOf(entry, scope, places, files);
  const { install } = entry;
  const shown = {
    id: entry.id,
    kind: entry.kind,
    name: entry.name,
    scope,
    writes: writesOf(placement),
    commands: install.kind === "stdio" ? [[install.command, ...install.args]] : [],
    variables: entry.variables,
    permissions:
      install.kind === "stdio" ? ["shell"] : install.kind === "remote" ? [`net:${hostOf(install.url)}`] : [],
  };
  const contents = files.map((file) => [file.path, sha256(file.text)]);
  const digest = sha256(canonicalJson({ shown, value: placement.entry?.value, contents }));
  return { ...shown, requirements, digest };
}
function writesOf({ folder, entry }: Placement): { path: string; bytes: number }[] {
  const files = (folder?.files ?? []).map((file) => ({
    path: path.join(folder?.target ?? "", file.path),
    bytes: Buffer.byteLength(file.text),
  }));
  if (!entry) return files;
  return [...files, { path: entry.file, bytes: Buffer.byteLength(JSON.stringify(entry.value, null, 2)) }];
}
/** The host of a url as it is written; a variable in it stays. */
const hostOf = (url: string): string => /^[a-z+]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? url;
