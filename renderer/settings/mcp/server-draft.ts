import { isObject } from "../../../shared/json.ts";

/** A server as the form holds it. Arguments, variables and headers stand a line each. */
export interface ServerForm {
  readonly kind: "command" | "address";
  readonly command: string;
  readonly args: string;
  readonly env: string;
  readonly url: string;
  readonly headers: string;
}
export const emptyForm: ServerForm = {
  kind: "command",
  command: "",
  args: "",
  env: "",
  url: "",
  headers: "",
};

export type Draft =
  | { readonly ok: true; readonly json: string }
  /** `problem` is a key of `settings.add.problem`; `line` what it is about. */
  | { readonly ok: false; readonly problem: "command" | "url" | "env" | "headers"; readonly line?: string };

const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");
/** `NAME=value` or `Name: value`, a line each; the first line that is none as a text. */
function pairs(text: string, pattern: RegExp): Record<string, string> | string {
  const found: Record<string, string> = {};
  for (const line of lines(text)) {
    const [, name, value] = pattern.exec(line) ?? [];
    if (name === undefined || value === undefined) return line;
    found[name] = value;
  }
  return found;
}

/** The form as one entry of mcp.json. A line is one argument: blanks inside it stay. */
export function serverJson(form: ServerForm): Draft {
  if (form.kind === "address") {
    const url = form.url.trim();
    if (!/^https?:\/\/\S+$/.test(url)) return { ok: false, problem: "url" };
    const headers = pairs(form.headers, /^\s*([\w-]+)\s*:\s*(.*)$/);
    if (typeof headers === "string") return { ok: false, problem: "headers", line: headers };
    const hasHeaders = Object.keys(headers).length > 0;
    return { ok: true, json: JSON.stringify({ url, ...(hasHeaders ? { headers } : {}) }) };
  }
  const command = form.command.trim();
  if (command === "") return { ok: false, problem: "command" };
  const env = pairs(form.env, /^\s*([A-Za-z_]\w*)=(.*)$/);
  if (typeof env === "string") return { ok: false, problem: "env", line: env };
  const hasEnv = Object.keys(env).length > 0;
  return {
    ok: true,
    json: JSON.stringify({ command, args: lines(form.args), ...(hasEnv ? { env } : {}) }),
  };
}

/** What somebody pasted: no JSON, one server without a name, or named ones (with or without `mcpServers` around). */
export type Pasted =
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "none" }
  | { readonly kind: "server" }
  | { readonly kind: "named"; readonly names: readonly string[] };

const isServer = (value: unknown): boolean =>
  isObject(value) && (typeof value["command"] === "string" || typeof value["url"] === "string");

export function readPasted(text: string): Pasted {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
  if (isServer(value)) return { kind: "server" };
  const servers = isObject(value) && isObject(value["mcpServers"]) ? value["mcpServers"] : value;
  const names = isObject(servers) ? Object.keys(servers).filter((name) => isServer(servers[name])) : [];
  return names.length === 0 ? { kind: "none" } : { kind: "named", names };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const isTextMap = (value: unknown): value is Record<string, string> =>
  isObject(value) && isTexts(Object.values(value));
const formKeys: Readonly<Record<ServerForm["kind"], ReadonlySet<string>>> = {
  command: new Set(["command", "args", "env"]),
  address: new Set(["url", "headers"]),
};

/**
 * An entry of mcp.json as the form holds it; null for one that the form would not give back as it is: with other keys, or
 * with a value that a line cannot hold.
 */
export function formOf(json: string): ServerForm | null {
  const entry: unknown = JSON.parse(json);
  if (!isObject(entry)) return null;
  const { command = "", args = [], env = {}, url = "", headers = {} } = entry;
  if (typeof command !== "string" || typeof url !== "string") return null;
  if (!isTexts(args) || !isTextMap(env) || !isTextMap(headers)) return null;
  const kind = url === "" ? "command" : "address";
  if (Object.keys(entry).some((key) => !formKeys[kind].has(key))) return null;
  const form: ServerForm = {
    kind,
    command,
    args: args.join("\n"),
    env: Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join("\n"),
    url,
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  };
  const back = serverJson(form);
  const given =
    kind === "command" ? { command, args, ...nonEmpty({ env }) } : { url, ...nonEmpty({ headers }) };
  return back.ok && back.json === JSON.stringify(given) ? form : null;
}
/** The members that are not empty. */
const nonEmpty = (members: Readonly<Record<string, object>>): Record<string, object> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(value).length > 0));

/** `name-2`, or the first number behind it that nobody has. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}
