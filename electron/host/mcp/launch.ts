import path from "node:path";
import type { McpTransport } from "../../../shared/mcp.ts";
import type { McpDeclaration, McpOAuthConfig, McpServerConfig } from "../config/types.ts";
import { leavesNoTraces } from "../kit/environment.ts";
import { expandOAuth, oauthTexts } from "./oauth/declared.ts";
import { expand, secretNames, soundsSecret, type Expansion, type Sources } from "./variables.ts";

/** What is started or connected to: a declaration with every variable resolved. Never written anywhere. */
export type Launch =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      /** On top of the inherited environment. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "http";
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
      /** Null: Streamable HTTP first, SSE where that is answered with a 4xx (spec 6). */
      readonly transport: "streamable_http" | "sse" | null;
      readonly oauth?: McpOAuthConfig;
    };
export type LaunchPlan =
  | { readonly kind: "launch"; readonly launch: Launch; readonly secrets: readonly string[] }
  | { readonly kind: "needs_setup"; readonly missing: readonly string[] }
  | { readonly kind: "invalid"; readonly reason: string };

const httpTypes = new Set(["http", "streamable_http", "streamable-http", "streamablehttp"]);
const typeName = (config: McpServerConfig): string | undefined => config.type?.toLowerCase();

/** The transport that a declaration asks for; a bare url counts as Streamable HTTP until a connection says otherwise. */
export function declaredTransport(config: McpServerConfig): McpTransport {
  if (config.url === undefined || config.command !== undefined) return "stdio";
  return typeName(config) === "sse" ? "sse" : "streamable_http";
}
/** One element an argument, variables unresolved; the url for remote servers. */
export const declaredCommand = (config: McpServerConfig): readonly string[] =>
  config.command === undefined
    ? config.url === undefined
      ? []
      : [config.url]
    : [config.command, ...config.args];

/** Why a declaration can never start; undefined where it can (spec 6, Config). */
function invalidReason(declaration: McpDeclaration): string | undefined {
  const broken = declaration.diagnostics.find((diagnostic) => diagnostic.severity === "error");
  if (broken) return broken.message;
  const { command, url } = declaration.config;
  const type = typeName(declaration.config);
  const remote = type === "sse" || (type !== undefined && httpTypes.has(type));
  if (type !== undefined && type !== "stdio" && !remote)
    return `the type "${declaration.config.type}" is unknown; use stdio, sse or streamable_http`;
  if (command !== undefined && url !== undefined) return "both command and url are set; keep one of them";
  if (command === undefined && url === undefined) return "neither command nor url is set";
  if (command !== undefined && command.trim() === "") return "command is empty";
  if (command !== undefined && remote) return `the type "${type}" needs a url, and a command is set`;
  if (url !== undefined && type === "stdio") return 'the type "stdio" needs a command, and a url is set';
  return undefined;
}

/** The secrets that a declaration names. */
export function declaredSecrets({ config }: McpDeclaration): string[] {
  const texts = [
    ...declaredCommand(config),
    config.cwd ?? "",
    ...Object.values(config.env),
    ...Object.values(config.headers),
    ...oauthTexts(config.oauth),
  ];
  return [...new Set(texts.flatMap(secretNames))];
}

/**
 * The secrets that a declaration would be started with, whatever else of it is missing or broken; nothing of it is
 * checked. `literals`: also what is written into it under a name that sounds like a secret.
 */
export function secretsOf(
  { config, base, variables }: McpDeclaration,
  sources: Sources,
  literals: boolean,
): string[] {
  const expansion: Expansion = { missing: [], secrets: [] };
  const lookup: Sources = { ...sources, variable: (name) => variables[name] ?? sources.variable(name) };
  const text = (value: string): string => expand(value, lookup, expansion);
  if (!literals) {
    const { env, headers, url = "", apiKeyEnv } = config;
    const named = Object.entries(env).map(([name, value]) => (value === "" ? `\${${name}}` : value));
    [
      ...declaredCommand(config),
      url,
      ...named,
      ...Object.values(headers),
      ...oauthTexts(config.oauth),
    ].forEach(text);
    if (apiKeyEnv !== undefined) expansion.secrets.push(sources.variable(apiKeyEnv) ?? "");
    return expansion.secrets;
  }
  planStdio(config, base, text, expansion);
  if (config.url !== undefined) planHttp(config, config.url, text, expansion);
  return expansion.secrets;
}

