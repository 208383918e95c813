import { NacreError } from "../../../../shared/errors.ts";
import { cutToBytes } from "../../kit/output-collector.ts";
import type { Tool, ToolOutput } from "../types.ts";
import { builtin, done, numberArgument, objectSchema, textArgument } from "./arguments.ts";
import { htmlToText } from "./html-text.ts";
import { bytesInWords } from "./text.ts";

const mostDownload = 5 * 1024 * 1024;
const defaultText = 64 * 1024;
const mostText = 512 * 1024;
const mostRedirects = 5;
const timeoutMs = 30_000;
const accept = "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5";

/** `fetch_url`: a page or a document as text. `fetch` is the app's one (kit/net.ts). */
export const fetchUrlTool = (fetch: () => typeof globalThis.fetch): Tool =>
  builtin({
    name: "fetch_url",
    description:
      "Gets a URL (http or https) and gives its text; HTML becomes readable text with links. " +
      "A redirect to another host is named and not followed: call again with its address.",
    perm: "net",
    inputSchema: objectSchema(
      {
        url: {
          type: "string",
          minLength: 1,
          description: "The whole address, e.g. https://example.com/page",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: mostText,
          description: `Bytes of text to give; ${defaultText} when absent`,
        },
      },
      ["url"],
    ),
    touches: (input) => ({ hosts: [webAddress(textArgument(input, "url")).hostname] }),
    // The host as it is really asked: in ASCII, with its port.
    facts: (input) =>
      Promise.resolve([{ label: "host", values: [webAddress(textArgument(input, "url")).host] }]),
    async run(input, run) {
      const url = webAddress(textArgument(input, "url"));
      const signal = AbortSignal.any([run.signal, AbortSignal.timeout(timeoutMs)]);
      try {
        return await get(url, fetch(), numberArgument(input, "limit", defaultText), signal);
      } catch (error) {
        run.signal.throwIfAborted();
        if (error instanceof NacreError) throw error;
        if (signal.aborted)
          throw new NacreError(
            "timeout",
            `${url.host} did not answer within ${timeoutMs / 1_000} s; try again later`,
          );
        throw new NacreError("network", `${url.href} could not be fetched: ${causeOf(error)}`, {
          cause: error,
        });
      }
    },
  });

/** @throws NacreError `invalid_input` for what is no http address, or carries a password. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new NacreError("invalid_input", `url: ${text} is no http or https address; give the whole address`);
  if (url.username !== "" || url.password !== "")
    throw new NacreError(
      "invalid_input",
      "url: an address with a name or password in it is not fetched; leave them out",
    );
  return url;
}
/** Node's fetch says "fetch failed" and hides the reason one level down. */
function causeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}

async function get(
  start: URL,
  fetch: typeof globalThis.fetch,
  limit: number,
  signal: AbortSignal,
): Promise<ToolOutput> {
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url.href, {
      redirect: "manual",
      signal,
      headers: { accept, "user-agent": "Nacre" },
    });
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null) return await toOutput(url, response, limit);
    await response.body?.cancel();
    const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (target === undefined || !isSameHost(url, target))
      return done(`${url.href} leads to another address, which was not fetched: ${target?.href ?? location}`);
    if (redirects >= mostRedirects)
      throw new NacreError("network", `${start.href} redirects more than ${mostRedirects} times`);
    url = target;
  }
}
/** The gate decided on a host: what it may lead to is that host alone, from http up to https, never down. */
const isSameHost = (from: URL, to: URL): boolean =>
  to.username === "" &&
  from.hostname === to.hostname &&
  ((from.protocol === to.protocol && from.port === to.port) ||
    (from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === ""));

async function toOutput(url: URL, response: Response, limit: number): Promise<ToolOutput> {
  const type = (response.headers.get("content-type") ?? "text/plain").toLowerCase();
  const media = type.split(";")[0]?.trim() ?? "";
  const isError = !response.ok;
  const status = response.ok ? "" : `HTTP ${response.status} ${response.statusText}`.trim() + ", ";
  if (!/^text\/|[/+](json|xml|yaml|javascript|ecmascript|x-ndjson|toml)$/.test(media)) {
    const size = response.headers.get("content-length");
    await response.body?.cancel();
    const words = size !== null && /^\d+$/.test(size) ? `, ${bytesInWords(Number(size))}` : "";
    return done(`${url.href} (${status}${media}${words}) is no text and is not shown`, { isError });
  }
  const { bytes, cut } = await download(response);
  const raw = decode(bytes, /charset="?([\w-]+)/.exec(type)?.[1]);
  const text =
    media === "text/html" || media === "application/xhtml+xml" ? htmlToText(raw, url.href, limit) : raw;
  const shown = cutToBytes(text, limit);
  const whole = !cut && shown.length === text.length;
  const end = whole ? "" : `\n(cut: the first ${bytesInWords(Buffer.byteLength(shown))} are shown)`;
  return done(`${url.href} (${status}${media})\n\n${shown === "" ? "(empty)" : shown}${end}`, { isError });
}

async function download(response: Response): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return { bytes: Buffer.concat(chunks), cut: false };
    chunks.push(piece.value);
    size += piece.value.length;
    if (size <= mostDownload) continue;
    await reader?.cancel();
    return { bytes: Buffer.concat(chunks).subarray(0, mostDownload), cut: true };
  }
}
function decode(bytes: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? "utf-8").decode(bytes);
  } catch (error) {
    // A charset that nobody knows: UTF-8 is the best guess.
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}
