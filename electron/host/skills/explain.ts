import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { nearWord } from "../../../shared/near-word.ts";
import type { SkillExplanation, SkillReason, SkillVerdict } from "../../../shared/skills.ts";
import type { Rule } from "../config/permission.ts";
import { lastMatch } from "../policy/rules.ts";
import { wholeDescription, type Catalog } from "./catalog.ts";
import type { SkillsLook } from "./look.ts";
import { pluginOf, ruleNames, type ResolvedSkill } from "./resolve.ts";

/** What decides about a name, at one moment and for one role. */
export interface ExplainInput {
  readonly name: string;
  readonly look: SkillsLook;
  /** As the lists show them. */
  readonly rows: readonly SkillRow[];
  /** Those by which `look` was resolved. */
  readonly rules: readonly Rule[];
  readonly catalog: Pick<Catalog, "text" | "cut">;
  /** Why the conversation has no `skill` tool; undefined where it has one. */
  readonly toolOff: SkillReason | undefined;
  /** The trusted folder of which the workspace, which is not, is a git worktree. */
  readonly worktreeOf: string | undefined;
  /** Names of Nacre's own slash commands. */
  readonly commands: ReadonlySet<string>;
  /** Files of that name in roots that are switched off. */
  readonly inOffRoots: readonly { readonly source: string; readonly path: string }[];
}

/** Why each skill of a name is or is not offered (spec 3, Settings view). Pure. */
export function explainSkill(input: ExplainInput): SkillExplanation {
  const { name, look, rows, inOffRoots } = input;
  const candidates = candidatesOf(name, look);
  const verdicts = candidates.flatMap((skill) => {
    const row = rows.find(({ id }) => id === skill.entry.id);
    return row ? [verdictOf(skill, row, input)] : [];
  });
  const rootReasons = inOffRoots.map(({ source, path: at }): SkillReason => ({
    code: "root_off",
    detail: at,
    source,
  }));
  const diagnostics = diagnosticsOf(name, look, candidates);
  const isUnknown = verdicts.length === 0 && rootReasons.length === 0 && diagnostics.length === 0;
  return {
    name,
    verdicts,
    reasons: isUnknown ? [unknown(name, look)] : rootReasons,
    diagnostics,
  };
}
/** By its name; where nobody has it, by the folder's, which is what people see of a file. */
function candidatesOf(name: string, { resolved, files }: SkillsLook): readonly ResolvedSkill[] {
  const named = resolved.filter(({ entry }) => isNamed(entry.name, name));
  if (named.length > 0) return named;
  const inFolder = new Set(files.flatMap(({ entry, found }) => (found.placeName === name ? entry.id : [])));
  return resolved.filter(({ entry }) => inFolder.has(entry.id));
}
/** By its whole name, or a plugin's by its bare one. */
const isNamed = (own: string, name: string): boolean => own === name || own.endsWith(`:${name}`);

function unknown(name: string, look: SkillsLook): SkillReason {
  const names = new Set(look.resolved.map(({ entry }) => entry.name));
  const near = nearWord(name, names);
  return { code: "unknown", ...(near === undefined ? {} : { detail: near }) };
}

function verdictOf(skill: ResolvedSkill, row: SkillRow, input: ExplainInput): SkillVerdict {
  const { entry, state } = skill;
  const { rules, catalog, toolOff, commands, worktreeOf } = input;
  const { text, cut } = catalog;
  const reasons: SkillReason[] = [];
  const say = (code: SkillReason["code"], more: Omit<SkillReason, "code"> = {}): void =>
    void reasons.push({ code, ...more });
  const rule = lastMatch(rules, ["skill"], ruleNames(entry.name));
  const ruling = rule && { detail: `${rule.pattern}: ${rule.answer}`, source: rule.source };

  if (state === "on") say("on");
  if (state === "on" && row.pinned) say("pinned");
  if (!entry.valid) say("invalid", detail(errorOf(entry.diagnostics)?.message));
  if (!entry.approved) say("plugin_waits", detail(pluginOf(entry.name)));
  if (rule?.answer === "deny") say("denied", ruling);
  if (!entry.enabled) say("plugin_off", detail(pluginOf(entry.name)));
  // What is off by its own switch; what does not load has no other state to tell it by.
  else if (state === "off") say("off", { detail: entry.id });
  if (state === "shadowed") say("shadowed", detail(row.shadowedBy));
  if (rule?.answer === "ask") say("asks", ruling);
  if (entry.trusted === "workspace" && !row.trusted)
    if (worktreeOf === undefined) say("workspace_untrusted");
    else say("worktree_untrusted", { detail: worktreeOf });
  if (entry.hiddenFromModel) say("hidden_from_model");
  if (entry.valid && !entry.userInvocable) say("not_invocable");
  if (toolOff) reasons.push(toolOff);
  const mayBeOffered = state === "on" && !entry.hiddenFromModel && !toolOff;
  const isDropped = mayBeOffered && cut?.dropped.includes(entry.name) === true;
  if (isDropped) say("catalog_dropped");
  else if (mayBeOffered && !text.includes(wholeDescription(entry.description)))
    if (cut?.isFull === false) say("description_long", { detail: String(cut.limit) });
    else say("catalog_shortened");
  if (commands.has(entry.name)) say("name_taken", { detail: `/${entry.name}` });
  return {
    row,
    offered: mayBeOffered && !isDropped,
    invocable: state === "on" && entry.userInvocable,
    reasons,
  };
}
const detail = (text: string | undefined): { readonly detail?: string } =>
  text === undefined ? {} : { detail: text };
const errorOf = (diagnostics: readonly Diagnostic[]): Diagnostic | undefined =>
  diagnostics.find(({ severity }) => severity === "error");

/** What is wrong with the candidates, and with what was meant as a skill of that name and is none. */
function diagnosticsOf(
  name: string,
  look: SkillsLook,
  candidates: readonly ResolvedSkill[],
): readonly Diagnostic[] {
  const own = candidates.flatMap(({ entry }) => entry.diagnostics);
  const bare = name.slice(name.indexOf(":") + 1);
  const near = look.scans.flatMap(({ root, diagnostics }) =>
    diagnostics.filter(({ path: at, message }) => {
      if (at === undefined) return false;
      const parts = path.relative(root.path, at).split(path.sep);
      return parts.includes(bare) || parts.includes(`${bare}.md`) || names(message, `${bare}.md`);
    }),
  );
  return [...new Set([...own, ...near])];
}
/** A message that lists several loose files names each of them as a word. */
const names = (message: string, file: string): boolean => message.split(/[\s,:]+/).includes(file);
