import type { Rule } from "../config/permission.ts";
import type { Settings } from "../config/types.ts";
import type { Tool } from "../tools/types.ts";
import { renderCatalog, type Catalog } from "./catalog.ts";
import type { ResolvedSkill, SkillEntry } from "./resolve.ts";
import { createSkillTool, type SkillToolOptions } from "./tool.ts";

/** What a model gets to know of skills. */
export interface SkillOffer {
  /** Its text is empty where no skill is offered. */
  readonly catalog: Catalog;
  /** With the catalog in its description, where it is placed there; undefined where no skill is offered. */
  readonly tool: Tool | undefined;
}
export interface SkillOffersOptions extends SkillToolOptions {
  readonly settings: () => Pick<Settings["skills"], "placement" | "catalogDescriptionMaxLength">;
}
const toolDescription =
  "Loads a skill: instructions for one kind of task, with the files that belong to it. Load a skill when the task fits its description, before you start. With `file`, reads one of its files.";
/** A turn asks by its role's rules, a list by those of the workspace. */
const mostKept = 4;

/** Catalogs and tools for models, by the rules that hold for each (spec 3, What the model sees). */
export class SkillOffers {
  /** For a person, and for whoever knows the catalog from elsewhere. */
  readonly tool: Tool;
  readonly #options: SkillOffersOptions;
  /** Newest first; kept while what they are made of is the same: every turn and every list asks. */
  #kept: readonly { readonly of: readonly unknown[]; readonly offer: SkillOffer }[] = [];

  constructor(options: SkillOffersOptions) {
    this.#options = options;
    this.tool = createSkillTool(options, toolDescription);
  }
  /** @param sessionId The conversation whose own skills count first. */
  of(rules: readonly Rule[], sessionId?: string): SkillOffer {
    const { resolve, settings } = this.#options;
    const { placement, catalogDescriptionMaxLength: longestDescription } = settings();
    const offered = offeredOf(resolve(rules, sessionId ?? ""));
    const of = [placement, longestDescription, ...offered];
    const known = this.#kept.find(
      (one) => one.of.length === of.length && one.of.every((part, index) => part === of[index]),
    );
    if (known) return known.offer;
    const catalog = renderCatalog(offered, { placement, longestDescription });
    const offer = { catalog, tool: this.#tool(catalog, placement) };
    this.#kept = [{ of, offer }, ...this.#kept.slice(0, mostKept - 1)];
    return offer;
  }

  #tool(catalog: Catalog, placement: string): Tool | undefined {
    if (catalog.text === "") return undefined;
    return placement === "tool"
      ? createSkillTool(this.#options, `${toolDescription}\n\n${catalog.text}`)
      : this.tool;
  }
}
/** Best first. */
const offeredOf = (resolved: readonly ResolvedSkill[]): readonly SkillEntry[] =>
  resolved.flatMap(({ entry, state }) => (state === "on" && !entry.hiddenFromModel ? [entry] : []));
