import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { commandWords } from "./command-words.ts";
import { isObject } from "../../../shared/json.ts";
import { readOAuth } from "./mcp-oauth.ts";
import { diagnosticOf, Fields, type Pointer, type Problem } from "./fields.ts";
import type { McpDeclaration, McpServerConfig } from "./types.ts";

/** Whose file declares the servers, and what holds for all of them. */
export interface McpSource {
  readonly owner: string;
  readonly scope: McpDeclaration["scope"];
  readonly file: string;
  /** Folder that a relative `cwd` and `command` are taken from. */
  readonly base: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** What `auto_restart` is where the file says nothing: on for TOML, off for mcp.json (spec 6). */
  readonly autoRestart?: boolean;
  /** Where the map stands in its file, for diagnostics. */
  readonly pointer?: Pointer;
  /** The 1-based line of a key, where the format has one. */
  readonly lineOf?: (pointer: Pointer) => number | undefined;
}

const transports: Readonly<Record<string, string>> = {
  stdio: "stdio",
  sse: "sse",
  http: "streamable_http",
  streamable_http: "streamable_http",
  "streamable-http": "streamable_http",
  streamableHttp: "streamable_http",
};

/**
 * Reads a map of MCP servers in the Claude Desktop / Cursor format, with or without the `mcpServers` wrapper.
 * One bad entry takes no other with it: it stays in the list with a diagnostic of severity `error`, and whoever starts
 * servers shows it as failed with that message. Both `command` and `url`, and an unknown `type`, are kept as written.
 */
export function parseMcpServers(
  raw: unknown,
  source: McpSource,
): { declarations: McpDeclaration[]; diagnostics: Diagnostic[] } {
  const wrapped = isObject(raw) && Object.hasOwn(raw, "mcpServers");
  const servers = wrapped ? raw["mcpServers"] : raw;
  const pointer = [...(source.pointer ?? []), ...(wrapped ? ["mcpServers"] : [])];
  const file = { path: source.file, lineOf: source.lineOf };
  const diagnostics: Diagnostic[] = [];
  const declarations: McpDeclaration[] = [];
  if (servers === undefined) return { declarations, diagnostics };
  if (!isObject(servers)) {
    diagnostics.push(
      diagnosticOf(file, {
        pointer,
        code: "mcp-invalid",
        severity: "error",
        message: `${pointer.join(".") || "the file"} is no map of server names to servers`,
        fix: 'write { "mcpServers": { "name": { "command": "…" } } }',
      }),
    );
    return { declarations, diagnostics };
  }
  for (const [name, entry] of Object.entries(servers)) {
    // Without the wrapper a map may hold other things: "$schema", inputs.
    if (!wrapped && source.pointer === undefined && !looksLikeServer(entry)) continue;
    const problems: Problem[] = [];
    const config = readServer(entry, [...pointer, name], source.autoRestart ?? false, (p) =>
      problems.push(p),
    );
    const own = problems.map((problem) => diagnosticOf(file, problem));
    diagnostics.push(...own);
    declarations.push({
      name,
      owner: source.owner,
      scope: source.scope,
      file: source.file,
      config,
      raw: entry,
      base: source.base,
      variables: source.variables ?? {},
      diagnostics: own,
    });
  }
  return { declarations, diagnostics };
}
const looksLikeServer = (entry: unknown): boolean =>
  isObject(entry) && ["command", "url", "type"].some((key) => Object.hasOwn(entry, key));

function readServer(
  raw: unknown,
  pointer: Pointer,
  autoRestart: boolean,
  report: (problem: Problem) => void,
): McpServerConfig {
  const fields = new Fields(raw, pointer, "mcp-invalid", report);
  const type = fields.string("type");
  const line = fields.string("command");
  const [command, ...inline] = line === undefined ? [] : commandWords(line);
  const url = fields.string("url");
  const milliseconds = fields.number(1, "timeout");
  if (command !== undefined && url !== undefined)
    fields.report([], `has both command and url`, "keep one of them");
  else if (isObject(raw) && command === undefined && url === undefined && !fields.find("command", "url"))
    fields.report([], `has neither command nor url`, "add a command or a url");
  if (type !== undefined && !Object.hasOwn(transports, type))
    fields.report(["type"], `"${type}" is no known transport`, "use stdio, sse or streamable_http");
  // A switch that is no boolean counts as the stricter one.
  const off = fields.strictBoolean(true, false, "disabled");
  const on = fields.strictBoolean(false, true, "enabled");
  const oauth = readOAuth(fields);
  if (oauth !== undefined && command !== undefined)
    fields.report(["oauth"], "has no meaning for a command", "remove it, or write a url", "warning");
  const config: McpServerConfig = {
    ...defined({
      command,
      url,
      cwd: fields.string("cwd"),
      type: type === undefined ? undefined : (transports[type] ?? type),
      apiKeyEnv: fields.string("api_key_env", "bearer_token_env_var"),
      startupTimeoutSec: fields.number(0.001, "startup_timeout_sec"),
      toolTimeoutSec: fields.number(0.001, "tool_timeout_sec") ?? (milliseconds && milliseconds / 1000),
      enabledTools: fields.strings("enabled_tools"),
      idleTimeoutSecs: fields.number(0.001, "idle_timeout_secs"),
      oauth,
    }),
    args: [...inline, ...(fields.strings("args") ?? [])],
    env: fields.texts("env") ?? {},
    headers: fields.texts("headers", "http_headers") ?? {},
    disabled: off || (!on && fields.find("disabled") === undefined),
    autoApprove: readAutoApprove(fields),
    disabledTools: fields.strings("disabled_tools") ?? [],
    keepAlive: fields.boolean("keep_alive") ?? false,
    autoRestart: fields.boolean("auto_restart") ?? autoRestart,
    maxRestartAttempts: fields.number(0, "max_restart_attempts") ?? 3,
    start: fields.word(startWord, ["eager", "lazy"], "start") ?? "eager",
    sandbox: fields.strictBoolean(true, false, "sandbox"),
  };
  fields.reportUnknown("misspelt");
  return config;
}
const startWord = (word: string): "eager" | "lazy" | undefined =>
  word === "eager" || word === "lazy" ? word : undefined;

function readAutoApprove(fields: Fields): true | readonly string[] {
  const found = fields.find("auto_approve");
  if (found === undefined || found.value === false) return [];
  return found.value === true ? true : (fields.strings("auto_approve") ?? []);
}

/** The members that are not undefined. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
function defined<T extends object>(value: T): Defined<T> {
  const kept: Defined<T> = { ...value } as Defined<T>;
  for (const key of Object.keys(value) as (keyof T)[]) if (value[key] === undefined) delete kept[key];
  return kept;
}
