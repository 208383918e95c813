import type { Diagnostic } from "./diagnostic.ts";
import type { SkillRow } from "./extension-rows.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Bytes of UTF-8 in a skill's Markdown file, or in what a conversation holds; a larger one is no skill. */
export const largestSkillBytes = 1024 * 1024;
/** What running a skill needs and asks for, as the person sees it before it runs (spec 3, Frontmatter). */
export interface SkillInvocation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** An object schema of its arguments, in the order in which they are written; null where it takes none. */
  readonly schema: JsonSchema | null;
  /** `tools`: each by Nacre's name where it is known, as written where it is not. */
  readonly tools: readonly { readonly name: string; readonly found: boolean }[];
  /** `allowed-tools`: what it asks to use without being asked for, as written. A request, never a grant. */
  readonly allowedTools: readonly string[];
  /** The model that the turn would take; `found` is false where there is no such model here. */
  readonly model?: { readonly name: string; readonly found: boolean };
}
/**
 * Why a skill's text is not changed here: `kept` belongs to a plugin, to Hermit or to the app; `no_file` is registered by
 * code; `leaves_folder` is a link to elsewhere.
 */
export const skillObstacles = [
  "kept",
  "no_file",
  "no_text",
  "too_large",
  "leaves_folder",
  "not_writable",
] as const;
export type SkillObstacle = (typeof skillObstacles)[number];
/** One skill with everything that the settings show of it, whether it loads or not. */
export interface SkillInspection extends SkillInvocation {
  readonly row: SkillRow;
  /** The body; empty where it does not load. */
  readonly content: string;
  /** The whole file, or what a conversation holds, for the editor; null where it is no text. */
  readonly text: string | null;
  /** Of `text`: who writes names it, so that nothing that changed meanwhile is overwritten. */
  readonly digest: string;
  /** Where links lead the file, where that is another place than `row.path`: what is written goes there. */
  readonly realPath?: string;
  /** Relative to the skill's folder, at most 50. */
  readonly resources: readonly string[];
  /** There are more of them. */
  readonly moreResources: boolean;
  readonly license?: string;
  readonly compatibility?: string;
  readonly whenToUse?: string;
  readonly keywords: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The file can be changed here: it is no plugin's, not bundled and may be written. */
  readonly editable: boolean;
  /** Why not, where it is not editable. */
  readonly uneditable?: SkillObstacle;
  /** It can be deleted here, whether its text can be edited or not. */
  readonly removable: boolean;
  /** Its front matter can be repaired without a doubt about what was meant. */
  readonly repairable: boolean;
}
/** What repairing a file would do. */
export interface SkillRepair {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** One sentence for each change. */
  readonly changes: readonly string[];
  /** Of both texts. */
  readonly digest: string;
}
export const skillReasons = [
  "on",
  "pinned",
  "unknown",
  "off",
  "root_off",
  "plugin_off",
  "shadowed",
  "invalid",
  "denied",
  "asks",
  "plugin_waits",
  "workspace_untrusted",
  "worktree_untrusted",
  "hidden_from_model",
  "not_invocable",
  "tool_off",
  "catalog_dropped",
  "catalog_shortened",
  "description_long",
  "name_taken",
] as const;
/** One reason why a skill is, or is not, offered; its words are made of it where they are shown. */
export interface SkillReason {
  readonly code: (typeof skillReasons)[number];
  /** The path that shadows, the rule as `pattern: answer`, the near name, how many characters of a description are shown, …. */
  readonly detail?: string;
  /** Where a deciding rule or switch stands: `settings`, `dropstone:<path>`, `role:<name>`. */
  readonly source?: string;
}
/** Why one candidate of a name is offered or not (`nacre skills doctor NAME`). */
export interface SkillVerdict {
  readonly row: SkillRow;
  /** In the model's catalog. */
  readonly offered: boolean;
  /** Its front matter can be repaired without a doubt about what was meant. */
  readonly repairable?: true;
  /** A person may load it by name. */
  readonly invocable: boolean;
  readonly reasons: readonly SkillReason[];
}
export interface SkillExplanation {
  readonly name: string;
  /** Best first; empty for an unknown name. */
  readonly verdicts: readonly SkillVerdict[];
  /** Of the name as a whole: unknown, with the nearest name as `detail`. */
  readonly reasons: readonly SkillReason[];
  readonly diagnostics: readonly Diagnostic[];
}
/** One row of the table of roots (spec 3), which has a switch `skills:SOURCE`. */
export interface SkillRootRow {
  readonly id: string;
  readonly source: string;
  readonly scope: string;
  readonly rank: number;
  readonly enabled: boolean;
  /** Nearest first. */
  readonly folders: readonly { readonly path: string; readonly exists: boolean; readonly count: number }[];
}
/** A skill that fits what is being typed. */
export interface SkillSuggestion {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The keyword that occurs. */
  readonly keyword: string;
}
