import { toErrorValue } from "../../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { parseJsonc } from "../../config/jsonc-read.ts";
import { readText } from "../../kit/files.ts";
import type { ImportPlace } from "./places.ts";

/** Nobody's configuration is larger; Claude Code keeps whole histories in its file. */
const mostBytes = 32 * 1024 * 1024;

/** One server as a client wrote it. */
export interface ForeignEntry extends ImportPlace {
  readonly name: string;
  readonly raw: unknown;
  /** What VS Code asks for, by its id. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
}
export interface ForeignFile {
  readonly place: ImportPlace;
  readonly entries: readonly ForeignEntry[];
  /** Why it could not be read. */
  readonly error?: string;
}

/** Reads a client's file; undefined where there is none. A broken one is told of, whatever is wrong with it. */
export async function readForeign(place: ImportPlace): Promise<ForeignFile | undefined> {
  try {
    const text = readText(place.file, mostBytes);
    if (text === undefined) return undefined;
    return { place, entries: entriesOf(place, await parse(place, text)) };
  } catch (error) {
    return { place, entries: [], error: toErrorValue(error).message };
  }
}
async function parse({ format }: ImportPlace, text: string): Promise<unknown> {
  if (format === "codex") {
    const { parse: parseToml } = await import("smol-toml");
    return parseToml(text.replace(/^\uFEFF/, ""));
  }
  const result = await parseJsonc(text);
  if (!result.ok) throw new Error(`line ${result.line}: ${result.message}`);
  return result.value;
}
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

function entriesOf(place: ImportPlace, value: unknown): ForeignEntry[] {
  const listed = (servers: unknown, inputs: unknown, project = place.project): ForeignEntry[] =>
    Object.entries(isObject(servers) ? servers : {}).map(([name, raw]) => ({
      ...place,
      ...(project === undefined ? {} : { project }),
      name,
      raw,
      inputs: inputsOf(inputs),
    }));
  switch (place.format) {
    case "mcpServers":
    case "gemini":
      return listed(at(value, "mcpServers"), undefined);
    case "claude-code": {
      const projects = at(value, "projects");
      return [
        ...listed(at(value, "mcpServers"), undefined),
        ...Object.entries(isObject(projects) ? projects : {}).flatMap(([project, own]) =>
          listed(at(own, "mcpServers"), undefined, project),
        ),
      ];
    }
    case "vscode":
      return listed(at(value, "servers"), at(value, "inputs"));
    case "vscode-settings":
      return listed(at(value, "mcp", "servers"), at(value, "mcp", "inputs"));
    case "codex":
      return listed(at(value, "mcp_servers"), undefined);
    case "opencode":
      return listed(at(value, "mcp"), undefined);
  }
}
const inputsOf = (inputs: unknown): ReadonlyMap<string, JsonObject> =>
  new Map(
    (Array.isArray(inputs) ? inputs : []).flatMap((input: unknown) =>
      isObject(input) && typeof input["id"] === "string" ? [[input["id"], input] as const] : [],
    ),
  );
