import { NacreError } from "../../../shared/errors.ts";
import { untilAborted } from "../kit/abort.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import type { Logger } from "../kit/log.ts";
import { checkedDefinition, summaryOf } from "./candidate.ts";
import { ProviderCatalogs, type Registered } from "./provider-catalogs.ts";
import { runtimeRank } from "./roots.ts";
import type {
  SkillCandidate,
  SkillDefinition,
  SkillLookupOptions,
  SkillProvider,
  SkillRegistration,
  SkillSummary,
} from "./types.ts";
import { winnersOf } from "./winners.ts";

const runtimeProvider = "runtime";

export interface SkillRegistryOptions {
  /** Completed catalogs to keep, one for each folder and provider. */
  readonly maxEntries: () => number;
  readonly log: Logger;
  /** False: what was registered at run time is not listed (its row of the table is off). */
  readonly isRuntimeOn?: () => boolean;
  /** What may win a name: false for a skill that is switched off. */
  readonly admits?: (candidate: SkillCandidate) => boolean;
  /** Of several that may win a name, one that does whatever its rank: a pinned skill. */
  readonly prefers?: (candidate: SkillCandidate) => boolean;
}
/** Every candidate of one lookup. */
export interface SkillSnapshot {
  /** Losers and switched-off ones included, best first. */
  readonly candidates: readonly SkillCandidate[];
  /** Names of providers that could not list: what they had is missing here. */
  readonly failed: readonly string[];
}
/** Merges the catalogs of all providers (DSH `ctx.skills`; spec 3, Registry). */
export class SkillRegistry {
  readonly #admits: (candidate: SkillCandidate) => boolean;
  readonly #prefers: (candidate: SkillCandidate) => boolean;
  readonly #providers = new Map<string, Registered>();
  readonly #runtime = new Map<string, SkillDefinition>();
  readonly #catalogs: ProviderCatalogs;
  readonly #changed = new Emitter<void>();

