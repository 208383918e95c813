import { isObject } from "./json.ts";

// MCP Apps (SEP-1865, revision 2026-01-26): what host, shells and window agree on.

export const uiExtension = "io.modelcontextprotocol/ui";
export const appMimeType = "text/html;profile=mcp-app";
/** The page that holds an app; served by each shell with a policy made of the query. */
export const appFramePath = "/mcp-app-frame.html";
/** Of one message of an app, and of what it is answered, characters of JSON. */
export const longestAppMessage = 4 * 1024 * 1024;
const longestUri = 2_048;
const mostSources = 50;

/** Which app shows a call. It is kept with the call, so that a session shows it again when it is opened later. */
export interface McpAppRef {
  /** The server's name. */
  readonly server: string;
  /** The contribution's id: another server of that name is another one. */
  readonly serverId: string;
  /** `ui://…` */
  readonly uri: string;
}
/** What an app may reach, as sources of a content security policy; nothing where a list is empty. */
export interface McpAppCsp {
  readonly connect: readonly string[];
  readonly resource: readonly string[];
  readonly frame: readonly string[];
  readonly baseUri: readonly string[];
}
/** An app as its server gives it. */
export interface McpAppPage {
  readonly html: string;
  readonly csp: McpAppCsp;
  /** False: the app draws its own edge. */
  readonly bordered: boolean;
}

export const isAppUri = (value: unknown): value is string =>
  typeof value === "string" && value.length <= longestUri && /^ui:\/\/[^\s\p{Cc}]+$/u.test(value);

/** `text/html;profile=mcp-app`, however it is spelt. */
export const isAppMimeType = (value: unknown): boolean =>
  typeof value === "string" && /^text\/html\s*;\s*profile\s*=\s*"?mcp-app"?$/i.test(value.trim());

/**
 * One origin, with a path where it has one: `https://*.example.com`. Plain `http` and `ws` reach this machine alone. What
 * could end a directive or a policy is in none.
 */
const source =
  /^(?:(?:https|wss):\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?(?:\/[\w.~%/-]*)?$/i;
/** A wildcard over a whole top level (`https://*.com`) reaches everybody. */
const isTooWide = (text: string): boolean => /^\w+:\/\/\*\.[^./:]+(?:[:/]|$)/.test(text);

function sources(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const fitting = value.filter(
    (one): one is string =>
      typeof one === "string" && one.length <= 300 && source.test(one) && !isTooWide(one),
  );
  return [...new Set(fitting)].slice(0, mostSources);
}

/** `_meta.ui.csp` of a resource: only what is one plain origin is kept. */
export function readAppCsp(value: unknown): McpAppCsp {
  const csp = isObject(value) ? value : {};
  return {
    connect: sources(csp["connectDomains"]),
    resource: sources(csp["resourceDomains"]),
    frame: sources(csp["frameDomains"]),
    baseUri: sources(csp["baseUriDomains"]),
  };
}

/** The query under which a shell serves the frame of an app with this policy. */
export const appFrameQuery = ({ connect, resource, frame, baseUri }: McpAppCsp): string =>
  `?csp=${encodeURIComponent(
    JSON.stringify({
      connectDomains: connect,
      resourceDomains: resource,
      frameDomains: frame,
      baseUriDomains: baseUri,
    }),
  )}`;

/** What a query asks for; nothing where it is none of ours. */
export function readFrameQuery(search: string): McpAppCsp {
  try {
    return readAppCsp(JSON.parse(new URLSearchParams(search).get("csp") ?? "{}"));
  } catch {
    // Whoever wrote it gets a frame that reaches nothing.
    return readAppCsp({});
  }
}
