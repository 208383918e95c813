import { canonicalJson } from "../../../shared/json.ts";
import { NacreError, type ErrorCode } from "../../../shared/errors.ts";
import { nearWord } from "../../../shared/near-word.ts";
import { argumentUsage } from "../../../shared/skill-arguments-text.ts";
import { argumentSchema } from "../../../shared/skill-arguments.ts";
import { fillBody } from "../../../shared/skill-arguments-fill.ts";
import { mentionedNames } from "../../../shared/skill-mentions.ts";
import type { JsonSchema } from "../../../shared/json-schema.ts";
import type { SkillInvocation, SkillSuggestion } from "../../../shared/skills.ts";
import type { Rule } from "../config/permission.ts";
import { sha256 } from "../kit/files.ts";
import type { CommandNote, TurnChanges } from "../tools/commands.ts";
import type { Permit } from "../tools/permit.ts";
import { findSkill, namesForPeople, type FoundByName } from "./find-skill.ts";
import { settleNeeds, type NeedsPorts, type SkillAsking } from "./invocation-needs.ts";
import { KeywordIndex } from "./keywords.ts";
import { refusalOf } from "./refusal.ts";
import type { ResolvedSkill, SkillEntry } from "./resolve.ts";
import type { SkillDefinition, SkillNeeds } from "./types.ts";

/** One load by a person, for the trace. */
export interface SkillLoad {
  readonly sessionId: string | null;
  readonly name: string;
  readonly source: string;
  /** What was typed behind its name. */
  readonly typed: string;
  /** What decided. */
  readonly by?: string;
  readonly model?: string;
  readonly durationMs: number;
  readonly error?: Error;
}
/** What using a skill asks of the host. */
export interface SkillUsePorts extends NeedsPorts {
  /** The rules that hold for what a person loads here, those of the conversation's role last. */
  rules(): readonly Rule[];
  /** Leads the load through the one gate, where a rule may ask. @throws NacreError `denied` */
  permit(name: string, asking: SkillAsking): Promise<Permit>;
  onLoad(load: SkillLoad): void;
  /** ms */
  now(): number;
}
export interface SkillUseOptions {
  readonly resolve: (rules: readonly Rule[], sessionId?: string) => readonly ResolvedSkill[];
  readonly load: (entry: SkillEntry, signal: AbortSignal) => Promise<SkillDefinition>;
  /** A loaded skill as the model gets it. */
  readonly content: (skill: SkillDefinition) => Promise<string>;
  readonly trusted: () => boolean;
  readonly ports: SkillUsePorts;
}
/** A skill that is ready for a turn. */
export interface UsedSkill extends TurnChanges {
  readonly prompt: string;
  readonly notes: readonly CommandNote[];
}
export interface MentionedSkills extends TurnChanges {
  readonly texts: readonly string[];
  readonly notes: readonly CommandNote[];
  /** Names that mean skills and were left out, each with a note. */
  readonly unused: readonly string[];
}
const mostSuggested = 3;
/** Characters of a text that are looked at for keywords: its end, where somebody types. */
const mostLookedAt = 10_000;

/** How a person uses skills: `/skill NAME`, `/NAME`, `@NAME`, and what is suggested while they type (spec 3). */
export class SkillUse {
  readonly #options: SkillUseOptions;
  /** Made once for what `resolve` answers; it answers the same until something changes. */
  readonly #keywords = new WeakMap<readonly ResolvedSkill[], KeywordIndex<Suggested>>();

