/**
 * The vocabulary of the skill registry, as DSH publishes it (`docs/subsystems/skills.md`; spec 3, Registry). All of
 * it is read only: what a provider hands over is checked and copied, never changed.
 */
type SkillSource =
  | "project-dsh"
  | "project-agents"
  | "runtime"
  | "user-dsh"
  | "user-agents"
  | "custom"
  | "bundled"
  | (string & {});

/** What relative paths in a skill's text are relative to. */
export type SkillResourceBase =
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "opaque"; readonly description: string };

/** What running it needs and asks for (spec 3, Frontmatter). Nacre's own addition to what DSH publishes. */
export interface SkillNeeds {
  /** As the front matter says it: a JSON Schema, a map of names, a list of names. */
  readonly arguments?: unknown;
  /** `tools`: what has to be there. As written. */
  readonly tools?: readonly string[];
  /** `allowed-tools`: a request, never a grant. As written. */
  readonly allowedTools?: readonly string[];
  readonly model?: string;
  readonly keywords?: readonly string[];
}
/** What the model's catalog is made of. */
export interface SkillSummary {
  /** Kebab case; a plugin's is `plugin:name`. */
  readonly name: string;
  readonly description: string;
  readonly whenToUse?: string | undefined;
  /** Hidden from the model, still loadable by name for a person. */
  readonly disableModelInvocation?: boolean | undefined;
  /** `user-invocable: false`: for the model alone. */
  readonly modelOnly?: boolean | undefined;
  readonly source: SkillSource;
  readonly provider: string;
  readonly resourceBase?: SkillResourceBase | undefined;
}
/** What a provider lists. */
export interface SkillCandidate extends SkillSummary {
  /** The lowest wins a name, before provider order and local order. */
  readonly rank: number;
  /** The provider's own handle; handed back to its `get`, never looked into. */
  readonly locator: unknown;
  /** Absolute. */
  readonly path?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly needs?: SkillNeeds | undefined;
}
/** A skill with its text. */
export interface SkillDefinition extends SkillSummary {
  /** Markdown without the front matter. */
  readonly content: string;
  readonly path?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly needs?: SkillNeeds | undefined;
  /** Names of its files, to be read by its provider; for what is no folder of this machine. */
  readonly files?: readonly string[] | undefined;
  /** Nobody vouches for its text: it came from a server. */
  readonly outside?: boolean | undefined;
}
export type SkillRegistration = Omit<SkillDefinition, "provider"> & { readonly provider?: string };

export interface SkillLookupOptions {
  /** The folder that the caller works in; the workspace where absent. */
  readonly cwd?: string | undefined;
  /** The conversation that asks, whose own skills count first; told to providers that answer `perSession`. */
  readonly sessionId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
/** One source of skills: folders, a remote registry. */
export interface SkillProvider {
  /** Unique; `runtime` is taken. */
  readonly name: string;
  /** It answers each conversation apart. Only then it hears of one, and its catalogs are kept for each. */
  readonly perSession?: true;
  readonly list: (options: SkillLookupOptions) => Promise<readonly SkillCandidate[]>;
  /** Undefined: no longer available. */
  readonly get: (
    candidate: SkillCandidate,
    options: SkillLookupOptions,
  ) => Promise<SkillDefinition | undefined>;
  /** One of `files` of a loaded skill, as text. @throws NacreError `not_found`, `denied` */
  readonly file?: (skill: SkillDefinition, file: string, options: SkillLookupOptions) => Promise<string>;
}
