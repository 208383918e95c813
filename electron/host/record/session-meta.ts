import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import type { SessionRow } from "../../../shared/session.ts";
import { lookAt, textOrNone, writeAtomic } from "../kit/files.ts";
import type { RecordLine } from "./lines.ts";

const longestTitle = 80;
const states: readonly string[] = ["idle", "running", "waiting", "failed"] satisfies SessionRow["state"][];

/** A row, and how many bytes of the transcript it tells of. */
interface Meta {
  readonly row: SessionRow;
  readonly bytes: number;
}

/** The beginning of what was asked, as a title; empty for an empty text. */
function titleOf(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
  if (line.length <= longestTitle) return line;
  // Never half a character of two units.
  return `${line
    .slice(0, longestTitle - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

/** A session's row from its lines alone. A turn without an end is one that a crash ended: `failed`. */
export function summarise(id: string, lines: readonly RecordLine[]): SessionRow {
  const asked = lines.filter((line) => line.type === "user");
  const iso = (line: RecordLine | undefined): string => new Date(line?.t ?? 0).toISOString();
  return {
    id,
    title: titleOf(asked[0]?.text ?? ""),
    createdAt: iso(lines[0]),
    updatedAt: iso(lines.at(-1)),
    turns: asked.length,
    state: endedWell(lines) ? "idle" : "failed",
  };
}
function endedWell(lines: readonly RecordLine[]): boolean {
  const last = lines.findLast((line) => line.type === "user" || line.type === "turn_end");
  return last === undefined || (last.type === "turn_end" && last.stopReason !== "error");
}

export function writeMeta(folder: string, meta: Meta): Promise<void> {
  return writeAtomic(
    path.join(folder, "meta.json"),
    `${JSON.stringify({ v: 1, ...meta.row, bytes: meta.bytes })}\n`,
  );
}
/** Undefined where there is none, or none that can be read: then the lines tell. */
export function readMeta(folder: string): Meta | undefined {
  const text = textOrNone(path.join(folder, "meta.json"));
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value["v"] !== 1 || !isRow(value) || typeof value["bytes"] !== "number")
    return undefined;
  const { id, title, createdAt, updatedAt, turns, state } = value;
  return { row: { id, title, createdAt, updatedAt, turns, state }, bytes: value["bytes"] };
}
const isRow = (value: object): value is SessionRow => {
  const { id, title, createdAt, updatedAt, turns, state } = value as Partial<
    Record<keyof SessionRow, unknown>
  >;
  return (
    [id, title, createdAt, updatedAt].every((field) => typeof field === "string") &&
    typeof turns === "number" &&
    states.includes(String(state))
  );
};
/** The size of a transcript, undefined where there is none; a link is none. */
export function transcriptSize(file: string): number | undefined {
  const stat = lookAt(file);
  return stat?.isFile() ? stat.size : undefined;
}
