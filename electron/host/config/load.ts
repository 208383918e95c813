import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject } from "../../../shared/json.ts";
import { diagnosticOf, type Document, type Documents } from "./documents.ts";
import { readInstructions } from "./instructions.ts";
import { readLayers } from "./kairox-layers.ts";
import { parseMcpServers } from "./mcp-declaration.ts";
import { parsePattern, type Rule } from "./permission.ts";
import { joinRules, readRuleFile, type RuleDocument } from "./rule-files.ts";
import { parseSettings, strictPolicy } from "./settings.ts";
import { configSources, type Sources } from "./sources.ts";
import type { AppPaths, Config, McpDeclaration, RuleFile } from "./types.ts";

/** Reads every file of spec 2 for one workspace (real path) into one value. Never fails: problems are diagnostics. */
export async function loadConfig(
  documents: Documents,
  workspace: string,
  paths: AppPaths,
): Promise<{ config: Config; sources: Sources }> {
  const sources = configSources(workspace, paths);
  const diagnostics: Diagnostic[] = [];
  const read = async (file: string, format: "jsonc" | "toml" | "text"): Promise<Document> => {
    const document = await documents.read(file, format);
    if (document.broken) diagnostics.push(document.broken);
    return document;
  };
  const readAll = (files: readonly string[], format: "jsonc" | "toml"): Promise<Document[]> =>
    Promise.all(files.map((file) => read(file, format)));

  const settingsFile = await read(sources.settings, "jsonc");
  const written = parseSettings(settingsFile.value, workspace, paths.home, (problem) =>
    diagnostics.push(diagnosticOf(settingsFile, problem)),
  );
  // The user's own limits are in there, unread: the app must not do more than they allow.
  const unusable = settingsFile.exists && !isObject(settingsFile.value);
  const settings = unusable ? { ...written, policy: strictPolicy } : written;
  if (unusable)
    diagnostics.push({
      code: "settings-unusable",
      severity: "error",
      message: `${sources.settings} cannot be used and must be mended; until then nothing is written: policy read_only`,
      path: sources.settings,
      fix: "mend the file, or remove it to take the defaults",
    });
  const trusted = settings.trustedWorkspaces.includes(workspace);
  const mcpFiles = await readAll(
    sources.mcp.map(({ file }) => file),
    "jsonc",
  );
  const userToml = await readAll(sources.toml.user, "toml");
  const workspaceToml = await readAll(sources.toml.workspace, "toml");
  const layers = readLayers(
    [
      ...workspaceToml.map((document) => ({ document, scope: "workspace" as const })),
      ...userToml.map((document) => ({ document, scope: "user" as const })),
    ],
    workspace,
  );
  const declared = sources.mcp.flatMap((source, index) => {
    const document = mcpFiles[index];
    if (!document || !isObject(document.value)) return [];
    const result = parseMcpServers(document.value, {
      ...source,
      base: workspace,
      lineOf: (pointer) => document.lineOf(pointer),
    });
    diagnostics.push(...result.diagnostics);
    return result.declarations;
  });
  diagnostics.push(...layers.mcp.flatMap((declaration) => declaration.diagnostics));

  const userDropstone = await read(sources.dropstone.user, "jsonc");
  const workspaceDropstone = await readAll(sources.dropstone.workspace, "jsonc");
  const dropstone = (document: Document): string => `dropstone:${document.path}`;
  const withRules: readonly RuleDocument[] = [
    { document: settingsFile, source: "settings", scope: "user", trusted: true },
    { document: userDropstone, source: dropstone(userDropstone), scope: "user", trusted: true },
    ...workspaceDropstone.map((document) => ({
      document,
      source: dropstone(document),
      scope: "workspace" as const,
      trusted,
    })),
  ];
  const ruleFiles: RuleFile[] = [];
  for (const entry of withRules) ruleFiles.push(await readRuleFile(entry, diagnostics));
  const { rules, agents } = joinRules(ruleFiles);
  const config: Config = {
    settings,
    mcp: byScope([...declared, ...layers.mcp]),
    others: layers.others,
    rules: [...rememberedRules(settings.remembered[workspace] ?? []), ...rules],
    agents,
    ruleFiles,
    instructions: await readInstructions({
      sources,
      secretFolders: [paths.config, path.join(paths.home, ".ssh")],
      userToml,
      workspaceToml,
      read,
      diagnostics,
    }),
    diagnostics,
  };
  return { config: deepFreeze(config), sources };
}

const byScope = (list: readonly McpDeclaration[]): McpDeclaration[] => [
  ...list.filter((declaration) => declaration.scope === "workspace"),
  ...list.filter((declaration) => declaration.scope !== "workspace"),
];
/** "Always here" answers, as rules of the source `always`: the gate lets them answer an ask and nothing else. */
const rememberedRules = (patterns: readonly string[]): Rule[] =>
  patterns.map((text) => ({ ...parsePattern(text), answer: "allow", source: "always", trusted: true }));

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
