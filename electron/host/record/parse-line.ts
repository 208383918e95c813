import { isObject } from "../../../shared/json.ts";
import type { LineBody, RecordLine } from "./lines.ts";

/** The fields that readers rely on, by type; `?` and anything further is taken as it comes. */
const fields: Readonly<Record<LineBody["type"], Readonly<Record<string, string>>>> = {
  session: { workspace: "string", version: "string" },
  user: { text: "string" },
  assistant: { text: "string", reasoning: "string", message: "string" },
  assistant_part: { text: "string", reasoning: "string", message: "string" },
  tool_call: { callId: "string", name: "string", title: "string", origin: "string" },
  tool_result: {
    callId: "string",
    output: "object",
    isError: "boolean",
    durationMs: "number",
    decision: "string",
  },
  system: { audience: "string", level: "string", text: "string" },
  unused_skills: { names: "object" },
  compaction: { summary: "string", upTo: "string" },
  head: { leaf: "string" },
  turn_end: { stopReason: "string", usage: "object", steps: "number" },
};

/** One line of a transcript, undefined where it cannot be read (torn, foreign, of a later version). */
export function parseRecordLine(text: string): RecordLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller reports the line by its number.
    return undefined;
  }
  return isRecordLine(value) ? value : undefined;
}
function isRecordLine(value: unknown): value is RecordLine {
  if (!isObject(value) || value["v"] !== 1 || typeof value["id"] !== "string" || value["id"] === "")
    return false;
  if (typeof value["t"] !== "number") return false;
  if (value["parent"] !== null && typeof value["parent"] !== "string") return false;
  const type = value["type"];
  if (typeof type !== "string" || !Object.hasOwn(fields, type)) return false;
  const wanted = fields[type as LineBody["type"]];
  const right = ([name, kind]: [string, string]): boolean => {
    const field = value[name];
    return typeof field === kind && field !== null;
  };
  if (!Object.entries(wanted).every(right)) return false;
  const { output, names } = value;
  if (type === "unused_skills") return Array.isArray(names) && names.every((one) => typeof one === "string");
  return type !== "tool_result" || (isObject(output) && typeof output["text"] === "string");
}
