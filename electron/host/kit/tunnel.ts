import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import { NacreError } from "../../../shared/errors.ts";

/** How long a connection may take to stand, ms. */
const patience = 15_000;

/**
 * A connection to where a request goes: directly, or through a proxy's CONNECT (RFC 9110, 9.3.6); TLS for https.
 * @param ca further certificates to trust, PEM
 */
export async function connectTo(
  target: URL,
  proxy: URL | undefined,
  ca: readonly string[] = [],
): Promise<net.Socket> {
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
  const socket = proxy ? await throughProxy(proxy, target.hostname, port, ca) : net.connect({ host, port });
  if (target.protocol !== "https:") return standing(socket, "connect", proxy !== undefined, target);
  const secure = tls.connect({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...certificates(ca),
  });
  return standing(secure, "secureConnect", false, target);
}
function certificates(ca: readonly string[]): { ca?: string[] } {
  return ca.length === 0 ? {} : { ca: [...tls.rootCertificates, ...ca] };
}
/** Waits until the connection stands. */
function standing(
  socket: net.Socket,
  event: "connect" | "secureConnect",
  already: boolean,
  target: URL,
): Promise<net.Socket> {
  if (already) return Promise.resolve(socket);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(new NacreError("timeout", `${target.host} did not answer within ${patience / 1000} s`));
    }, patience);
    socket.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once(event, () => {
      clearTimeout(timer);
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}
function throughProxy(proxy: URL, host: string, port: number, ca: readonly string[]): Promise<net.Socket> {
  const authority = `${host}:${port}`;
  const user = decodeURIComponent(proxy.username);
  const password = decodeURIComponent(proxy.password);
  const headers: Record<string, string> = { host: authority };
  if (user !== "" || password !== "")
    headers["proxy-authorization"] = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const where = `the proxy ${proxy.protocol}//${proxy.host}`;
  return new Promise((resolve, reject) => {
    const make = proxy.protocol === "https:" ? https : http;
    const request = make.request({
      method: "CONNECT",
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: Number(proxy.port) || (proxy.protocol === "https:" ? 443 : 80),
      path: authority,
      headers,
      agent: false,
      timeout: patience,
      ...certificates(ca),
    });
    const fail = (message: string, cause?: unknown): void =>
      reject(new NacreError("network", `${where} ${message}`, { cause }));
    request.once("timeout", () => request.destroy(new Error(`no answer within ${patience / 1000} s`)));
    request.once("error", (error) => fail(`cannot be used: ${error.message}`, error));
    const refuse = (status: number | undefined): void =>
      fail(
        status === 407
          ? "wants a user name and password: write them into its address (http://USER:PASSWORD@HOST)"
          : `did not connect to ${authority}: it answered ${status}`,
      );
    request.once("response", (response) => {
      refuse(response.statusCode);
      response.destroy();
    });
    request.once("connect", (response, socket) => {
      socket.setTimeout(0);
      if (response.statusCode === 200) resolve(socket);
      else {
        refuse(response.statusCode);
        socket.destroy();
      }
    });
    request.end();
  });
}
