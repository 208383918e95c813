import { canonicalJson, isObject } from "../../../shared/json.ts";
import { cutMiddle, visibleName, visibleText } from "../../../shared/visible-text.ts";
import { sha256 } from "../kit/files.ts";
import type { McpToolDefinition } from "./types.ts";

/** Characters of a definition that are kept for showing. The digest covers all of it. */
const shownCharacters = 16_000;
/** Names of one server that are remembered: a server that makes new ones without end fills no disk. */
const mostPins = 2_000;

/** A definition as it was agreed to: when it was first offered, or by a person. */
export interface Pin {
  readonly digest: string;
  /** For showing it beside a later one. */
  readonly text: string;
  /** It came after the server's first list, and nobody has looked at it yet. */
  readonly isNew?: true;
}
/** By the tool's name as its server sends it. */
export type Pins = ReadonlyMap<string, Pin>;
export type Verdict =
  | { readonly state: "as_pinned" }
  | { readonly state: "new"; readonly digest: string }
  | {
      readonly state: "changed";
      readonly digest: string;
      readonly before: string;
      readonly after: string;
    };

/** Whether the server's own app alone may call it (MCP Apps, `visibility` without `model`): it is hidden from models. */
export function isAppOnly({ meta }: McpToolDefinition): boolean {
  const ui = meta?.["ui"];
  const visibility = isObject(ui) ? ui["visibility"] : undefined;
  return Array.isArray(visibility) && !visibility.includes("model");
}

const taken = new WeakMap<McpToolDefinition, string>();
/** SHA-256 of all that a model or a person is told of a tool, and of whether a model is told of it. */
export function definitionDigest(tool: McpToolDefinition): string {
  const known = taken.get(tool);
  if (known !== undefined) return known;
  const { name, title, description, inputSchema, annotations } = tool;
  const appOnly = isAppOnly(tool);
  const digest = sha256(
    canonicalJson({ name, title, description, inputSchema, annotations, ...(appOnly ? { appOnly } : {}) }),
  );
  taken.set(tool, digest);
  return digest;
}
const sorted = (value: unknown): string => JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);

/** A definition as text for people, line by line, with every hidden character seen. */
export function definitionText(tool: McpToolDefinition): string {
  const { name, title, description, inputSchema, annotations } = tool;
  const parts = [
    `name: ${visibleName(name)}`,
    ...(title === undefined ? [] : [`title: ${visibleName(title)}`]),
    ...(isAppOnly(tool) ? ["for the server's own app alone"] : []),
    `description:\n${description}`,
    `arguments:\n${sorted(inputSchema)}`,
    ...(annotations === undefined ? [] : [`hints:\n${sorted(annotations)}`]),
  ];
  return visibleText(cutMiddle(parts.join("\n\n"), shownCharacters).kept);
}
const pinOf = (tool: McpToolDefinition): Pin => ({
  digest: definitionDigest(tool),
  text: definitionText(tool),
});

/** What a pin says of a definition. One without a pin is new; where nothing is pinned yet, all of them count as pinned. */
export function verdictOn(tool: McpToolDefinition, pins: Pins | undefined): Verdict {
  const pin = pins?.get(tool.name);
  const digest = definitionDigest(tool);
  if (!pins) return { state: "as_pinned" };
  if (!pin) return { state: "new", digest };
  if (pin.digest === digest) return pin.isNew ? { state: "new", digest } : { state: "as_pinned" };
  return { state: "changed", digest, before: pin.text, after: definitionText(tool) };
}

/**
 * The pins with every tool that has none: trust on first use. What came after the first list is marked as new. A name that
 * is gone keeps its pin, so that a tool cannot come back as another. The same object where nothing is new.
 */
export function withFirstUse(pins: Pins | undefined, tools: readonly McpToolDefinition[]): Pins | undefined {
  // A server that has shown no tool yet has had no first list.
  if (tools.length === 0) return pins;
  const missing = tools.filter(({ name }) => !pins?.has(name));
  if (pins && missing.length === 0) return pins;
  const added = missing.map((tool): [string, Pin] => [
    tool.name,
    pins ? { ...pinOf(tool), isNew: true } : pinOf(tool),
  ]);
  return bounded(new Map([...(pins ?? []), ...added]), new Set(tools.map(({ name }) => name)));
}
/** The pins with these definitions agreed to. */
export const withApproved = (pins: Pins | undefined, tools: readonly McpToolDefinition[]): Pins =>
  new Map([...(pins ?? []), ...tools.map((tool): [string, Pin] => [tool.name, pinOf(tool)])]);

/** The oldest that the server does not offer now go first. */
function bounded(pins: Map<string, Pin>, offered: ReadonlySet<string>): Pins {
  for (const name of pins.keys()) {
    if (pins.size <= mostPins) break;
    if (!offered.has(name)) pins.delete(name);
  }
  return pins;
}

const hintWords: Readonly<Record<string, readonly [whenTrue: string, whenFalse: string]>> = {
  readOnlyHint: ["only reads", "may change things"],
  destructiveHint: ["may destroy", "destroys nothing"],
  idempotentHint: ["the same when called twice", ""],
  openWorldHint: ["reaches the outside world", "stays within its own domain"],
};
/** What a server says of a tool, in words (MCP 2025-11-25, ToolAnnotations). Nobody has proven it, and it changes nothing. */
export const hintsOf = ({ annotations }: McpToolDefinition): string[] =>
  Object.entries(hintWords).flatMap(([key, [yes, no]]) => {
    const value = annotations?.[key];
    const words = value === true ? yes : value === false ? no : "";
    return words === "" ? [] : [words];
  });
