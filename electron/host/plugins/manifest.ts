import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { PluginRow } from "../../../shared/extension-rows.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { isPluginName } from "../../../shared/names.ts";
import { isInside, readText, realPath } from "../kit/files.ts";
import { readExecTools, type ExecToolDeclaration } from "./exec-tool-declaration.ts";

/** The first that exists decides; a broken one is reported and never passed over (spec 5, Manifests). */
const manifests: readonly { readonly file: readonly string[]; readonly kind: PluginRow["manifest"] }[] = [
  { file: [".kairox-plugin", "plugin.json"], kind: "kairox" },
  { file: [".codex-plugin", "plugin.json"], kind: "codex" },
  { file: [".claude-plugin", "plugin.json"], kind: "claude" },
  { file: ["plugin.json"], kind: "hermit" },
];

/** One plugin as its manifest describes it. */
export interface PluginManifest {
  readonly kind: PluginRow["manifest"];
  /** The manifest's file. */
  readonly file: string;
  /** As written, for the digest. */
  readonly raw: unknown;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly publisher?: string;
  /** What the manifest says of its trust; shown as its claim, counts for nothing. */
  readonly trustClaim?: string;
  readonly permissions?: unknown;
  readonly compatibility: PluginRow["compatibility"];
  readonly tools: readonly ExecToolDeclaration[];
  /** Folders of skills, inside the plugin. */
  readonly skills: readonly string[];
  readonly mcpServers: readonly { readonly file: string; readonly raw: unknown }[];
  /** Whether it can be used at all. */
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the manifest of a plugin's folder; undefined where the folder is no plugin. Runs nothing, never throws. */
export function readManifest(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): PluginManifest | undefined {
  for (const { file: parts, kind } of manifests) {
    const file = path.join(folder, ...parts);
    const text = readText(file);
    if (text !== undefined) return parseManifest(text, { file, kind, folder, platform });
  }
  return undefined;
}

interface Where {
  readonly file: string;
  readonly kind: PluginRow["manifest"];
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}
function parseManifest(text: string, where: Where): PluginManifest {
  const { file, folder, platform } = where;
  const diagnostics: Diagnostic[] = [];
  const report = (
    code: string,
    message: string,
    fix?: string,
    severity: Diagnostic["severity"] = "error",
  ): void =>
    void diagnostics.push({ code, severity, message, path: file, ...(fix === undefined ? {} : { fix }) });
  const raw = parseObject(text, report);
  const kind =
    where.kind === "hermit" && String(raw["$schema"] ?? "").includes("agent-plugins")
      ? "agent-plugins"
      : where.kind;
  const written = raw["name"];
  const name = typeof written === "string" && isPluginName(written) ? written : path.basename(folder);
  if (diagnostics.length === 0 && name !== written)
    report(
      "plugin-name-invalid",
      `${JSON.stringify(written) ?? "a missing name"} is no name for a plugin`,
      "use letters, digits, dots, dashes and underscores, at most 64",
    );
  const skills = skillFolders(raw["skills"], folder, report);
  const servers: { file: string; raw: unknown }[] =
    raw["mcpServers"] === undefined ? [] : [{ file, raw: raw["mcpServers"] }];
  const tools = readExecTools(raw["tools"], report);
  const publisher = textIn(raw["publisher"]) ?? textIn(raw["author"]);
  const trustClaim = textIn(raw["trust"]);
  return {
    kind,
    file,
    raw,
    name,
    version: textIn(raw["version"]) ?? "",
    description: textIn(raw["description"]) ?? "",
    ...(publisher === undefined ? {} : { publisher }),
    ...(trustClaim === undefined ? {} : { trustClaim }),
    ...(raw["permissions"] === undefined ? {} : { permissions: raw["permissions"] }),
    compatibility: compatibilityOf(raw["compatibility"], platform),
    tools,
    skills,
    mcpServers: servers,
    valid: !diagnostics.some(
      ({ code }) => code === "plugin-manifest-broken" || code === "plugin-name-invalid",
    ),
    diagnostics,
  };
}

type Report = (code: string, message: string, fix?: string, severity?: Diagnostic["severity"]) => void;

function parseObject(text: string, report: Report): JsonObject {
  try {
    const value: unknown = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
    if (isObject(value)) return value;
    report("plugin-manifest-broken", "the manifest is no JSON object", "write it as { … }");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report("plugin-manifest-broken", `the manifest does not parse: ${reason}`, "correct the JSON");
  }
  return {};
}
/** A text, or an object with the text as `name` or `value`. */
function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  return textIn(value["name"]) ?? textIn(value["value"]);
}

/** The folders that the manifest names, and `skills/` where it names none. What leads out of the plugin is refused. */
function skillFolders(raw: unknown, folder: string, report: Report): string[] {
  const named =
    typeof raw === "string"
      ? [raw]
      : Array.isArray(raw)
        ? raw.filter((one) => typeof one === "string")
        : ["skills"];
  const root = realPath(folder);
  return named.flatMap((name) => {
    const full = path.resolve(folder, name);
    if (isInside(root, realPath(full)) && !path.isAbsolute(name)) return [full];
    report(
      "plugin-path-outside",
      `skills: ${JSON.stringify(name)} leads out of the plugin's folder`,
      "name a folder inside the plugin",
    );
    return [];
  });
}

const platformNames: Readonly<Record<string, string>> = { macos: "darwin", windows: "win32" };
/** Platforms are compared here; versions and programs are probed where a plugin is started. */
function compatibilityOf(raw: unknown, platform: NodeJS.Platform): PluginRow["compatibility"] {
  const platforms = isObject(raw) && Array.isArray(raw["platforms"]) ? raw["platforms"].map(String) : [];
  const known = platforms.map((name) => platformNames[name.toLowerCase()] ?? name.toLowerCase());
  if (known.length === 0 || known.includes(platform)) return { ok: true };
  return { ok: false, reason: `it runs on ${platforms.join(", ")} only` };
}
