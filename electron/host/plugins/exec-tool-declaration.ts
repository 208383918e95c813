import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { permissionClasses, type PermissionClass } from "../../../shared/policy.ts";

/** One entry of `tools` in a manifest (spec 5, Exec tools; Hermit's table of fields). */
export interface ExecToolDeclaration {
  /** What the model calls. */
  readonly name: string;
  readonly description: string;
  /** A list is run directly, a text by `sh`. */
  readonly command: readonly string[] | string;
  readonly inputSchema: JsonObject;
  readonly perm: PermissionClass;
  /** Seconds. */
  readonly timeout: number;
}
type Report = (code: string, message: string, fix?: string, severity?: Diagnostic["severity"]) => void;

const usualSeconds = 60;
const mostSeconds = 600;
/** Bytes; what providers take as a tool's name. */
const longestName = 63;

/** One `_` for each character outside `[A-Za-z0-9_-]`, at most 63 bytes. */
export const execToolName = (name: string): string =>
  name.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, longestName);

/** Reads `tools` of a manifest. One bad entry is reported and takes no other with it. */
export function readExecTools(raw: unknown, report: Report): ExecToolDeclaration[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    report("plugin-tools-invalid", "tools is no list", 'write "tools": [ { "name": …, "command": … } ]');
    return [];
  }
  const seen = new Set<string>();
  return raw.flatMap((entry: unknown, index) => {
    const tool = readTool(entry, index, report);
    if (!tool) return [];
    if (!seen.has(tool.name)) {
      seen.add(tool.name);
      return [tool];
    }
    report(
      "plugin-tool-twice",
      `the tool ${tool.name} stands twice; the first one counts`,
      "rename one of them",
    );
    return [];
  });
}

function readTool(entry: unknown, index: number, report: Report): ExecToolDeclaration | undefined {
  const where = `tools[${index}]`;
  if (!isObject(entry) || typeof entry["name"] !== "string" || entry["name"] === "") {
    report("plugin-tool-invalid", `${where} has no name`, "give it a name");
    return undefined;
  }
  const name = execToolName(entry["name"]);
  if (name !== entry["name"])
    report(
      "plugin-tool-name",
      `the tool ${entry["name"]} is called ${name}`,
      "use letters, digits, - and _",
      "warning",
    );
  const command = commandOf(entry["command"]);
  if (command === undefined) {
    report(
      "plugin-tool-invalid",
      `the tool ${name} has no command`,
      'write "command": ["program", "argument"]',
    );
    return undefined;
  }
  const { description } = entry;
  return {
    name,
    description: typeof description === "string" ? description : "",
    command,
    inputSchema: schemaOf(entry["parameters"] ?? entry["inputSchema"], name, report),
    perm: permOf(entry["perm"], name, report),
    timeout: timeoutOf(entry["timeout"], name, report),
  };
}
function commandOf(raw: unknown): readonly string[] | string | undefined {
  if (typeof raw === "string") return raw.trim() === "" ? undefined : raw;
  if (!Array.isArray(raw) || raw.length === 0) return undefined;
  return raw.every((word) => typeof word === "string") && raw[0] !== "" ? raw : undefined;
}
function schemaOf(raw: unknown, name: string, report: Report): JsonObject {
  if (isObject(raw)) return raw;
  if (raw !== undefined)
    report(
      "plugin-tool-schema",
      `parameters of ${name} are no JSON Schema; any object is taken`,
      "write an object",
      "warning",
    );
  return { type: "object" };
}
/** What is no class counts as the strictest one. */
function permOf(raw: unknown, name: string, report: Report): PermissionClass {
  const known = permissionClasses.find((one) => one === raw);
  if (known === undefined && raw !== undefined)
    report(
      "plugin-tool-perm",
      `perm of ${name} is ${JSON.stringify(raw)}; it counts as shell`,
      `use one of ${permissionClasses.join(", ")}`,
      "warning",
    );
  return known ?? "shell";
}
function timeoutOf(raw: unknown, name: string, report: Report): number {
  if (raw === undefined) return usualSeconds;
  const seconds = Number(raw);
  if (Number.isFinite(seconds) && seconds > 0) return Math.min(seconds, mostSeconds);
  report(
    "plugin-tool-timeout",
    `timeout of ${name} is no number of seconds; ${usualSeconds} is taken`,
    'write "timeout": 30',
    "warning",
  );
  return usualSeconds;
}