  constructor(options: SkillUseOptions) {
    this.#options = options;
  }
  /** How to write what stands behind a skill's name. */
  usage(name: string): string {
    const { resolve, ports } = this.#options;
    const found = findSkill(resolve(ports.rules()), name);
    const schema = found && "entry" in found ? argumentSchema(found.entry.needs?.arguments) : null;
    return schema === null ? "[text]" : `${argumentUsage(schema)} [text]`;
  }
  /**
   * The message that a person sends with a skill: its instructions with the arguments in them, then the text.
   * @param typed behind the name
   * @throws NacreError `not_found`, `denied` with the reason, `invalid_input` for arguments, with how to write them
   */
  async use(name: string, typed: string, asking: SkillAsking): Promise<UsedSkill> {
    const entry = this.#find(name, asking.sessionId);
    const { made, forModel, ...rest } = await this.#traced(entry, typed, asking, () =>
      this.#ready(entry, asking, (skill) => this.#filled(entry.name, skill, typed)),
    );
    const parts = [made.content, ...forModel, made.text];
    return { ...rest, prompt: parts.filter((part) => part !== "").join("\n\n") };
  }
  /**
   * The skills that a message mentions, each once, as `/NAME` alone would send them; one that may not be loaded, or needs
   * arguments, is a note. A name that means no skill is
   * left alone.
   * @param wasGiven Whether the model has a text in its conversation already
   */
  async mentions(
    text: string,
    asking: SkillAsking,
    wasGiven: (text: string) => boolean,
  ): Promise<MentionedSkills> {
    const texts: string[] = [];
    const notes: CommandNote[] = [];
    const unused: string[] = [];
    const allow: Rule[] = [];
    const seen = new Set<string>();
    let model: string | undefined;
    for (const name of mentionedNames(text)) {
      const found = findSkill(this.#resolved(asking.sessionId), name);
      if (found === undefined || ("entry" in found && seen.has(found.entry.id))) continue;
      try {
        const entry = this.#find(name, asking.sessionId);
        seen.add(entry.id);
        const used = await this.#traced(entry, "", asking, () =>
          this.#ready(entry, asking, (skill) => this.#filled(entry.name, skill, "")),
        );
        const { content } = used.made;
        texts.push(
          wasGiven(content)
            ? `The skill ${entry.name} is meant. Its instructions stand above in this conversation, unchanged.`
            : content,
          ...used.forModel,
        );
        notes.push(...used.notes);
        allow.push(...(used.allow ?? []));
        model ??= used.model;
      } catch (error) {
        asking.signal.throwIfAborted();
        if (!(error instanceof NacreError)) throw error;
        unused.push(name);
        notes.push({ level: "warning", text: `@${name} was left out: ${error.message}` });
      }
    }
    return {
      texts,
      notes,
      unused,
      ...(allow.length > 0 ? { allow } : {}),
      ...(model === undefined ? {} : { model }),
    };
  }
  /** What using a skill would need. @throws NacreError `not_found`, `denied` with the reason */
  async invocation(name: string, sessionId: string | null): Promise<SkillInvocation> {
    const { id, name: own, description, needs } = this.#find(name, sessionId);
    return { id, name: own, description, ...(await shownNeeds(needs, this.#options.ports)) };
  }
  /** Skills whose keywords occur in a text that is being typed, at most 3. */
  suggest(text: string, sessionId: string | null): readonly SkillSuggestion[] {
    const trusted = this.#options.trusted();
    return this.#keywordsOf(this.#resolved(sessionId))
      .find(text.slice(-mostLookedAt), mostSuggested, ({ entry }) => entry.trusted !== "workspace" || trusted)
      .map(({ item: { entry }, keyword }) => ({
        id: entry.id,
        name: entry.name,
        description: entry.description,
        keyword,
      }));
  }

  #keywordsOf(resolved: readonly ResolvedSkill[]): KeywordIndex<Suggested> {
    const known = this.#keywords.get(resolved);
    if (known) return known;
    const index = new KeywordIndex(
      resolved.flatMap(({ entry, state }): Suggested[] =>
        state === "on" && entry.userInvocable && entry.needs?.keywords
          ? [{ name: entry.name, keywords: entry.needs.keywords, entry }]
          : [],
      ),
    );
    this.#keywords.set(resolved, index);
    return index;
  }
  /** Whoever is in no conversation has none's own skills. */
  #resolved(sessionId: string | null): readonly ResolvedSkill[] {
    return this.#options.resolve(this.#options.ports.rules(), sessionId ?? "");
  }
  /** @throws NacreError with the reason why it may not be loaded by name */
  #find(name: string, sessionId: string | null): SkillEntry {
    const found = findSkill(this.#resolved(sessionId), name);
    const refusal = refusalOf(found, name, "person");
    if (found === undefined) {
      const near = nearWord(name, namesForPeople(this.#resolved(sessionId)));
      throw new NacreError("not_found", `${refusal}${near === undefined ? "" : `; did you mean ${near}?`}`);
    }
    if (refusal !== undefined || "ambiguous" in found) throw new NacreError(codeOf(found), refusal ?? name);
    return found.entry;
  }
  /** It may be used, and what it is found in is trusted: as of now, whatever was so when it was read. */
  #isTrusted(id: string, sessionId: string | null): boolean {
    const now = this.#resolved(sessionId).find(({ entry }) => entry.id === id);
    if (now === undefined || refusalOf(now, now.entry.name, "person") !== undefined) return false;
    return now.entry.trusted === "workspace" ? this.#options.trusted() : now.entry.trusted;
  }
  /** What is asked is asked once it is known that what would be sent makes sense. */
  async #ready<T>(
    entry: SkillEntry,
    asking: SkillAsking,
    make: (skill: SkillDefinition) => Promise<T>,
  ): Promise<ReadySkill<T>> {
    const { ports, load } = this.#options;
    const shown = await load(entry, asking.signal);
    const made = await make(shown);
    const digest = digestOf(shown);
    const { by, asked } = await ports.permit(entry.name, asking);
    const { id, name, path } = entry;
    const isTrusted = (): boolean => this.#isTrusted(id, asking.sessionId);
    const needy = { name, path, needs: shown.needs ?? {}, digest, isTrusted };
    const needs = await settleNeeds(needy, ports, asking);
    if (!asked && !needs.asked) return { ...needs, by, made };
    // While a question was open its file may have become another one, which nobody has seen.
    const now = await load(entry, asking.signal);
    if (digestOf(now) === digest) return { ...needs, by, made };
    const { notes, forModel } = needs;
    const text = `${name} has changed since the question: it is used as it is now, and nothing is allowed for it`;
    return { notes: [...notes, { level: "warning", text }], forModel, by, made: await make(now) };
  }
  /** A loaded skill as the model gets it, with what was typed in it. @throws NacreError `invalid_input` */
  async #filled(
    name: string,
    skill: SkillDefinition,
    typed: string,
  ): Promise<{ readonly content: string; readonly text: string }> {
    const schema = argumentSchema(skill.needs?.arguments);
    const { body, text, problems } = fillBody(skill.content, schema, typed);
    if (problems.length > 0) throw new NacreError("invalid_input", wrongArguments(name, problems, schema));
    return { content: await this.#options.content({ ...skill, content: body }), text };
  }
  async #traced<T extends { readonly by: string; readonly model?: string }>(
    { name, source }: SkillEntry,
    typed: string,
    { sessionId }: SkillAsking,
    use: () => Promise<T>,
  ): Promise<T> {
    const { ports } = this.#options;
    const startedAt = ports.now();
    const told = (more: Pick<SkillLoad, "by" | "model" | "error">): void =>
      ports.onLoad({ sessionId, name, source, typed, durationMs: ports.now() - startedAt, ...more });
    try {
      const used = await use();
      const { by, model } = used;
      told({ by, ...(model === undefined ? {} : { model }) });
      return used;
    } catch (error) {
      told({ error: error instanceof Error ? error : new Error(String(error)) });
      throw error;
    }
  }
}

