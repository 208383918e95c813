import { isObject } from "../../../shared/json.ts";

/**
 * A result that does not say what it is counts as a complete one (SEP-2322); the client library refuses it instead. Takes
 * and gives one JSON-RPC message of a server of 2026-07-28 or later.
 */
export function withResultType<Message>(message: Message): Message {
  if (!isObject(message) || !isObject(message["result"])) return message;
  const { result } = message;
  return result["resultType"] === undefined
    ? { ...message, result: { ...result, resultType: "complete" } }
    : message;
}
