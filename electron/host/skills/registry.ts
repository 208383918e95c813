import { NacreError } from "../../../shared/errors.ts";
import { untilAborted } from "../kit/abort.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import type { Logger } from "../kit/log.ts";
import { checkedCandidate, checkedDefinition } from "./candidate.ts";
import { runtimeRank } from "./roots.ts";
import type {
  SkillCandidate,
  SkillDefinition,
  SkillLookupOptions,
  SkillProvider,
  SkillRegistration,
  SkillSummary,
} from "./types.ts";

const runtimeProvider = "runtime";

export interface SkillRegistryOptions {
  /** Completed catalogs to keep, one for each folder and provider. */
  readonly maxEntries: () => number;
  readonly log: Logger;
  /** What may win a name: false for a skill that is switched off. */
  readonly admits?: (candidate: SkillCandidate) => boolean;
}
/** One candidate and who listed it; `original` is the provider's own object. */
interface Listed {
  readonly candidate: SkillCandidate;
  readonly original: SkillCandidate;
  readonly provider: SkillProvider;
}

/** Merges the catalogs of all providers (DSH `ctx.skills`; spec 3, Registry). */
export class SkillRegistry {
  readonly #options: SkillRegistryOptions;
  readonly #providers = new Map<string, SkillProvider>();
  readonly #runtime = new Map<string, SkillDefinition>();
  /** Least recently used first. */
  readonly #cache = new Map<string, readonly Listed[]>();
  readonly #changed = new Emitter<void>();
  #revision = 0;

  constructor(options: SkillRegistryOptions) {
    this.#options = options;
    const list = async (): Promise<readonly SkillCandidate[]> =>
      [...this.#runtime.values()].map((skill) => ({ ...skill, rank: runtimeRank, locator: skill.name }));
    const get = async ({ name }: SkillCandidate): Promise<SkillDefinition | undefined> =>
      this.#runtime.get(name);
    this.#providers.set(runtimeProvider, { name: runtimeProvider, list, get });
  }
  /** Something that `list` would answer differently now. */
  get onChange(): Listenable<void> {
    return this.#changed;
  }

  /** @throws NacreError `already_exists` */
  registerProvider(provider: SkillProvider): Dispose {
    if (this.#providers.has(provider.name))
      throw new NacreError("already_exists", `a skill provider named ${provider.name} is registered already`);
    this.#providers.set(provider.name, provider);
    this.invalidate();
    return () => {
      if (this.#providers.get(provider.name) !== provider) return;
      this.#providers.delete(provider.name);
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
  /** Forgets every catalog. */
  invalidate(): void {
    this.#revision++;
    this.#cache.clear();
    this.#changed.emit();
  }

  /** The winners, sorted by name. */
  async list(options: SkillLookupOptions = {}): Promise<readonly SkillSummary[]> {
    return winners(await this.#collect(frozen(options)), this.#admits).map(({ candidate }) =>
      summaryOf(candidate),
    );
  }
  /** Every candidate, losers and switched-off ones included, best first. */
  async candidates(options: SkillLookupOptions = {}): Promise<readonly SkillCandidate[]> {
    return (await this.#collect(frozen(options))).map(({ candidate }) => candidate);
  }
  /** The winner's whole text; a plugin's skill also by its bare name. Undefined: unknown, or no longer available. */
  async get(name: string, options: SkillLookupOptions = {}): Promise<SkillDefinition | undefined> {
    const lookup = frozen(options);
    const all = winners(await this.#collect(lookup), this.#admits);
    const bare = all.filter(({ candidate }) => candidate.name.endsWith(`:${name}`));
    const listed =
      all.find(({ candidate }) => candidate.name === name) ?? (bare.length === 1 ? bare[0] : undefined);
    if (!listed) return undefined;
    const loaded = await untilAborted(listed.provider.get(listed.original, lookup), lookup.signal);
    return loaded === undefined ? undefined : checkedDefinition(loaded, listed.candidate.provider);
  }

  readonly #admits = (candidate: SkillCandidate): boolean => this.#options.admits?.(candidate) ?? true;

  async #collect(options: SkillLookupOptions): Promise<readonly Listed[]> {
    // Once more where something changed meanwhile, so that a caller does not get what was true before it asked.
    for (let again = true; ; again = false) {
      const revision = this.#revision;
      const providers = [...this.#providers.values()];
      const lists = await Promise.all(providers.map((provider) => this.#ask(provider, options)));
      // The sort is stable: equal ranks stay in provider order, then local order.
      if (revision === this.#revision || !again)
        return lists.flat().sort((a, b) => a.candidate.rank - b.candidate.rank);
    }
  }
  async #ask(provider: SkillProvider, options: SkillLookupOptions): Promise<readonly Listed[]> {
    options.signal?.throwIfAborted();
    const key = JSON.stringify([options.cwd ?? null, provider.name]);
    const cached = this.#cache.get(key);
    const revision = this.#revision;
    const listed = cached ?? (await this.#discover(provider, options));
    options.signal?.throwIfAborted();
    if (listed === undefined) return [];
    if (revision === this.#revision) this.#remember(key, listed);
    return listed;
  }
  /** Undefined where the provider failed; a malformed candidate throws. */
  async #discover(
    provider: SkillProvider,
    options: SkillLookupOptions,
  ): Promise<readonly Listed[] | undefined> {
    let list: readonly SkillCandidate[];
    try {
      list = await untilAborted(provider.list(options), options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      this.#options.log.warn("a skill provider failed and is left out", {
        provider: provider.name,
        error: String(error),
      });
      return undefined;
    }
    if (!Array.isArray(list))
      throw new NacreError("invalid_input", `the skill provider ${provider.name} did not hand over a list`);
    return list.map((original: SkillCandidate) => {
      const of = provider.name === runtimeProvider ? original.provider : provider.name;
      return { candidate: checkedCandidate(original, of), original, provider };
    });
  }
  #remember(key: string, listed: readonly Listed[]): void {
    this.#cache.delete(key);
    this.#cache.set(key, listed);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= this.#options.maxEntries()) break;
      this.#cache.delete(oldest);
    }
  }
}

const frozen = ({ cwd, signal }: SkillLookupOptions): SkillLookupOptions =>
  Object.freeze({ ...(cwd === undefined ? {} : { cwd }), ...(signal === undefined ? {} : { signal }) });

/** Best first in, sorted by name out. */
function winners(
  listed: readonly Listed[],
  admits: (candidate: SkillCandidate) => boolean,
): readonly Listed[] {
  const byName = new Map<string, Listed>();
  for (const entry of listed)
    if (!byName.has(entry.candidate.name) && admits(entry.candidate)) byName.set(entry.candidate.name, entry);
  return [...byName.values()].sort((a, b) => (a.candidate.name < b.candidate.name ? -1 : 1));
}
function summaryOf(candidate: SkillCandidate): SkillSummary {
  const {
    rank: _rank,
    locator: _locator,
    path: _path,
    metadata: _metadata,
    needs: _needs,
    ...summary
  } = candidate;
  return Object.freeze(summary);
}
