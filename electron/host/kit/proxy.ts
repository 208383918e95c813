import { NacreError } from "../../../shared/errors.ts";

/** Variables are known in small and in capital letters; the small ones win (curl, `ENVIRONMENT`). */
function variable(env: Readonly<NodeJS.ProcessEnv>, name: string): string {
  return (env[name.toLowerCase()] ?? env[name.toUpperCase()] ?? "").trim();
}
/** Whether any proxy is set. */
export const hasProxy = (env: Readonly<NodeJS.ProcessEnv>): boolean =>
  ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].some((name) => variable(env, name) !== "");

/**
 * The proxy for an address: `HTTPS_PROXY`, `HTTP_PROXY`, else `ALL_PROXY`; undefined where it is reached directly
 * (`NO_PROXY`; this machine always). @throws NacreError `configuration` for an address that is no http proxy.
 */
export function proxyFor(target: URL, env: Readonly<NodeJS.ProcessEnv>): URL | undefined {
  const name = target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = variable(env, name) || variable(env, "ALL_PROXY");
  if (value === "" || isLoopback(target.hostname) || isExcepted(target, variable(env, "NO_PROXY")))
    return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (!proxy || (proxy.protocol !== "http:" && proxy.protocol !== "https:"))
    throw new NacreError(
      "configuration",
      `the proxy in ${name} cannot be used: only http:// and https:// proxies are, not ${proxy?.protocol ?? "this text"}`,
    );
  return proxy;
}
const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");

function isLoopback(hostname: string): boolean {
  const host = plainHost(hostname);
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(\.\d+){3}$/.test(host)
  );
}
/** `*`, names with or without a leading dot or `*.` (their subdomains too), with or without a port. */
function isExcepted(target: URL, list: string): boolean {
  const host = plainHost(target.hostname);
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", wantedPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const wanted = plainHost(name).replace(/^\*?\./, "");
      if (wantedPort !== undefined && wantedPort !== port) return false;
      return wanted !== "" && (host === wanted || host.endsWith(`.${wanted}`));
    });
}
