import { NacreError } from "../../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { cutEnd, visibleName } from "../../../../shared/visible-text.ts";
import { dataText, readContent, resourceBlock, withoutMarks } from "./resource-text.ts";

/** Characters of one prompt. */
const mostText = 200_000;

/** One block of a prompt's message as text. */
function blockText(server: string, block: JsonObject): string {
  const { type, text, data, mimeType, resource, uri } = block;
  if (type === "text" && typeof text === "string") return withoutMarks(text);
  if ((type === "image" || type === "audio") && typeof data === "string")
    return `${type} ${dataText(typeof mimeType === "string" ? mimeType : undefined, data)}`;
  if (type === "resource" && isObject(resource)) {
    const content = readContent(resource);
    if (content) return resourceBlock(server, content);
  }
  if (type === "resource_link" && typeof uri === "string")
    return `[resource ${visibleName(uri, 400)}; read_mcp_resource(server: ${JSON.stringify(server)}, uri: …) reads it]`;
  return withoutMarks(JSON.stringify(block));
}

/**
 * What `prompts/get` answered as one user's message. Where the server wrote the model's part too, each part says whose it is.
 * @throws NacreError `invalid_input` where nothing is in it
 */
export function promptText(result: unknown, server: string, prompt: string): string {
  const list = isObject(result) ? result["messages"] : undefined;
  const messages = (Array.isArray(list) ? list : []).flatMap((raw: unknown) => {
    if (!isObject(raw)) return [];
    // One block; lists are what some servers send.
    const { content } = raw;
    const blocks = (Array.isArray(content) ? content : [content]).filter(isObject);
    const text = blocks.map((block) => blockText(server, block)).join("\n");
    return text.trim() === "" ? [] : [{ isModel: raw["role"] === "assistant", text }];
  });
  if (messages.length === 0)
    throw new NacreError("invalid_input", `the prompt ${visibleName(prompt)} of "${server}" is empty`);
  const named = messages.some(({ isModel }) => isModel);
  const parts = messages.map(({ isModel, text }) =>
    named ? `${isModel ? "Assistant" : "User"}: ${text}` : text,
  );
  const { kept, left } = cutEnd(parts.join("\n\n"), mostText);
  return left === 0 ? kept : `${kept}\n[${left} more characters were cut]`;
}
