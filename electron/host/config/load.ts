import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject } from "../../../shared/json.ts";
import type { Document, Documents } from "./documents.ts";
import { diagnosticOf } from "./fields.ts";
import { joinInstructions } from "./instructions.ts";
import { readLayers } from "./kairox-layers.ts";
import { parseKeybinds } from "./keybinds.ts";
import { parseMcpServers } from "./mcp-declaration.ts";
import { allowRule, type Rule } from "./permission.ts";
import { allDocuments, isSameRead, readSources, type ReadSources } from "./read-sources.ts";
import { reuse } from "./reuse.ts";
import { joinRules, readRuleFile, type RuleDocument } from "./rule-files.ts";
import { parseSettings, strictPolicy } from "./settings.ts";
import type { AppPaths, Config, McpDeclaration, RuleFile, Settings } from "./types.ts";

/** A configuration with the files that it was made of. */
export interface Loaded {
  readonly config: Config;
  readonly read: ReadSources;
}

/**
 * Reads every file of spec 2 for one workspace (real path) into one value. Never fails: problems are diagnostics. What
 * says the same as in `before` is the same object, the whole of it where no file changed.
 */
export async function loadConfig(
  documents: Documents,
  workspace: string,
  paths: AppPaths,
  before?: Loaded,
): Promise<Loaded> {
  const read = await readSources(documents, workspace, paths);
  if (before && isSameRead(before.read, read)) return before;
  const config = await joined(read, workspace, paths);
  return { config: deepFreeze(before ? reuse(before.config, config) : config), read };
}

async function joined(read: ReadSources, workspace: string, paths: AppPaths): Promise<Config> {
  const diagnostics: Diagnostic[] = allDocuments(read).flatMap((document) =>
    problemsOf(document, document === read.settings),
  );
  const settings = readSettings(read.settings, workspace, paths, diagnostics);
  const keybinds = parseKeybinds(read.keybinds.value, (problem) =>
    diagnostics.push(diagnosticOf(read.keybinds, problem)),
  );
  const declared = read.sources.mcp.flatMap((source, index) => {
    const document = read.mcp[index];
    if (document?.value === undefined) return [];
    const lineOf = document.lineOf;
    const result = parseMcpServers(document.value, { ...source, base: workspace, lineOf });
    for (const found of result.diagnostics) diagnostics.push(found);
    return result.declarations;
  });
  const scopeOf = (document: Document): "user" | "workspace" =>
    read.sources.inWorkspace.has(document.path) ? "workspace" : "user";
  const layers = readLayers(
    [
      ...read.toml.workspace.map((document) => ({ document, scope: "workspace" as const })),
      ...read.toml.user.map((document) => ({ document, scope: scopeOf(document) })),
    ],
    workspace,
  );
  for (const found of layers.diagnostics) diagnostics.push(found);
  const trusted = settings.trustedWorkspaces.includes(workspace);
  const dropstone = (document: Document, scope: RuleFile["scope"]): RuleDocument => ({
    document,
    source: `dropstone:${document.path}`,
    scope,
    trusted: scope === "user" || trusted,
  });
  const withRules: readonly RuleDocument[] = [
    { document: read.settings, source: "settings", scope: "user", trusted: true },
    dropstone(read.dropstone.user, scopeOf(read.dropstone.user)),
    ...read.dropstone.workspace.map((document) => dropstone(document, "workspace")),
  ];
  const ruleFiles: RuleFile[] = [];
  for (const entry of withRules) ruleFiles.push(await readRuleFile(entry, diagnostics));
  const { rules, agents } = joinRules(ruleFiles);
  return {
    settings,
    keybinds,
    mcp: byScope([...declared, ...layers.mcp]),
    others: layers.others,
    rules: [...rememberedRules(settings.remembered[workspace] ?? []), ...rules],
    agents,
    ruleFiles,
    instructions: joinInstructions(read),
    diagnostics: bounded(diagnostics),
  };
}

function readSettings(
  document: Document,
  workspace: string,
  paths: AppPaths,
  diagnostics: Diagnostic[],
): Settings {
  const { path, exists, value } = document;
  const written = parseSettings(value, workspace, paths.home, (problem) =>
    diagnostics.push(diagnosticOf(document, problem)),
  );
  // The earlier one is lost without a trace, and it may have been the stricter one.
  if (document.duplicates.some(({ pointer }) => isLimit(pointer)))
    return { ...written, policy: strictPolicy, sandbox: { pluginNetwork: false } };
  if (!exists || isObject(value)) return written;
  diagnostics.push({
    code: "settings-unusable",
    severity: "error",
    message: `${path} cannot be used and must be mended; until then nothing is written: policy read_only`,
    path,
    fix: "mend the file, or remove it to take the defaults",
  });
  // The user's own limits are in there, unread: the app must not do more than they allow.
  return { ...written, policy: strictPolicy, sandbox: { pluginNetwork: false } };
}

const isLimit = ([key]: readonly (string | number)[]): boolean => key === "policy" || key === "sandbox";

/** Why a file was not taken, and what it says twice. */
function problemsOf({ path, broken, duplicates }: Document, settings: boolean): Diagnostic[] {
  const twice = duplicates.map(({ pointer, line }): Diagnostic => {
    const both = pointer[0] === "permission" || pointer[0] === "agent";
    const limit = settings && isLimit(pointer);
    const counts = both ? "both count, the last one most" : "the last one counts";
    return {
      code: "key-twice",
      severity: limit ? "error" : "warning",
      message: `${pointer.join(".")} stands twice; ${limit ? "nobody can tell which limit is meant: policy read_only, no network" : counts}`,
      path,
      line,
      fix: "keep one of them",
    };
  });
  return broken ? [broken] : twice;
}

const mostProblems = 50;
/** What is wrong in many places of one file is told in the first of them. */
function bounded(all: readonly Diagnostic[]): Diagnostic[] {
  const counts = new Map<string | undefined, number>();
  const kept: Diagnostic[] = [];
  for (const found of all) {
    const count = (counts.get(found.path) ?? 0) + 1;
    counts.set(found.path, count);
    if (count <= mostProblems) kept.push(found);
  }
  for (const [path, count] of counts)
    if (count > mostProblems)
      kept.push({
        code: "more-problems",
        severity: "warning",
        message: `${path ?? "the configuration"} has ${count - mostProblems} problems more than are shown`,
        ...(path === undefined ? {} : { path }),
      });
  return kept;
}

const byScope = (list: readonly McpDeclaration[]): McpDeclaration[] => [
  ...list.filter((declaration) => declaration.scope === "workspace"),
  ...list.filter((declaration) => declaration.scope !== "workspace"),
];
/** "Always here" answers, as rules of the source `always`: the gate lets them answer an ask and nothing else. */
const rememberedRules = (patterns: readonly string[]): Rule[] =>
  patterns.map((text) => allowRule(text, "always"));

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
