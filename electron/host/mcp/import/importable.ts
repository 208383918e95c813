import { isObject, canonicalJson, type JsonObject } from "../../../../shared/json.ts";
import type { McpImportFile, McpImportRow } from "../../../../shared/mcp.ts";
import { visibleName, visibleText } from "../../../../shared/visible-text.ts";
import { parseMcpServers } from "../../config/mcp-declaration.ts";
import type { McpDeclaration } from "../../config/types.ts";
import { sha256 } from "../../kit/files.ts";
import { declaredTransport } from "../launch.ts";
import { soundsSecret } from "../variables.ts";
import { clientNames, importPlaces, type Machine } from "./places.ts";
import { type ForeignEntry, readForeign } from "./read.ts";
import { translateEntry } from "./translate.ts";

/** A row, and behind it what would be written. */
export interface Importable {
  readonly row: McpImportRow;
  readonly raw: JsonObject | undefined;
}
export interface Importables {
  readonly all: readonly Importable[];
  readonly files: readonly McpImportFile[];
}
const isName = (name: string): boolean => /^[\w.@ -]{1,64}$/.test(name);

/** Every server that other clients on this machine keep, as it would be taken over. Reads files, and starts nothing. */
export async function importables(
  machine: Machine,
  present: readonly McpDeclaration[],
): Promise<Importables> {
  const read = await Promise.all(importPlaces(machine).map(readForeign));
  const files = read.flatMap((file) => file ?? []);
  const names = new Map(
    present.filter(({ owner }) => owner === "user").map(({ name, raw }) => [name, launchOf(raw)]),
  );
  const launches = new Set(present.map(({ raw }) => launchOf(raw)));
  const all = files.flatMap(({ entries }) =>
    entries.map((entry) => importable(entry, machine, names, launches)),
  );
  return {
    all,
    // Settings files that hold no server at all are nobody's business here.
    files: files
      .filter(
        ({ entries, error, place }) => entries.length > 0 || (error !== undefined && !isShared(place.format)),
      )
      .map(({ place, entries, error }) => ({
        client: place.client,
        clientName: clientNames[place.client],
        file: place.file,
        servers: entries.length,
        ...(error === undefined ? {} : { error: visibleText(error) }),
      })),
  };
}
const isShared = (format: string): boolean => format === "vscode-settings";

function importable(
  entry: ForeignEntry,
  { platform, workspace }: Machine,
  /** What has which name; grows by what this row would take. */
  names: Map<string, string>,
  launches: ReadonlySet<string>,
): Importable {
  const { client, file, project, name } = entry;
  const { raw, notes } = translateEntry(entry, platform);
  const id = sha256(canonicalJson([client, file, project ?? null, name, entry.raw])).slice(0, 16);
  const launch = raw && launchOf(raw);
  const as = launch === undefined ? name : freeName(name, client, launch, names);
  if (launch !== undefined) names.set(as, launch);
  const [declaration] =
    raw === undefined
      ? []
      : parseMcpServers(
          { mcpServers: { [as]: raw } },
          { owner: "user", scope: "user", file, base: workspace },
        ).declarations;
  const faults = (declaration?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  const unusable = !declaration || faults.length > 0;
  const isPresent = launch !== undefined && launches.has(launch);
  return {
    raw: unusable ? undefined : raw,
    row: {
      id,
      client,
      clientName: clientNames[client],
      file,
      ...(project === undefined ? {} : { project }),
      name: visibleName(name),
      transport: declaration ? declaredTransport(declaration.config) : "stdio",
      command: raw ? maskedCommand(raw) : [],
      brings: raw ? [...keysOf(raw["env"]), ...keysOf(raw["headers"])].map((key) => visibleName(key)) : [],
      notes: [...notes, ...faults.map(({ message }) => message)].map((note) => visibleText(note)),
      state: unusable ? "unusable" : isPresent ? "present" : as === name ? "new" : "renamed",
      as,
    },
  };
}
const keysOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : []);
/** Two entries that start the same are the same, whatever they are called. */
function launchOf(raw: unknown): string {
  if (!isObject(raw)) return "";
  const { command, args = [], url, cwd } = raw;
  return canonicalJson({ command, args, url, cwd });
}
function freeName(name: string, client: string, launch: string, names: ReadonlyMap<string, string>): string {
  const clean = isName(name) ? name : name.replaceAll(/[^\w.@ -]/g, "_").slice(0, 64) || client;
  const isFree = (candidate: string): boolean => {
    const taken = names.get(candidate);
    return taken === undefined || taken === launch;
  };
  if (isFree(clean)) return clean;
  const base = `${clean.slice(0, 40)}-${client}`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (isFree(candidate)) return candidate;
  }
}

const mask = "***";
/** What looks like a key whatever stands before it. */
const keyLike =
  /^(?:sk|pk|ghp|gho|github_pat|glpat|xox[abp]|AKIA|AIza|eyJ|ntn|secret|Bearer )[-_A-Za-z0-9. ]{8,}/;
/** The command as a window may have it: values that look like secrets are masked; the review shows all that would start. */
export function maskedCommand(raw: JsonObject): string[] {
  const { command, args, url } = raw;
  if (typeof url === "string") return [maskedUrl(url)];
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  return words.map((word, at) => visibleText(maskedWord(word, words[at - 1])));
}
const isReference = (text: string): boolean => /^\$\{[^}]*\}$/.test(text);
function maskedWord(word: string, before: string | undefined): string {
  if (isReference(word)) return word;
  const [, option, value] = /^(-{0,2}[\w.-]+[=:]\s*)(.+)$/s.exec(word) ?? [];
  if (option !== undefined && value !== undefined && soundsSecret(option) && !isReference(value))
    return option + mask;
  // `--token` alone says what the next word is; a path or a package that sounds like a key is none.
  if (before !== undefined && /^--?[\w-]+$/.test(before) && soundsSecret(before) && !word.startsWith("-"))
    return mask;
  if (/^https?:/i.test(word)) return maskedUrl(word);
  return keyLike.test(word) ? mask : word;
}
/** As text, for variables may stand anywhere in it. A long piece of the path is a key with many hosted servers. */
const maskedUrl = (text: string): string =>
  visibleText(
    text
      .replace(/^(\w+:\/\/[^/@:]*:)[^/@]+@/, `$1${mask}@`)
      .replaceAll(/([?&]([^=&]+)=)([^&#]+)/g, (whole, start: string, name: string, value: string) =>
        (soundsSecret(name) || keyLike.test(value)) && !isReference(value) ? start + mask : whole,
      )
      .replaceAll(/(\/)(?=[^/?#]*\d)[\w=-]{24,}(?=[/?#]|$)/g, `$1${mask}`),
  );
