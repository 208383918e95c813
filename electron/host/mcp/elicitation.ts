import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { AskPerson } from "../../../shared/mcp-request.ts";

/** Flat values alone: that is all that the protocol lets a form answer with. */
type FormContent = Record<string, string | number | boolean | string[]>;
export interface ElicitationResult {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: FormContent;
  readonly [key: string]: unknown;
}

/** Answers `elicitation/create` by a person. A request of an unknown mode counts as a form, as in revisions without modes. */
export async function answerElicitation(
  params: JsonObject,
  server: string,
  ask: AskPerson,
  signal: AbortSignal,
): Promise<ElicitationResult> {
  const message = typeof params["message"] === "string" ? params["message"] : "";
  if (params["mode"] === "url") {
    const url = typeof params["url"] === "string" ? params["url"] : "";
    // Nothing but a web page: other addresses start programs.
    if (!/^https?:\/\//i.test(url)) return { action: "decline" };
    // What was opened tells the server by itself: there is nothing to send but that the person agreed.
    const { action } = await ask({ kind: "url", server, message, url }, signal);
    return { action };
  }
  const schema = isObject(params["requestedSchema"]) ? params["requestedSchema"] : {};
  const answer = await ask({ kind: "form", server, message, schema }, signal);
  if (answer.action !== "accept") return { action: answer.action };
  return { action: "accept", content: withDefaults(schema, answer.content ?? {}) };
}

/** What the person left out is what the server proposed (SEP-1034). */
function withDefaults(schema: JsonObject, content: JsonObject): FormContent {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const proposed = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property["default"] !== undefined ? [[name, property["default"]] as const] : [],
  );
  const filled = [...proposed, ...Object.entries(content).filter(([, value]) => value !== undefined)];
  return Object.fromEntries(
    filled.filter((entry): entry is [string, FormContent[string]] => isFlat(entry[1])),
  );
}
const isFlat = (value: unknown): value is FormContent[string] =>
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === "string"));
