import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { cutEnd, visibleName } from "../../../../shared/visible-text.ts";
import type { ListKind } from "./pages.ts";

/** A resource as its server lists it. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}
export interface Template {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
}
interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

/** A longer address is no address of anything that a person or a model could name. */
const longestUri = 4000;
const longestName = 200;
const longestDescription = 2000;

const textOf = (raw: JsonObject, key: string, most: number): string => {
  const value = raw[key];
  return typeof value === "string" ? cutEnd(value, most).kept : "";
};
const mimeTypeOf = (raw: JsonObject): { mimeType?: string } => {
  const mimeType = textOf(raw, "mimeType", longestName);
  return mimeType === "" ? {} : { mimeType };
};
/** `title` is for people, `name` for programs (MCP 2025-06-18, Base Metadata). */
const labels = (raw: JsonObject, fallback: string): { name: string; description: string } => ({
  name: textOf(raw, "title", longestName) || textOf(raw, "name", longestName) || fallback,
  description: textOf(raw, "description", longestDescription),
});
const addressOf = (raw: JsonObject, key: string): { readonly uri: string } | { readonly fault: string } => {
  const uri = raw[key];
  if (typeof uri !== "string" || uri === "") return { fault: `an entry without ${key}` };
  return uri.length > longestUri
    ? { fault: `${visibleName(uri)}: its ${key} is longer than ${longestUri} characters` }
    : { uri };
};

export const resourceList: ListKind<Resource> = {
  method: "resources/list",
  key: "resources",
  idOf: ({ uri }) => uri,
  read(raw) {
    const found = addressOf(raw, "uri");
    if ("fault" in found) return found.fault;
    const { size } = raw;
    return {
      uri: found.uri,
      ...labels(raw, found.uri),
      ...mimeTypeOf(raw),
      ...(typeof size === "number" && size >= 0 ? { size } : {}),
    };
  },
};
export const templateList: ListKind<Template> = {
  method: "resources/templates/list",
  key: "resourceTemplates",
  idOf: ({ uriTemplate }) => uriTemplate,
  read(raw) {
    const found = addressOf(raw, "uriTemplate");
    if ("fault" in found) return found.fault;
    return { uriTemplate: found.uri, ...labels(raw, found.uri), ...mimeTypeOf(raw) };
  },
};
export const promptList: ListKind<Prompt> = {
  method: "prompts/list",
  key: "prompts",
  idOf: ({ name }) => name,
  read(raw) {
    const { name } = raw;
    if (typeof name !== "string" || name === "") return "a prompt without a name";
    if (name.length > longestName) return `the prompt ${visibleName(name)}: its name is too long`;
    const list = raw["arguments"];
    return {
      name,
      description: textOf(raw, "description", longestDescription) || textOf(raw, "title", longestName),
      arguments: (Array.isArray(list) ? list : []).flatMap((entry: unknown): PromptArgument[] => {
        const argument = isObject(entry) ? entry["name"] : undefined;
        if (!isObject(entry) || typeof argument !== "string" || argument === "") return [];
        return [
          {
            name: argument,
            description: textOf(entry, "description", longestDescription),
            required: entry["required"] === true,
          },
        ];
      }),
    };
  },
};

/** The names in the braces of a template, in order, each once: `file:///{path}{?q,page*}` has `path`, `q` and `page`. */
export function templateVariables(uriTemplate: string): readonly string[] {
  const names = [...uriTemplate.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, inside = ""]) =>
    inside.split(",").map((name) => name.replace(/(?:\*|:\d+)$/, "").trim()),
  );
  return [...new Set(names)].filter((name) => name !== "");
}
