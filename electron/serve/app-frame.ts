import { longestAppMessage, readFrameQuery, type McpAppCsp } from "../../shared/mcp-app.ts";
import type { RendererFile } from "./renderer-files.ts";

/**
 * The outer of the two frames around an app (MCP Apps 2026-01-26, Sandbox proxy). The app's own page is made in it by
 * `srcdoc` and so inherits the policy of this response, which nothing in the page can loosen. Both have an origin of
 * nobody's. What the app says goes on as text of bounded length: whatever it makes of its messages costs its own frame.
 */
const page = `<!doctype html><meta charset="utf-8"><title>app</title>
<style>html,body,iframe{margin:0;border:0;padding:0;width:100%;height:100%;display:block;overflow:hidden;background:transparent;color-scheme:inherit}</style>
<script>
"use strict";
const inner = document.createElement("iframe");
const tell = (text) => parent.postMessage(text, "*");
const said = (data) => {
  try { return JSON.stringify(data); } catch { return undefined; }
};
addEventListener("message", ({ source, data }) => {
  if (source === parent && typeof data === "string") {
    const message = JSON.parse(data);
    if (message.method !== "ui/notifications/sandbox-resource-ready") inner.contentWindow?.postMessage(message, "*");
    else if (!inner.isConnected) {
      inner.setAttribute("sandbox", "allow-scripts allow-forms");
      inner.srcdoc = message.params.html;
      document.body.append(inner);
    }
  } else if (inner.contentWindow && source === inner.contentWindow) {
    const text = said(data);
    if (text !== undefined) tell(text.length > ${longestAppMessage} ? '{"jsonrpc":"2.0","method":"nacre/too-long"}' : text);
  }
});
addEventListener("DOMContentLoaded", () => tell('{"jsonrpc":"2.0","method":"ui/notifications/sandbox-proxy-ready","params":{}}'));
</script>
<body></body>
`;

const directive = (name: string, sources: readonly string[]): string =>
  `${name} ${sources.length === 0 ? "'none'" : sources.join(" ")}`;

/**
 * The policy of an app: its own text runs, styles and shows itself; the network is what it declared and nothing else.
 * `eval` gives a page that runs any script of its own nothing more. `frame-src` also decides where the app's frame may go.
 */
const appPolicy = ({ connect, resource, frame, baseUri }: McpAppCsp): string =>
  [
    "default-src 'none'",
    `script-src ${["'unsafe-inline'", "'unsafe-eval'", "blob:", "data:", ...resource].join(" ")}`,
    `style-src ${["'unsafe-inline'", "blob:", "data:", ...resource].join(" ")}`,
    `img-src ${["blob:", "data:", ...resource].join(" ")}`,
    `font-src ${["blob:", "data:", ...resource].join(" ")}`,
    `media-src ${["blob:", "data:", ...resource].join(" ")}`,
    `worker-src ${["blob:", "data:", ...resource].join(" ")}`,
    directive("connect-src", connect),
    directive("frame-src", frame),
    directive("base-uri", baseUri),
    "object-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts allow-forms",
  ].join("; ");

/** The page that holds an app. @param search of its address: what the app may reach */
export function appFrame(search: string): RendererFile {
  const body = Buffer.from(page);
  return {
    body,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-length": String(body.length),
      "content-security-policy": appPolicy(readFrameQuery(search)),
      "permissions-policy":
        "camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=(), display-capture=(), usb=(), serial=(), hid=(), payment=()",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
    },
  };
}
