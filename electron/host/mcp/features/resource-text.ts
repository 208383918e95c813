import { NacreError } from "../../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { cutEnd, visibleName } from "../../../../shared/visible-text.ts";

/** One content of `resources/read`, or one embedded in a prompt or a result. */
export interface ResourceContent {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly text: string | undefined;
  /** Base64. */
  readonly blob: string | undefined;
}
/** Characters of one resource that a message carries; the rest is read by the tool. */
export const mostAttached = 100_000;

/** One content; undefined for what holds neither text nor data. */
export function readContent(raw: JsonObject, asked = ""): ResourceContent | undefined {
  const { uri, mimeType, text, blob } = raw;
  if (typeof text !== "string" && typeof blob !== "string") return undefined;
  return {
    uri: typeof uri === "string" && uri !== "" ? uri : asked,
    mimeType: typeof mimeType === "string" && mimeType !== "" ? mimeType : undefined,
    text: typeof text === "string" ? text : undefined,
    blob: typeof text !== "string" && typeof blob === "string" ? blob : undefined,
  };
}
/** The contents that `resources/read` answered for `uri`. @throws NacreError `invalid_input` where there are none */
export function readContents(result: unknown, server: string, uri: string): readonly ResourceContent[] {
  const list = isObject(result) ? result["contents"] : undefined;
  const contents = (Array.isArray(list) ? list : []).flatMap(
    (raw: unknown) => (isObject(raw) ? readContent(raw, uri) : undefined) ?? [],
  );
  if (contents.length === 0)
    throw new NacreError("invalid_input", `"${server}" gave nothing for ${visibleName(uri, 200)}`);
  return contents;
}

/** Bytes of base64 data. */
export const bytesOf = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
/** `12 KB` */
const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
/** `[image/png, 12 KB]` */
export const dataText = (mimeType: string | undefined, base64: string): string =>
  `[${visibleName(mimeType ?? "data of an unknown type")}, ${sizeText(bytesOf(base64))}]`;

/** Marks of the app's own: text from outside that brings one would pass for the app, or end its own block. */
const ownMarks = /<(?=\/?(?:mcp_resource|mcp_server|system-reminder)\b)/gi;
/** A text from outside in which nothing passes for a mark of the app. */
export const withoutMarks = (text: string): string => text.replaceAll(ownMarks, "&lt;");

/** A content as the model gets it: a block that says whose it is, at most `most` characters of it. */
export function resourceBlock(
  server: string,
  { uri, mimeType, text, blob }: ResourceContent,
  most = mostAttached,
): string {
  const { kept, left } = cutEnd(text ?? "", most);
  const type = mimeType === undefined ? "" : ` type=${JSON.stringify(visibleName(mimeType))}`;
  const name = `server=${JSON.stringify(visibleName(server))} uri=${JSON.stringify(visibleName(uri, 400))}`;
  return [
    `<mcp_resource ${name}${type}>`,
    withoutMarks(blob === undefined ? kept : dataText(mimeType, blob)),
    ...(left === 0
      ? []
      : [`[${left} more characters; read_mcp_resource reads on with offset ${kept.length}]`]),
    "</mcp_resource>",
  ].join("\n");
}
