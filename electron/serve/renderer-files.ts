import { readFile } from "node:fs/promises";
import path from "node:path";
import { appFramePath } from "../../shared/mcp-app.ts";
import { appFrame } from "./app-frame.ts";

/** Content types of what the renderer's build writes; nothing else is served. */
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};
export interface RendererFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The content security policy of every page: only files of the app run, style or show anything, and no text becomes
 * code. `connect` names what the page may talk to beside its own origin.
 */
export const contentSecurityPolicy = (connect: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect].join(" ")}`,
    // The frame of an MCP app, which is served with a policy of its own (app-frame.ts) and is nobody's origin.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * Reads files of the built renderer by the path of their URL, with the headers they are sent with, and the frame of apps.
 * @param folder `dist/renderer`
 * @returns a reader that answers undefined for what is not there, lies outside or has no known type
 */
export function rendererFiles(
  folder: string,
  connect: readonly string[] = [],
): (pathname: string, search?: string) => Promise<RendererFile | undefined> {
  const root = path.resolve(folder);
  const policy = contentSecurityPolicy(connect);
  return async (pathname, search = "") => {
    if (pathname === appFramePath) return appFrame(search);
    const file = inside(root, pathname === "/" ? "/index.html" : pathname);
    const type = file === undefined ? undefined : types[path.extname(file)];
    if (file === undefined || type === undefined) return undefined;
    const body = await read(file);
    if (body === undefined) return undefined;
    // The build puts a hash of the content into every name under assets/.
    const hashed = path.relative(root, file).startsWith(`assets${path.sep}`);
    return {
      body,
      headers: {
        "content-type": type,
        "content-length": String(body.length),
        "content-security-policy": policy,
        "cache-control": hashed ? "public, max-age=31536000, immutable" : "no-cache",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      },
    };
  };
}

function inside(root: string, pathname: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    // A broken escape names no file.
    return undefined;
  }
  if (/[\0\\]/.test(name)) return undefined;
  const file = path.join(root, name);
  return file.startsWith(root + path.sep) ? file : undefined;
}

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return undefined;
    throw error;
  }
}