/** Seconds in ms; more than a timer can hold counts as that. */
const milliseconds = (seconds: number): number => Math.min(seconds * 1000, 2 ** 31 - 1);
/** `npx` and `uvx` may download first (spec 6). */
export const startupTimeoutMs = (config: McpServerConfig): number =>
  milliseconds(
    config.startupTimeoutSec ?? (/(^|[\\/])(npx|uvx)(\.cmd|\.exe)?$/i.test(config.command ?? "") ? 60 : 30),
  );
export const toolTimeoutMs = (config: McpServerConfig): number => milliseconds(config.toolTimeoutSec ?? 60);
/** Undefined where the server is never stopped for being idle. */
export const idleTimeoutMs = ({ keepAlive, idleTimeoutSecs }: McpServerConfig): number | undefined =>
  keepAlive || idleTimeoutSecs === undefined ? undefined : milliseconds(idleTimeoutSecs);

/** Fetches the secrets that a declaration names, then {@link planLaunch}. A broken declaration asks for none. */
export async function resolveLaunch(
  declaration: McpDeclaration,
  env: Readonly<NodeJS.ProcessEnv>,
  secret: (name: string) => Promise<string | undefined>,
): Promise<LaunchPlan> {
  const secrets = new Map<string, string>();
  for (const name of invalidReason(declaration) === undefined ? declaredSecrets(declaration) : []) {
    const value = await secret(name);
    if (value !== undefined) secrets.set(name, value);
  }
  return planLaunch(declaration, { variable: (name) => env[name], secret: (name) => secrets.get(name) });
}

/** Resolves variables. A relative `cwd`, and a command with a path in it, are taken from the declaration's base. */
export function planLaunch(declaration: McpDeclaration, sources: Sources): LaunchPlan {
  const reason = invalidReason(declaration);
  if (reason !== undefined) return { kind: "invalid", reason };
  const { config, base } = declaration;
  const expansion: Expansion = { missing: [], secrets: [] };
  const own: Sources = {
    ...sources,
    variable: (name) => declaration.variables[name] ?? sources.variable(name),
  };
  const text = (value: string): string => expand(value, own, expansion);
  const launch =
    config.url === undefined
      ? planStdio(config, base, text, expansion, declaration.scope === "plugin" ? leavesNoTraces : {})
      : planHttp(config, config.url, text, expansion);
  if (expansion.missing.length > 0) return { kind: "needs_setup", missing: expansion.missing };
  return typeof launch === "string"
    ? { kind: "invalid", reason: launch }
    : { kind: "launch", launch, secrets: expansion.secrets.filter((secret) => secret !== "") };
}

function planStdio(
  config: McpServerConfig,
  base: string,
  text: (value: string) => string,
  expansion: Expansion,
  more: Readonly<Record<string, string>> = {},
): Launch {
  const command = text(config.command ?? "");
  const env = Object.fromEntries(
    // An empty value takes the same-named variable (Kairox).
    Object.entries(config.env).map(([name, value]) => [name, text(value === "" ? `\${${name}}` : value)]),
  );
  for (const [name, value] of Object.entries(env)) if (soundsSecret(name)) expansion.secrets.push(value);
  return {
    kind: "stdio",
    command: /[\\/]/.test(command) ? path.resolve(base, command) : command,
    args: config.args.map(text),
    cwd: path.resolve(base, text(config.cwd ?? ".")),
    env: { ...more, ...env },
  };
}

function planHttp(
  config: McpServerConfig,
  declaredUrl: string,
  text: (value: string) => string,
  expansion: Expansion,
): Launch | string {
  const address = text(declaredUrl);
  const headers = Object.fromEntries(
    Object.entries(config.headers).map(([name, value]) => [name, text(value)]),
  );
  for (const [name, value] of Object.entries(headers)) if (soundsSecret(name)) expansion.secrets.push(value);
  if (config.apiKeyEnv !== undefined) {
    const key = text(`\${${config.apiKeyEnv}}`);
    expansion.secrets.push(key);
    for (const name of Object.keys(headers)) if (name.toLowerCase() === "authorization") delete headers[name];
    headers["Authorization"] = `Bearer ${key}`;
  }
  if (!URL.canParse(address)) return expansion.missing.length > 0 ? "" : `the url ${declaredUrl} is no url`;
  const url = new URL(address);
  const queried = [...url.searchParams].flatMap(([name, value]) => (soundsSecret(name) ? [value] : []));
  expansion.secrets.push(...queried, decodeURIComponent(url.password));
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `the url ${declaredUrl} is neither http nor https`;
  const type = typeName(config);
  return {
    kind: "http",
    url,
    headers,
    transport: type === "sse" ? "sse" : type === undefined ? null : "streamable_http",
    ...(config.oauth === undefined ? {} : { oauth: expandOAuth(config.oauth, text, expansion) }),
  };
}
