import { isObject, type JsonObject } from "../../../shared/json.ts";
import { readText, statOrNone } from "../kit/files.ts";

const mostManifestBytes = 1024 * 1024;
/** What decides about a package's programs; versions and dependencies change all the time and name none. */
const runKeys = ["name", "type", "main", "module", "exports", "imports", "bin", "scripts", "workspaces"];
/** The part of a package.json that says what it runs, as text; the whole text where it does not parse. */
export function packageText(file: string): string | undefined {
  const stats = statOrNone(file);
  if (!stats?.isFile()) return undefined;
  if (stats.size > mostManifestBytes) return `${stats.size} bytes`;
  const text = readText(file) ?? "";
  const value = parseManifest(text);
  if (!value) return text;
  return JSON.stringify(Object.fromEntries(runKeys.map((key) => [key, value[key]])), null, 2);
}
/** The `main` of a package.json; undefined where it names none. */
export function mainOf(file: string): string | undefined {
  const stats = statOrNone(file);
  if (!stats?.isFile() || stats.size > mostManifestBytes) return undefined;
  const main = parseManifest(readText(file) ?? "")?.["main"];
  return typeof main === "string" ? main : undefined;
}
function parseManifest(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    // Node takes nothing from such a file either.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
