import path from "node:path";
import { findProjectRoot } from "../config/project-root.ts";
import type { AppPaths, Settings } from "../config/types.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { FileIndex } from "../kit/file-index.ts";
import { sha256 } from "../kit/files.ts";
import type { Logger } from "../kit/log.ts";
import type { Rule } from "../config/permission.ts";
import { entryOf } from "./entries.ts";
import { isSkillHead, type SkillHead } from "./head.ts";
import { createLocalProvider, type LocalProvider } from "./local.ts";
import { SkillRegistry } from "./registry.ts";
import { admits, resolveSkills, type ResolvedSkill, type SkillEntry } from "./resolve.ts";
import { pluginRoot, rootSwitch, tableRoots, type PluginSkillRoot, type SkillRoot } from "./roots.ts";

/** The part of the switch store that this room needs; a change names the ids. */
export interface SkillSwitches {
  isOn(id: string, fallback?: boolean): boolean;
  set(id: string, on: boolean, scope?: "user" | "workspace"): Promise<void>;
  readonly onChange: Listenable<ReadonlySet<string>>;
}
export interface SkillsOptions {
  /** Real path. */
  readonly workspace: string;
  readonly projectRoot: string;
  readonly paths: AppPaths;
  readonly settings: () => Settings["skills"];
  readonly switches: SkillSwitches;
  /** Joined as spec 2 says; with a role, the role's own last. */
  readonly rules: (role?: string) => readonly Rule[];
  /** Whether the workspace is trusted: marks its skills, withholds none. */
  readonly trusted: () => boolean;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** All skills of one workspace as they were found last: what every list, count and catalog is made of. */
export class SkillCollection {
  readonly registry: SkillRegistry;
  readonly local: LocalProvider;
  /** Listens to the switches no more. */
  readonly stop: Dispose;
  readonly #options: SkillsOptions;
  readonly #index: FileIndex<SkillHead>;
  readonly #plugins = new Set<PluginSkillRoot>();
  readonly #changed = new Emitter<void>();
  /** Best first, those that do not load last. */
  #entries: readonly SkillEntry[] = [];
  /** The last answer of `resolve`, while files and switches stay as they are. */
  #resolved: { readonly rules: readonly Rule[]; readonly skills: readonly ResolvedSkill[] } | undefined;
  #started = false;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: SkillsOptions) {
    this.#options = options;
    const { workspace, settings, log, paths, switches } = options;
    this.#index = new FileIndex({
      // One a workspace, so that a start reads no more than it needs.
      file: path.join(paths.cache, "skills", `${sha256(workspace).slice(0, 16)}.json`),
      version: `${__NACRE_VERSION__}/1`,
      isValue: isSkillHead,
      clock: options.clock ?? systemClock,
    });
    this.local = createLocalProvider({
      workspace,
      index: this.#index,
      strict: () => settings().strict,
      roots: (cwd) => this.roots(cwd),
      onStale: () => this.registry.invalidate(),
    });
    this.registry = new SkillRegistry({
      log,
      maxEntries: () => settings().collectCacheMaxEntries,
      admits: (candidate) => admits(entryOf(candidate), this.isOn),
    });
    this.registry.registerProvider(this.local);
    this.registry.onChange.on(() => {
      if (!this.#started) return;
      this.#refresh().catch((error: unknown) => {
        log.error("the skills could not be listed; the last list stays", { error: String(error) });
      });
    });
    this.stop = switches.onChange.on((ids) => {
      if ([...ids].some((id) => id.startsWith(rootSwitch("")))) this.registry.invalidate();
      else this.#tell();
    });
  }
  get onChange(): Listenable<void> {
    return this.#changed;
  }
  readonly isOn = (id: string): boolean => this.#options.switches.isOn(id);
  /** All skills with their states by these rules, best first. */
  readonly resolve = (rules: readonly Rule[]): readonly ResolvedSkill[] => {
    const known = this.#resolved;
    if (
      known &&
      known.rules.length === rules.length &&
      known.rules.every((rule, index) => rule === rules[index])
    )
      return known.skills;
    const skills = resolveSkills(this.#entries, this.isOn, rules);
    this.#resolved = { rules, skills };
    return skills;
  };

  /** Where skills of a working directory may lie, best rank first. */
  roots(cwd: string): readonly SkillRoot[] {
    return this.table(cwd).filter(
      ({ source, plugin }) => plugin !== undefined || this.#options.switches.isOn(rootSwitch(source)),
    );
  }
  /** The same with those that are switched off. */
  table(cwd: string): readonly SkillRoot[] {
    const { workspace, projectRoot, paths } = this.#options;
    const root = cwd === workspace ? projectRoot : findProjectRoot(cwd);
    const levels = new Map<string, number>();
    const plugins = [...this.#plugins].map((added) => {
      const level = levels.get(added.plugin) ?? 0;
      levels.set(added.plugin, level + 1);
      return pluginRoot(added, level);
    });
    return [...tableRoots({ cwd, projectRoot: root, paths }), ...plugins];
  }
  addRoot(root: PluginSkillRoot): Dispose {
    this.#plugins.add(root);
    this.registry.invalidate();
    return () => {
      if (this.#plugins.delete(root)) this.registry.invalidate();
    };
  }
  /** Looks at every folder again. */
  async reload(): Promise<void> {
    this.#started = true;
    this.registry.invalidate();
    await this.#running;
  }
  /** Resolves when a look at the folders that is under way has ended, however it ends. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {
      // Logged where it was started; who waits only wants to know that nothing changes right now.
    });
  }
  saveIndex(): Promise<void> {
    return this.#index.save(new Set(this.local.latest().skills.map(({ found }) => found.path)));
  }

  #refresh(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#collect();
    return this.#running;
  }
  async #collect(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        const candidates = await this.registry.candidates({ cwd: this.#options.workspace });
        const invalid = this.local.latest().skills.filter(({ skill }) => skill === null);
        this.#entries = [...candidates.map(entryOf), ...invalid.map(({ entry }) => entry)];
      }
    } finally {
      // Before anybody hears of it: who changes something then starts a collection of its own.
      this.#running = undefined;
    }
    this.#tell();
  }
  #tell(): void {
    this.#resolved = undefined;
    this.#changed.emit();
  }
}