/** What a skill needs and asks for, as a person sees it. */
export async function shownNeeds(
  needs: SkillNeeds | undefined,
  ports: Pick<NeedsPorts, "toolName" | "model">,
): Promise<Pick<SkillInvocation, "schema" | "tools" | "allowedTools" | "model">> {
  const { model } = needs ?? {};
  return {
    schema: argumentSchema(needs?.arguments),
    tools: (needs?.tools ?? []).map((written) => {
      const tool = ports.toolName(written);
      return { name: tool ?? written, found: tool !== undefined };
    }),
    allowedTools: needs?.allowedTools ?? [],
    ...(model === undefined ? {} : { model: { name: model, found: "id" in (await ports.model(model)) } }),
  };
}

interface ReadySkill<T> extends TurnChanges {
  readonly made: T;
  readonly notes: readonly CommandNote[];
  readonly forModel: readonly string[];
  readonly by: string;
}
interface Suggested {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly entry: SkillEntry;
}
function codeOf(found: FoundByName): ErrorCode {
  if ("ambiguous" in found) return "invalid_input";
  if (found.state === "off") return "unavailable";
  if (found.state === "invalid") return "configuration";
  return found.state === "untrusted" ? "not_trusted" : "denied";
}
const wrongArguments = (name: string, problems: readonly string[], schema: JsonSchema | null): string =>
  `${name}: ${problems.join("; ")}. Usage: /${name}${schema === null ? "" : ` ${argumentUsage(schema)}`}`;
const digestOf = ({ content, path, needs }: SkillDefinition): string =>
  sha256(canonicalJson([content, path ?? "", needs ?? {}]));
