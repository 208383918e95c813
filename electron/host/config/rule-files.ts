import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { Document } from "./documents.ts";
import { hasIndexKeys, orderedValue } from "./jsonc-read.ts";
import { parsePermission, type Rule } from "./permission.ts";
import type { Config, RuleFile } from "./types.ts";

/** One file with `permission` and `agent`: settings.json, or a dropstone.json. */
export interface RuleDocument {
  readonly document: Document;
  readonly source: string;
  readonly scope: RuleFile["scope"];
  readonly trusted: boolean;
}

/** What one file says of permissions, in the order of its text. */
export async function readRuleFile(entry: RuleDocument, diagnostics: Diagnostic[]): Promise<RuleFile> {
  const { document, scope } = entry;
  const value = document.value;
  const all: JsonObject = isObject(value) && isObject(value["agent"]) ? value["agent"] : {};
  const agents: Record<string, { rules: Rule[]; tools: Record<string, boolean> }> = {};
  for (const [name, raw] of Object.entries(all)) {
    const tools: JsonObject = isObject(raw) && isObject(raw["tools"]) ? raw["tools"] : {};
    agents[name] = {
      rules: await readRules(entry, ["agent", name, "permission"], diagnostics),
      tools: Object.fromEntries(
        Object.entries(tools).filter((tool): tool is [string, boolean] => typeof tool[1] === "boolean"),
      ),
    };
  }
  const rules = await readRules(entry, ["permission"], diagnostics);
  return { path: document.path, scope, trusted: entry.trusted, rules, agents };
}
async function readRules(
  { document, source, trusted }: RuleDocument,
  at: readonly string[],
  diagnostics: Diagnostic[],
): Promise<Rule[]> {
  const plain = at.reduce<unknown>(
    (value, key) => (isObject(value) ? value[key] : undefined),
    document.value,
  );
  const raw = hasIndexKeys(plain) ? await orderedValue(document.text, at) : plain;
  const result = parsePermission(raw, source, trusted);
  const line = document.lineOf(at);
  for (const diagnostic of result.diagnostics)
    diagnostics.push({ ...diagnostic, path: document.path, ...(line === undefined ? {} : { line }) });
  return result.rules;
}

/**
 * The rules of all files, joined in their order; those for a role by its name. Of a file that is not trusted only what
 * narrows counts: its rules are marked so, and of `tools` it may only switch off.
 */
export function joinRules(files: readonly RuleFile[]): Pick<Config, "rules" | "agents"> {
  const agents = new Map<string, { rules: Rule[]; tools: Map<string, boolean> }>();
  for (const file of files)
    for (const [name, { rules, tools }] of Object.entries(file.agents)) {
      const agent = agents.get(name) ?? { rules: [], tools: new Map<string, boolean>() };
      agents.set(name, agent);
      agent.rules.push(...rules);
      for (const [tool, on] of Object.entries(tools)) if (!on || file.trusted) agent.tools.set(tool, on);
    }
  return {
    rules: files.flatMap(({ rules }) => rules),
    agents: Object.fromEntries(
      [...agents].map(([name, { rules, tools }]) => [name, { rules, tools: Object.fromEntries(tools) }]),
    ),
  };
}
/** Whether a file allows something, or gives a role a tool. */
export const allowsSomething = ({ rules, agents }: RuleFile): boolean =>
  [rules, ...Object.values(agents).map((agent) => agent.rules)]
    .flat()
    .some(({ answer }) => answer === "allow") ||
  Object.values(agents).some(({ tools }) => Object.values(tools).includes(true));
/** The file with its trust taken away. */
export const untrustedRules = (file: RuleFile): RuleFile => {
  const narrow = (rules: readonly Rule[]): Rule[] => rules.map((rule) => ({ ...rule, trusted: false }));
  const agents = Object.entries(file.agents).map(
    ([name, agent]) => [name, { ...agent, rules: narrow(agent.rules) }] as const,
  );
  return { ...file, trusted: false, rules: narrow(file.rules), agents: Object.fromEntries(agents) };
};