  constructor({ maxEntries, log, admits, prefers, isRuntimeOn }: SkillRegistryOptions) {
    this.#admits = admits ?? (() => true);
    this.#prefers = prefers ?? (() => false);
    this.#catalogs = new ProviderCatalogs(log, maxEntries);
    const list = async (): Promise<readonly SkillCandidate[]> =>
      isRuntimeOn?.() === false
        ? []
        : [...this.#runtime.values()].map((skill) => ({ ...skill, rank: runtimeRank, locator: skill.name }));
    const get = async ({ name }: SkillCandidate): Promise<SkillDefinition | undefined> =>
      this.#runtime.get(name);
    this.#providers.set(runtimeProvider, {
      provider: { name: runtimeProvider, list, get },
      gone: new AbortController().signal,
      ofRuntime: true,
    });
  }
  /** Something that `list` would answer differently now. */
  get onChange(): Listenable<void> {
    return this.#changed;
  }

  /** @throws NacreError `already_exists` */
  registerProvider(provider: SkillProvider): Dispose {
    const { name } = provider;
    if (this.#providers.has(name))
      throw new NacreError("already_exists", `a skill provider named ${name} is registered already`);
    const gone = new AbortController();
    const registered: Registered = { provider, gone: gone.signal, ofRuntime: false };
    this.#providers.set(name, registered);
    this.invalidate();
    return () => {
      if (this.#providers.get(name) !== registered) return;
      this.#providers.delete(name);
      gone.abort(new NacreError("stopped", `the skill provider ${name} is gone`));
      this.invalidate();
    };
  }
  /** Adds a skill held in memory; a second one of a name loses and its disposer does nothing. */
  register(registration: SkillRegistration): Dispose {
    const skill = checkedDefinition(registration, registration.provider ?? runtimeProvider);
    if (this.#runtime.has(skill.name)) return () => undefined;
    this.#runtime.set(skill.name, skill);
    this.invalidate();
    return () => {
      if (this.#runtime.get(skill.name) !== skill) return;
      this.#runtime.delete(skill.name);
      this.invalidate();
    };
  }
  /** Forgets every catalog, or those of one provider. */
  invalidate(provider?: string): void {
    this.#catalogs.forget(provider);
    this.#changed.emit();
  }

  /** The winners, sorted by name. */
  async list(options: SkillLookupOptions = {}): Promise<readonly SkillSummary[]> {
    const { candidates } = await this.#collect(lookupOf(options));
    return this.#winners(candidates).map(summaryOf);
  }
  /** Every candidate, and whose are missing: who keeps a list keeps theirs. */
  async snapshot(options: SkillLookupOptions = {}): Promise<SkillSnapshot> {
    return this.#collect(lookupOf(options));
  }
  /** The winner's whole text; a plugin's skill also by its bare name. Undefined: unknown, or no longer available. */
  async get(name: string, options: SkillLookupOptions = {}): Promise<SkillDefinition | undefined> {
    const lookup = lookupOf(options);
    const all = this.#winners((await this.#collect(lookup)).candidates);
    const bare = all.filter((candidate) => candidate.name.endsWith(`:${name}`));
    const found =
      all.find((candidate) => candidate.name === name) ?? (bare.length === 1 ? bare[0] : undefined);
    return found && this.#load(found, lookup);
  }
  /** The whole text of this very one, by whoever listed it, whoever has its name. Undefined: no longer available. */
  async load(
    candidate: SkillCandidate,
    options: SkillLookupOptions = {},
  ): Promise<SkillDefinition | undefined> {
    return this.#load(candidate, lookupOf(options));
  }

  /** One file of a loaded skill, by its provider; undefined where that reads none. @throws what the provider throws */
  async file(
    skill: SkillDefinition,
    file: string,
    options: SkillLookupOptions = {},
  ): Promise<string | undefined> {
    const by = this.#providers.get(skill.provider);
    return by?.provider.file?.(skill, file, optionsFor(lookupOf(options), by.provider));
  }

  /** Best first in, sorted by name out. */
  #winners(candidates: readonly SkillCandidate[]): readonly SkillCandidate[] {
    const { byName } = winnersOf(candidates, {
      name: ({ name }) => name,
      admits: this.#admits,
      prefers: this.#prefers,
    });
    return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  async #load(candidate: SkillCandidate, lookup: Lookup): Promise<SkillDefinition | undefined> {
    const own = this.#providers.get(candidate.provider);
    const listed = this.#catalogs.listedAs(candidate) ?? (own && { original: candidate, by: own });
    if (!listed) return undefined;
    const { original, by } = listed;
    const { provider, gone } = by;
    const options = optionsFor(lookup, provider);
    const loading = (async () => provider.get(original, options))();
    const loaded = await untilAborted(untilAborted(loading, gone), options.signal).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      if (gone.aborted) return undefined;
      throw error;
    });
    if (loaded === undefined) return undefined;
    const skill = checkedDefinition(loaded, candidate.provider);
    if (skill.name !== candidate.name)
      throw new NacreError(
        "invalid_input",
        `the skill provider ${provider.name} was asked for ${candidate.name} and handed over ${skill.name}`,
      );
    return skill;
  }
  async #collect(lookup: Lookup): Promise<SkillSnapshot> {
    // Once more where something changed meanwhile, so that a caller does not get what was true before it asked.
    for (let again = true; ; again = false) {
      const { revision } = this.#catalogs;
      const asked = [...this.#providers.values()];
      const catalogs = await Promise.all(
        asked.map(async (by) => ({
          by,
          catalog: await this.#catalogs.of(by, optionsFor(lookup, by.provider)),
        })),
      );
      if (again && revision !== this.#catalogs.revision) continue;
      const here = catalogs.filter(({ by }) => !by.gone.aborted);
      return {
        // The sort is stable: equal ranks stay in provider order, then local order.
        candidates: here.flatMap(({ catalog }) => catalog.candidates).sort((a, b) => a.rank - b.rank),
        failed: here.flatMap(({ by, catalog }) => (catalog.complete ? [] : [by.provider.name])),
      };
    }
  }
}

/** The options of one lookup, frozen once: cache key, `list` and `get` of a provider see the same object. */
interface Lookup {
  readonly shared: SkillLookupOptions;
  /** With the conversation, for a provider that answers each apart. */
  readonly ofSession: SkillLookupOptions;
}
function lookupOf({ cwd, sessionId, signal }: SkillLookupOptions): Lookup {
  const shared: SkillLookupOptions = Object.freeze({
    ...(cwd === undefined ? {} : { cwd }),
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    shared,
    ofSession: sessionId === undefined ? shared : Object.freeze({ ...shared, sessionId }),
  };
}
const optionsFor = ({ shared, ofSession }: Lookup, { perSession }: SkillProvider): SkillLookupOptions =>
  perSession ? ofSession : shared;
