import { isObject, type JsonObject } from "../../../../shared/json.ts";
import type { ForeignEntry } from "./read.ts";
import { translateVariables } from "./variables.ts";

export interface Translated {
  /** As it would stand in Nacre's mcp.json; undefined where it cannot be used. */
  readonly raw: JsonObject | undefined;
  /** What is different from what the client does, one line each. */
  readonly notes: readonly string[];
}
/** Keys that mean the same in both. */
const same = new Set(["command", "args", "env", "cwd", "url", "headers", "type", "disabled", "timeout"]);
/** Keys without effect on what runs. */
const quiet = new Set(["name", "description", "gallery", "version", "icon", "metadata", "$schema", "dev"]);
/** What would be called unasked: an import brings no permission. */
const permissions = new Set([
  "autoApprove",
  "alwaysAllow",
  "auto_approve",
  "trust",
  "default_tools_approval_mode",
]);

/** Writes a server of another client as Nacre's mcp.json does. Never throws: what cannot be used says why. */
export function translateEntry(entry: ForeignEntry, platform: NodeJS.Platform): Translated {
  const { raw, format } = entry;
  if (!isObject(raw)) return { raw: undefined, notes: ["it is no object"] };
  const notes = new Set<string>();
  const tell = (note: string): void => void notes.add(note);
  const own = byFormat(format, raw, tell);
  if (own["command"] === undefined && own["url"] === undefined) {
    tell("it has neither a command nor a url");
    return { raw: undefined, notes: [...notes] };
  }
  if (typeof own["type"] === "string" && !transports.has(own["type"])) {
    tell(`its transport ${own["type"]} is not known here`);
    return { raw: undefined, notes: [...notes] };
  }
  const filled = deep(own, (text) => translateVariables(text, entry, platform === "win32", tell));
  if (entry.project !== undefined)
    tell(`it counted in ${entry.project} alone; here it counts in every folder`);
  return { raw: filled, notes: [...notes] };
}
const transports = new Set(["stdio", "sse", "http", "streamable_http", "streamable-http", "streamableHttp"]);

/** Every text in it, at any depth. */
function deep(value: JsonObject, change: (text: string) => string): JsonObject {
  const inner = (part: unknown): unknown => {
    if (typeof part === "string") return change(part);
    if (Array.isArray(part)) return part.map(inner);
    return isObject(part) ? deep(part, change) : part;
  };
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part)]));
}
type Tell = (note: string) => void;

function byFormat(format: ForeignEntry["format"], raw: JsonObject, tell: Tell): JsonObject {
  if (format === "codex") return codex(raw, tell);
  if (format === "gemini") return gemini(raw, tell);
  if (format === "opencode") return opencode(raw, tell);
  return kept(raw, {}, tell);
}
/** The keys that both know, those that were `taken` over under another name, and a line for each other one. */
function kept(raw: JsonObject, taken: JsonObject, tell: Tell, handled: readonly string[] = []): JsonObject {
  const own: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (handled.includes(key) || quiet.has(key) || value === null || value === undefined) continue;
    if (same.has(key)) own[key] = value;
    else if (permissions.has(key)) tell(`${key} is left out: nothing is approved by an import`);
    else if (key === "envFile")
      tell(
        `the variables of ${typeof value === "string" ? value : "its files"} are left out: set them, or write them under env`,
      );
    else if (key === "oauth" || key === "auth")
      tell(`${key} is left out: you sign in when the server asks for it`);
    else tell(`${key} is left out: it has no counterpart here`);
  }
  return { ...own, ...taken };
}
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

function codex(raw: JsonObject, tell: Tell): JsonObject {
  const { env, http_headers: plain, env_http_headers: named, env_vars: passed } = raw;
  const variables = {
    ...Object.fromEntries(texts(passed).map((name) => [name, ""])),
    ...(isObject(env) ? env : {}),
  };
  const headers = {
    ...(isObject(plain) ? plain : {}),
    ...Object.fromEntries(
      Object.entries(isObject(named) ? named : {}).map(([header, name]) => [header, `\${${String(name)}}`]),
    ),
  };
  const milliseconds = raw["startup_timeout_ms"];
  const taken: Record<string, unknown> = {
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(raw["enabled"] === false ? { disabled: true } : {}),
    ...(typeof milliseconds === "number" ? { startup_timeout_sec: milliseconds / 1000 } : {}),
  };
  const alike = ["startup_timeout_sec", "tool_timeout_sec", "enabled_tools", "disabled_tools"];
  for (const key of alike) if (raw[key] !== undefined) taken[key] = raw[key];
  if (raw["bearer_token_env_var"] !== undefined) taken["api_key_env"] = raw["bearer_token_env_var"];
  const handled = [
    ...alike,
    "env",
    "http_headers",
    "env_http_headers",
    "env_vars",
    "enabled",
    "startup_timeout_ms",
    "bearer_token_env_var",
  ];
  return kept(raw, taken, tell, handled);
}
function gemini(raw: JsonObject, tell: Tell): JsonObject {
  const { httpUrl, url, type, includeTools, excludeTools } = raw;
  const remote =
    typeof httpUrl === "string"
      ? { url: httpUrl, type: "streamable_http" }
      : typeof url === "string" && type === undefined
        ? { url, type: "sse" }
        : {};
  const taken = {
    ...remote,
    ...(includeTools === undefined ? {} : { enabled_tools: includeTools }),
    ...(excludeTools === undefined ? {} : { disabled_tools: excludeTools }),
  };
  return kept(raw, taken, tell, ["httpUrl", "includeTools", "excludeTools"]);
}
function opencode(raw: JsonObject, tell: Tell): JsonObject {
  const [command, ...args] = texts(raw["command"]);
  const { environment, enabled, timeout } = raw;
  const taken = {
    ...(command === undefined ? {} : { command }),
    ...(args.length === 0 ? {} : { args }),
    ...(isObject(environment) ? { env: environment } : {}),
    ...(enabled === false ? { disabled: true } : {}),
    ...(typeof timeout === "number" ? { startup_timeout_sec: timeout / 1000 } : {}),
  };
  return kept(raw, taken, tell, ["type", "command", "environment", "enabled", "timeout"]);
}
