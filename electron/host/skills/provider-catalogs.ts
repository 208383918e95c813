import { NacreError } from "../../../shared/errors.ts";
import { untilAborted } from "../kit/abort.ts";
import type { Logger } from "../kit/log.ts";
import { checkedCandidate } from "./candidate.ts";
import type { SkillCandidate, SkillLookupOptions, SkillProvider } from "./types.ts";

/** A provider while it is registered. */
export interface Registered {
  readonly provider: SkillProvider;
  /** Aborted when it is taken away: nobody waits for it any longer. */
  readonly gone: AbortSignal;
  /** Its candidates keep the provider that they name. */
  readonly ofRuntime: boolean;
}
/** Who listed a candidate; `original` is the provider's own object. */
export interface Listed {
  readonly original: SkillCandidate;
  readonly by: Registered;
}
/** What one provider listed; `complete` is false where it could not. */
export interface ProviderCatalog {
  readonly candidates: readonly SkillCandidate[];
  readonly complete: boolean;
}
interface Discovery {
  readonly signal: AbortSignal | undefined;
  readonly catalog: Promise<ProviderCatalog>;
}
const failed: ProviderCatalog = { candidates: [], complete: false };

/**
 * What each provider lists for each folder: completed catalogs are kept, the least recently used go first; what is being
 * discovered already is shared (spec 3, Registry).
 */
export class ProviderCatalogs {
  readonly #log: Logger;
  readonly #maxEntries: () => number;
  /** Least recently used first. */
  readonly #kept = new Map<string, ProviderCatalog>();
  readonly #running = new Map<string, Discovery>();
  /** Of each copy, what it was made of. */
  readonly #copied = new WeakMap<SkillCandidate, Listed>();
  #revision = 0;

  constructor(log: Logger, maxEntries: () => number) {
    this.#log = log;
    this.#maxEntries = maxEntries;
  }
  /** Another one after each `forget`. */
  get revision(): number {
    return this.#revision;
  }
  /** Forgets every catalog, or one provider's; what is being discovered right now is kept by nobody. */
  forget(provider?: string): void {
    this.#revision++;
    for (const catalogs of [this.#kept, this.#running])
      for (const key of catalogs.keys())
        if (provider === undefined || key.endsWith(ending(provider))) catalogs.delete(key);
  }
  /** How a candidate was listed; undefined where it is the provider's own object, or none of theirs. */
  listedAs(candidate: SkillCandidate): Listed | undefined {
    return this.#copied.get(candidate);
  }
  /** @throws The signal's reason; NacreError `invalid_input` for what is no list of candidates. */
  async of(by: Registered, options: SkillLookupOptions): Promise<ProviderCatalog> {
    const { signal } = options;
    signal?.throwIfAborted();
    const key = JSON.stringify([options.cwd ?? null, options.sessionId ?? null]) + ending(by.provider.name);
    const revision = this.#revision;
    const catalog = this.#kept.get(key) ?? (await this.#discovered(key, by, options));
    signal?.throwIfAborted();
    if (catalog.complete && revision === this.#revision) this.#keep(key, catalog);
    return catalog;
  }

  /** Joins the same discovery, but never one that somebody else may abort. */
  #discovered(key: string, by: Registered, options: SkillLookupOptions): Promise<ProviderCatalog> {
    const running = this.#running.get(key);
    if (running && (running.signal === undefined || running.signal === options.signal))
      return untilAborted(running.catalog, options.signal);
    const catalog = this.#discover(by, options).finally(() => {
      if (this.#running.get(key) === discovery) this.#running.delete(key);
    });
    const discovery: Discovery = { signal: options.signal, catalog };
    this.#running.set(key, discovery);
    return catalog;
  }
  async #discover(by: Registered, options: SkillLookupOptions): Promise<ProviderCatalog> {
    const { provider, gone, ofRuntime } = by;
    let list: readonly SkillCandidate[];
    try {
      const listing = (async () => provider.list(options))();
      list = await untilAborted(untilAborted(listing, gone), options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!gone.aborted)
        this.#log.warn("a skill provider failed and is left out", {
          provider: provider.name,
          error: String(error),
        });
      return failed;
    }
    if (!Array.isArray(list))
      throw new NacreError("invalid_input", `the skill provider ${provider.name} did not hand over a list`);
    const candidates = list.map((original: SkillCandidate) => {
      const candidate = checkedCandidate(original, ofRuntime ? original.provider : provider.name);
      if (candidate !== original) this.#copied.set(candidate, { original, by });
      return candidate;
    });
    return { candidates, complete: true };
  }
  #keep(key: string, catalog: ProviderCatalog): void {
    this.#kept.delete(key);
    this.#kept.set(key, catalog);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxEntries()) break;
      this.#kept.delete(oldest);
    }
  }
}
const ending = (provider: string): string => `\n${provider}`;
