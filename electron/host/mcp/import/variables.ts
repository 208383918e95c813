import type { JsonObject } from "../../../../shared/json.ts";
import type { ForeignEntry } from "./read.ts";

const variableName = (text: string): string =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .replaceAll(/\W+/g, "_")
    .replace(/^(?=\d)/, "_")
    .toUpperCase();
const textOf = (input: JsonObject | undefined, key: string): string | undefined => {
  const value = input?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/**
 * Writes the variables of other clients as Nacre's: `${NAME}`. What has no counterpart stays as it is and is told of.
 * @param tell hears one line for each thing that a person has to know
 */
export function translateVariables(
  text: string,
  { format, inputs }: Pick<ForeignEntry, "format" | "inputs">,
  windows: boolean,
  tell: (note: string) => void,
): string {
  if (format === "codex") {
    // Codex takes every text as it stands.
    if (/\$\{/.test(text)) tell(`a text with \${…}, which Codex does not fill in, is filled in here`);
    return text;
  }
  if (format === "opencode")
    return text
      .replaceAll(/\{env:([A-Za-z_]\w*)\}/g, (_whole, name: string) => `\${${name}}`)
      .replaceAll(/\{file:([^}]+)\}/g, (_whole, file: string) => {
        const name = variableName(file.replace(/^.*[\\/]/, ""));
        tell(`reads ${file}: put what it holds into the variable ${name}`);
        return `\${${name}}`;
      });
  const plain =
    format === "gemini"
      ? text.replaceAll(/\$([A-Za-z_]\w*)/g, (_whole, name: string) => `\${${name}}`)
      : text;
  return plain.replaceAll(/\$\{([^}]*)\}/g, (whole, inside: string) => {
    const [kind = "", rest = ""] = inside.split(/:(.*)/s);
    if (/^[A-Za-z_]\w*(?::-.*)?$/s.test(inside) && !known.has(inside)) return whole;
    switch (kind) {
      case "env":
        return `\${${rest}}`;
      case "input":
        return askedFor(rest, inputs.get(rest), tell);
      case "workspaceFolder":
      case "workspaceRoot":
        tell("the folder that is open stands for the workspace's folder");
        return ".";
      case "userHome":
        return windows ? "${USERPROFILE}" : "${HOME}";
      case "pathSeparator":
      case "/":
        return windows ? "\\" : "/";
      default:
        tell(`${whole} is not known here: write what it stands for before you approve it`);
        return whole;
    }
  });
}
/** Names of other clients that look like variables. */
const known = new Set([
  "workspaceFolder",
  "workspaceRoot",
  "userHome",
  "pathSeparator",
  "workspaceFolderBasename",
  "cwd",
  "file",
]);

/** What VS Code asks for when a server starts. */
function askedFor(id: string, input: JsonObject | undefined, tell: (note: string) => void): string {
  const name = variableName(id);
  const what = textOf(input, "description");
  tell(`asks for ${what === undefined ? id : `“${what}”`}: set the variable ${name}`);
  const preset = input?.["password"] === true ? undefined : textOf(input, "default");
  return preset === undefined || /[{}]/.test(preset) ? `\${${name}}` : `\${${name}:-${preset}}`;
}
