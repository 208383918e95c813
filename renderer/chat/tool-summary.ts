import { isObject } from "../../shared/json.ts";
import type { ToolCallView } from "../../shared/session.ts";

/** Tools that have a verb of their own in the messages (`chat.verb.NAME`); others show their title. */
const spokenTools = [
  "read_file",
  "list_dir",
  "glob",
  "grep",
  "write_file",
  "edit_file",
  "run_shell",
  "shell_output",
  "shell_stop",
  "fetch_url",
  "ask_user",
  "skill",
  "task",
] as const;
export type SpokenTool = (typeof spokenTools)[number];
const readers: readonly string[] = ["read_file", "list_dir", "glob", "grep"];
/** The argument that says most. */
const telling: Readonly<Record<SpokenTool, string>> = {
  read_file: "path",
  list_dir: "path",
  glob: "pattern",
  grep: "pattern",
  write_file: "path",
  edit_file: "path",
  run_shell: "command",
  shell_output: "id",
  shell_stop: "id",
  fetch_url: "url",
  ask_user: "question",
  skill: "name",
  task: "description",
};
const longest = 200;

export const spokenName = (name: string): SpokenTool | undefined =>
  spokenTools.find((known) => known === name);
/** How a call is told: a call that was denied did nothing, so it is never told as done. */
export const verbForm = ({ state }: Pick<ToolCallView, "state">): "active" | "done" | "denied" => {
  if (state === "running" || state === "waiting") return "active";
  return state === "denied" ? "denied" : "done";
};
/** The file of a skill that a call reads; null where it loads the skill itself, or is another call. */
export function skillFile({
  name,
  input,
}: Pick<ToolCallView, "name" | "input">): { readonly name: string; readonly file: string } | null {
  if (name !== "skill" || !isObject(input)) return null;
  const { name: skill, file } = input;
  return typeof skill === "string" && typeof file === "string" && file !== "" ? { name: skill, file } : null;
}
/** True for calls that stand together in one quiet group. */
export const isRead = (name: string): boolean => readers.includes(name);

/** The call's input in one line: its telling argument, else its JSON. */
export function inputLine({ name, input }: Pick<ToolCallView, "name" | "input">): string {
  const spoken = spokenName(name);
  const value = spoken && isObject(input) ? input[telling[spoken]] : undefined;
  if (typeof value === "string") return value.slice(0, longest).replace(/\s+/g, " ");
  if (!isObject(input)) return input === undefined ? "" : JSON.stringify(input).slice(0, longest);
  const values = Object.values(input);
  if (values.length === 0) return "";
  const only = values.length === 1 ? values[0] : undefined;
  return (typeof only === "string" ? only : JSON.stringify(input)).slice(0, longest).replace(/\s+/g, " ");
}

export interface Origin {
  readonly kind: "builtin" | "plugin" | "mcp" | "other";
  readonly owner: string;
}
/** `plugin jira` → kind and owner, as the host writes an origin. */
export function parseOrigin(origin: string): Origin {
  const [kind = "", ...owner] = origin.split(" ");
  if (kind === "builtin" || kind === "") return { kind: "builtin", owner: "" };
  return { kind: kind === "plugin" || kind === "mcp" ? kind : "other", owner: owner.join(" ") || kind };
}

/** Escape sequences of terminals (ECMA-48: CSI, OSC, single characters), which a card does not draw. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** A program's output as text: no escape sequences, and of a line that was rewritten only its last state. */
export const plainOutput = (output: string): string =>
  output
    .replace(escapes, "")
    .replaceAll("\r\n", "\n")
    .replace(/^[^\n]*\r(?=[^\n])/gm, "");

/** True where the host kept the rest: it ends a cut output with the whole size. */
export const isCut = (output: string): boolean => /\n… \(\d+ (?:characters|bytes) in all\)$/.test(output);
