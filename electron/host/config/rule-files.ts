import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { switchOf } from "../../../shared/switch-of.ts";
import type { Document } from "./documents.ts";
import { diagnosticOf, Fields } from "./fields.ts";
import { hasIndexKeys, orderedValue } from "./jsonc-read.ts";
import { membersOf, valuesAt } from "./members.ts";
import { parsePermission, type Rule } from "./permission.ts";
import type { AgentConfig, Config, RuleFile } from "./types.ts";

/** One file with `permission` and `agent`: settings.json, or a dropstone.json. */
export interface RuleDocument {
  readonly document: Document;
  readonly source: string;
  readonly scope: RuleFile["scope"];
  readonly trusted: boolean;
}

/** What one file says of permissions, in the order of its text. */
export async function readRuleFile(entry: RuleDocument, diagnostics: Diagnostic[]): Promise<RuleFile> {
  const { document, scope, trusted } = entry;
  checkAgents(document, diagnostics);
  const root = await inOrder(document);
  const agents: [string, AgentConfig][] = [];
  for (const name of namesIn(valuesAt(root, ["agent"]))) {
    const tools = new Map<string, boolean>();
    for (const value of valuesAt(root, ["agent", name, "tools"]))
      for (const [tool, on] of membersOf(value) ?? []) setLast(tools, tool, switchOf(on) ?? false);
    const rules = readRules(entry, root, ["agent", name, "permission"], diagnostics);
    agents.push([name, { rules, tools: Object.fromEntries(tools) }]);
  }
  const rules = readRules(entry, root, ["permission"], diagnostics);
  return { path: document.path, scope, trusted, rules, agents: Object.fromEntries(agents) };
}
/** The value in which the order of the text can be read. */
async function inOrder({ value, text, duplicates }: Document): Promise<unknown> {
  const keys = ["permission", "agent"];
  const isLost =
    duplicates.some(({ pointer: [first] }) => keys.some((key) => key === first)) ||
    keys.some((key) => valuesAt(value, [key]).some(hasIndexKeys));
  return isLost ? orderedValue(text) : value;
}
const namesIn = (values: readonly unknown[]): Set<string> =>
  new Set(values.flatMap((value) => (membersOf(value) ?? []).map(([name]) => name)));
/** The order of a map is that of its last words. */
function setLast<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

/** Names what is of the wrong kind or misspelt; other programs have keys of their own there. */
function checkAgents(document: Document, diagnostics: Diagnostic[]): void {
  if (document.value === undefined) return;
  const fields = new Fields(document.value, [], "agent-invalid", (problem) =>
    diagnostics.push(diagnosticOf(document, problem)),
  );
  fields.pass("permission");
  const agents = fields.object("agent");
  for (const name of Object.keys(agents.raw)) {
    const agent = agents.object(name);
    agent.pass("permission");
    // What is no switch counts as the stricter one (spec 3).
    agent.booleans(false, "tools");
  }
  // What else stands in settings.json has its own reader.
  if (document.path.endsWith("dropstone.json")) fields.reportUnknown("misspelt");
  else agents.reportUnknown("misspelt");
}

function readRules(
  { document, source, trusted }: RuleDocument,
  root: unknown,
  at: readonly string[],
  diagnostics: Diagnostic[],
): Rule[] {
  const rules: Rule[] = [];
  for (const raw of valuesAt(root, at)) {
    const result = parsePermission(raw, source, trusted);
    const line = result.diagnostics.length > 0 ? document.lineOf(at) : undefined;
    for (const found of result.diagnostics)
      diagnostics.push({ ...found, path: document.path, ...(line === undefined ? {} : { line }) });
    for (const rule of result.rules) rules.push(rule);
  }
  return rules;
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
      for (const rule of rules) agent.rules.push(rule);
      for (const [tool, on] of Object.entries(tools)) if (!on || file.trusted) setLast(agent.tools, tool, on);
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
