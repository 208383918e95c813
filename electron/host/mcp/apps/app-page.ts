import { NacreError } from "../../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { appMimeType, isAppMimeType, readAppCsp, type McpAppPage } from "../../../../shared/mcp-app.ts";

/** Characters of a page: what bundles a map or a PDF viewer has a few million. */
const longestPage = 16 * 1024 * 1024;

/**
 * The page in the answer of `resources/read` for `uri`.
 * @throws NacreError `invalid_input` for what is no page of an app, with what it is instead
 */
export function readAppPage(result: unknown, uri: string): McpAppPage {
  const contents: unknown = isObject(result) ? result["contents"] : undefined;
  const list = Array.isArray(contents) ? contents.filter(isObject) : [];
  const content = list.find((one) => one["uri"] === uri);
  if (!content) throw fault(uri, "the answer holds no content of this address");
  const type = content["mimeType"];
  if (!isAppMimeType(type))
    throw fault(uri, `its type is ${JSON.stringify(type) ?? "missing"}, not ${appMimeType}`);
  const html = textOf(content);
  if (html === undefined) throw fault(uri, "it holds no text");
  if (html.length > longestPage)
    throw fault(uri, `it is ${html.length} characters long; at most ${longestPage} are shown`);
  const meta = content["_meta"];
  const ui = isObject(meta) && isObject(meta["ui"]) ? meta["ui"] : {};
  return { html, csp: readAppCsp(ui["csp"]), bordered: ui["prefersBorder"] !== false };
}
const fault = (uri: string, what: string): NacreError =>
  new NacreError("invalid_input", `${uri} is no app that can be shown: ${what}`);

function textOf({ text, blob }: JsonObject): string | undefined {
  if (typeof text === "string") return text;
  return typeof blob === "string" ? Buffer.from(blob, "base64").toString("utf8") : undefined;
}
