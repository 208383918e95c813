import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { ToolOutput } from "../tools/types.ts";
import type { McpCallResult } from "./types.ts";

/** Reads the answer of `tools/call` without refusing what it does not know (mcp.md, faults). */
export function readCallResult(raw: unknown): McpCallResult {
  const result = isObject(raw) ? raw : {};
  const list = result["content"];
  const content = Array.isArray(list)
    ? list.map((block: unknown): JsonObject => (isObject(block) ? block : { type: "unknown", value: block }))
    : [];
  // 2024-10-07 answered `toolResult`; anything else without content is shown as it came.
  const bare = !Array.isArray(list) && result["structuredContent"] === undefined;
  return {
    content: bare ? [{ type: "text", text: JSON.stringify(result["toolResult"] ?? raw ?? null) }] : content,
    ...(result["structuredContent"] === undefined ? {} : { structuredContent: result["structuredContent"] }),
    ...(isObject(result["_meta"]) ? { meta: result["_meta"] } : {}),
    isError: result["isError"] === true,
  };
}

/** The size of base64 data in words: `12 KB`. */
function sizeOf(base64: string): string {
  const bytes =
    Math.floor((base64.length * 3) / 4) - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
const media = (block: JsonObject): { type: string; data: string } | undefined => {
  const type = block["mimeType"];
  const data = block["data"];
  return typeof type === "string" && typeof data === "string" ? { type, data } : undefined;
};

/** Letters of base64: what providers take of one image, and what a conversation can carry of one answer. */
const largestImage = 7 * 1024 * 1024;
const mostImages = 28 * 1024 * 1024;

/** One block as text; a block of an unknown kind as its JSON. */
function blockText(block: JsonObject): string {
  const { type, text } = block;
  if (type === "text" && typeof text === "string") return text;
  const binary = media(block);
  if ((type === "image" || type === "audio") && binary)
    return `[${type} ${binary.type}, ${sizeOf(binary.data)}]`;
  const resource = block["resource"];
  if (type === "resource" && isObject(resource)) {
    if (typeof resource["text"] === "string") return resource["text"];
    if (typeof resource["blob"] === "string")
      return `[resource ${String(resource["uri"])}, ${sizeOf(resource["blob"])}]`;
  }
  if (type === "resource_link" && typeof block["uri"] === "string")
    return `[resource ${typeof block["name"] === "string" ? `${block["name"]}: ` : ""}${block["uri"]}]`;
  return JSON.stringify(block);
}

/**
 * What the model and the window get: texts joined by lines, images beside them, type and size in the text for what
 * cannot be shown; structured content as JSON where there is no text (spec 6).
 */
export function toToolOutput(result: McpCallResult): ToolOutput {
  let room = mostImages;
  let leftOut = 0;
  const images = result.content.flatMap((block) => {
    const binary = block["type"] === "image" ? media(block) : undefined;
    if (!binary) return [];
    if (binary.data.length > Math.min(largestImage, room)) {
      leftOut++;
      return [];
    }
    room -= binary.data.length;
    return [{ mediaType: binary.type, base64: binary.data }];
  });
  const structured = result.structuredContent;
  const output =
    result.content.length === 0 && structured !== undefined
      ? JSON.stringify(structured)
      : [
          ...result.content.map(blockText),
          ...(leftOut > 0 ? [`(too large to be looked at: ${leftOut} of the images)`] : []),
        ].join("\n");
  return {
    output,
    isError: result.isError,
    sandboxed: null,
    ...(images.length === 0 ? {} : { images }),
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(result.meta === undefined ? {} : { meta: result.meta }),
    content: result.content,
  };
}
