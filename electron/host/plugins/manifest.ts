import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import type { PluginRow } from "../../../shared/extension-rows.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { isPluginName } from "../../../shared/names.ts";
import { parsePlainJson } from "../config/jsonc-read.ts";
import { readRegular } from "../config/read-regular.ts";
import { isInside, lookAt, realPath } from "../kit/files.ts";
import { readExecTools, type ExecToolDeclaration } from "./exec-tool-declaration.ts";

/** The first that exists decides; a broken one is reported and never passed over (spec 5, Manifests). */
const manifests: readonly { readonly file: readonly string[]; readonly kind: PluginRow["manifest"] }[] = [
  { file: [".kairox-plugin", "plugin.json"], kind: "kairox" },
  { file: [".codex-plugin", "plugin.json"], kind: "codex" },
  { file: [".claude-plugin", "plugin.json"], kind: "claude" },
  { file: ["plugin.json"], kind: "hermit" },
];

interface SkillFolder {
  /** Inside the plugin. */
  readonly path: string;
  /** The folder is one skill itself. */
  readonly single: boolean;
}
/** One plugin as its manifest describes it. */
export interface PluginManifest {
  readonly kind: PluginRow["manifest"];
  /** The manifest's file. */
  readonly file: string;
  /** As written, for the digest. */
  readonly raw: JsonObject;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly publisher?: string;
  /** What the manifest says of its trust; shown as its claim, counts for nothing. */
  readonly trustClaim?: string;
  readonly permissions?: unknown;
  readonly compatibility: PluginRow["compatibility"];
  readonly tools: readonly ExecToolDeclaration[];
  readonly skills: readonly SkillFolder[];
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
    const where = { file, kind, folder, platform };
    try {
      const text = readRegular(file);
      if (text !== undefined) return describe(where, parsePlainJson(text));
    } catch (error) {
      return describe(where, { problem: toErrorValue(error).message });
    }
  }
  return undefined;
}

interface Where {
  readonly file: string;
  readonly kind: PluginRow["manifest"];
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}
function describe(
  { file, kind, folder, platform }: Where,
  parsed: ReturnType<typeof parsePlainJson>,
): PluginManifest {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (code, message, fix, severity = "error") => {
    diagnostics.push({ code, severity, message, path: file, ...(fix === undefined ? {} : { fix }) });
  };
  const raw = "value" in parsed && isObject(parsed.value) ? parsed.value : {};
  const broken = "problem" in parsed || !isObject(parsed.value);
  if ("problem" in parsed)
    diagnostics.push({
      code: "plugin-manifest-broken",
      severity: "error",
      message: `the manifest cannot be read: ${parsed.problem}`,
      path: file,
      ...(parsed.line === undefined ? {} : { line: parsed.line }),
      fix: "correct the file",
    });
  else if (broken) report("plugin-manifest-broken", "the manifest is no JSON object", "write it as { … }");
  const written = raw["name"];
  const named = typeof written === "string" && isPluginName(written);
  if (!broken && !named)
    report(
      "plugin-name-invalid",
      `${JSON.stringify(written) ?? "a missing name"} is no name for a plugin`,
      "use letters, digits, dots, dashes and underscores, at most 64",
    );
  const schema = raw["$schema"];
  const isAgentPlugin = kind === "hermit" && typeof schema === "string" && schema.includes("agent-plugins");
  const publisher = textIn(raw["publisher"]) ?? textIn(raw["author"]);
  const trustClaim = textIn(raw["trust"]);
  return {
    kind: isAgentPlugin ? "agent-plugins" : kind,
    file,
    raw,
    name: named ? written : path.basename(folder),
    version: textIn(raw["version"]) ?? "",
    description: textIn(raw["description"]) ?? "",
    ...(publisher === undefined ? {} : { publisher }),
    ...(trustClaim === undefined ? {} : { trustClaim }),
    ...(raw["permissions"] === undefined ? {} : { permissions: raw["permissions"] }),
    compatibility: compatibilityOf(raw["compatibility"], platform),
    tools: readExecTools(raw["tools"], report),
    skills: skillFolders(raw["skills"], folder, report),
    valid: named,
    diagnostics,
  };
}

type Report = (code: string, message: string, fix?: string, severity?: Diagnostic["severity"]) => void;

/** A text, or an object with the text as `name` or `value`. */
function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  return textIn(value["name"]) ?? textIn(value["value"]);
}

/** The folders that the manifest names, and `skills/` where it names none. What leads out of the plugin is refused. */
function skillFolders(raw: unknown, folder: string, report: Report): SkillFolder[] {
  const named = typeof raw === "string" ? [raw] : raw === undefined ? ["skills"] : raw;
  if (!Array.isArray(named) || !named.every((one) => typeof one === "string")) {
    report(
      "plugin-skills-invalid",
      "skills is neither a path nor a list of paths",
      'write "skills": "skills"',
    );
    return [];
  }
  return named.flatMap((name: string) => {
    const full = pathInPlugin(name, folder);
    if (full !== undefined)
      return [{ path: full, single: lookAt(path.join(full, "SKILL.md")) !== undefined }];
    report(
      "plugin-path-outside",
      `skills: ${JSON.stringify(name)} leads out of the plugin's folder`,
      "name a folder inside the plugin",
    );
    return [];
  });
}
/** A path of the manifest, made absolute; undefined for one that leaves the plugin, links resolved. */
export function pathInPlugin(name: string, folder: string): string | undefined {
  if (path.isAbsolute(name) || name.includes("\0")) return undefined;
  const full = path.resolve(folder, name);
  return isInside(realPath(folder), realPath(full)) ? full : undefined;
}

const platformNames: Readonly<Record<string, string>> = { macos: "darwin", windows: "win32" };
/** Platforms are compared here; versions and programs are probed where a plugin is started. */
function compatibilityOf(raw: unknown, platform: NodeJS.Platform): PluginRow["compatibility"] {
  const platforms = isObject(raw) && Array.isArray(raw["platforms"]) ? raw["platforms"].map(String) : [];
  const known = platforms.map((name) => platformNames[name.toLowerCase()] ?? name.toLowerCase());
  if (known.length === 0 || known.includes(platform)) return { ok: true };
  return { ok: false, reason: `it runs on ${platforms.join(", ")} only` };
}
