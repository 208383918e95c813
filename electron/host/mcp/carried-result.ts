import { isObject, type JsonObject } from "../../../shared/json.ts";

/** Where a result stands that the client library is not to judge. */
const carrier = "app.nacre/result";
/** What the library wants of the results of 2026-07-28, whichever request they answer. */
const wanted = {
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "private",
  tools: [],
  resources: [],
  resourceTemplates: [],
  prompts: [],
  contents: [],
  messages: [],
  content: [],
  completion: { values: [] },
};

/**
 * Takes and gives one JSON-RPC message of a server of 2026-07-28 or later. A result passes the client library as one that it
 * knows, and holds what came: the library refuses a whole list for one bad entry of it, and every answer that is a task
 * (SEP-2663). A question of the server (`input_required`) stays what it is.
 */
export function carried<Message>(message: Message): Message {
  if (!isObject(message) || !isObject(message["result"])) return message;
  const { result } = message;
  if (result["resultType"] !== "complete" && result["resultType"] !== "task") return message;
  const meta: JsonObject = isObject(result["_meta"]) ? result["_meta"] : {};
  return { ...message, result: { ...wanted, _meta: { ...meta, [carrier]: result } } };
}
/** What a carried result holds; anything else as it is. */
export function uncarried(result: unknown): unknown {
  const meta = isObject(result) ? result["_meta"] : undefined;
  return isObject(meta) && carrier in meta ? meta[carrier] : result;
}
