import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AppPaths, Settings } from "../config/types.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { FileIndex } from "../kit/file-index.ts";
import { sha256 } from "../kit/files.ts";
import type { Logger } from "../kit/log.ts";
import type { Rule } from "../config/permission.ts";
import { entryOf } from "./entries.ts";
import type { SkillHead } from "./head.ts";
import { headForm } from "./head-form.ts";
import type { SkillFiles } from "./files.ts";
import { createLocalProvider, type LocalProvider } from "./local.ts";
import { SkillRegistry, type SkillSnapshot } from "./registry.ts";
import {
  admits,
  pinSwitch,
  resolveSkills,
  type ResolvedSkill,
  type SkillChoices,
  type SkillEntry,
} from "./resolve.ts";
import { SessionSkills } from "./session-skills.ts";
import type { SkillCandidate } from "./types.ts";
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
  readonly paths: AppPaths;
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the app's own skills. */
  readonly bundled?: string | undefined;
  /** Where skill files are read: this machine, or the one of a remote workspace. */
  readonly files: SkillFiles;
  /** False on the command line, where nobody waits for the thread; true where absent. */
  readonly yields?: boolean;
  readonly settings: () => Settings["skills"];
  readonly switches: SkillSwitches;
  /** Joined as spec 2 says; with a role, the role's own last. */
  readonly rules: (role?: string) => readonly Rule[];
  /** Whether the workspace is trusted: marks its skills, withholds none. */
  readonly trusted: () => boolean;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Answers of `resolve` that are kept: a turn asks by its role's rules, a list by those of the workspace. */
const mostAnswers = 4;

/** All skills of one workspace as they were found last: what every list, count and catalog is made of. */
export class SkillCollection {
  readonly registry: SkillRegistry;
  readonly local: LocalProvider;
  readonly sessions: SessionSkills;
  /** Listens to the switches no more. */
  readonly stop: Dispose;
  readonly #options: SkillsOptions;
  readonly #index: FileIndex<SkillHead>;
  readonly #plugins = new Set<PluginSkillRoot>();
  readonly #changed = new Emitter<void>();
  #candidates: readonly SkillCandidate[] = [];
  /** Best first, those that do not load last. */
  #entries: readonly SkillEntry[] = [];
  /** The last answers of `resolve`, newest first, while files and switches stay as they are. */
  #resolved: readonly {
    readonly rules: readonly Rule[];
    readonly sessionId: string | undefined;
    readonly skills: readonly ResolvedSkill[];
  }[] = [];
  #started = false;
  #wasListed = false;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: SkillsOptions) {
    this.#options = options;
    const { workspace, settings, log, paths, switches } = options;
    this.#index = new FileIndex({
      // One a workspace, so that a start reads no more than it needs.
      file: path.join(paths.cache, "skills", `${sha256(workspace).slice(0, 16)}.json`),
      version: `${__NACRE_VERSION__}/8`,
      form: headForm,
      clock: options.clock ?? systemClock,
    });
    this.local = createLocalProvider({
      workspace,
      files: options.files,
      yields: options.yields ?? true,
      index: this.#index,
      strict: () => settings().strict,
      roots: (cwd, projectRoot) => this.#roots(cwd, projectRoot).filter(this.#isLookedInto),
      onStale: () => this.registry.invalidate(),
    });
    this.registry = new SkillRegistry({
      log,
      maxEntries: () => settings().collectCacheMaxEntries,
      isRuntimeOn: () => this.isOn(rootSwitch("runtime")),
      admits: (candidate) => admits(entryOf(candidate), this.isOn),
      prefers: (candidate) => this.#choices.isPinned(entryOf(candidate).id),
    });
    this.sessions = new SessionSkills({
      strict: () => settings().strict,
      isOn: () => this.isOn(rootSwitch("session")),
    });
    this.registry.registerProvider(this.sessions);
    this.registry.registerProvider(this.local);
    this.sessions.onChange.on(() => {
      // Seen at once, told of when the others were asked again, which have it all at hand.
      this.#resolved = [];
      this.registry.invalidate(this.sessions.name);
    });
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
  readonly #choices: SkillChoices = {
    isOn: this.isOn,
    isPinned: (id) => this.#options.switches.isOn(pinSwitch(id), false),
  };
  /** All skills with their states by these rules, best first; as that conversation sees them, or all of them. */
  readonly resolve = (rules: readonly Rule[], asking?: string): readonly ResolvedSkill[] => {
    const ofSessions = this.sessions.all();
    // Where no conversation has any, all of them see the same.
    const sessionId = ofSessions.length === 0 ? undefined : asking;
    const known = this.#resolved.find(
      (answer) =>
        answer.sessionId === sessionId &&
        answer.rules.length === rules.length &&
        answer.rules.every((rule, index) => rule === rules[index]),
    );
    if (known) return known.skills;
    const entries = this.#all(ofSessions);
    const skills = resolveSkills(entries, this.#choices, rules, sessionId);
    this.#resolved = [{ rules, sessionId, skills }, ...this.#resolved.slice(0, mostAnswers - 1)];
    return skills;
  };

  /** Whether there is one that a model may be offered, whatever the rules and whoever wins its name. */
  hasOffers(): boolean {
    return this.#all(this.sessions.all()).some((entry) => !entry.hiddenFromModel && admits(entry, this.isOn));
  }
  #all(ofSessions: ReturnType<SessionSkills["all"]>): readonly SkillEntry[] {
    return ofSessions.length === 0
      ? this.#entries
      : [...ofSessions.map(({ entry }) => entry), ...this.#entries];
  }

  /** Where skills of the workspace may lie, best rank first; also what is switched off. */
  table(): readonly SkillRoot[] {
    return this.#roots(this.#options.workspace, this.local.latest().projectRoot);
  }
  readonly #isLookedInto = ({ source }: SkillRoot): boolean => this.isOn(rootSwitch(source));
  #roots(cwd: string, projectRoot: string): readonly SkillRoot[] {
    const { workspace, paths, env, bundled, settings } = this.#options;
    const levels = new Map<string, number>();
    const plugins = [...this.#plugins].map((added) => {
      const level = levels.get(added.plugin) ?? 0;
      levels.set(added.plugin, level + 1);
      return pluginRoot(added, level);
    });
    const where = { cwd, projectRoot, workspace, paths, env, bundled, settings: settings() };
    return [...tableRoots(where), ...plugins];
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
  async saveIndex(): Promise<void> {
    // Before the first look has ended nothing says which files are still there.
    if (this.#wasListed)
      await this.#index.save(new Set(this.local.latest().skills.map(({ found }) => found.path)));
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
        const now = await this.registry.snapshot({ cwd: this.#options.workspace });
        if (this.#options.yields !== false) await nextTurn();
        const candidates = withLastGood(now, this.#candidates);
        this.#candidates = candidates;
        const invalid = this.local.latest().skills.filter(({ valid }) => !valid);
        this.#wasListed = true;
        this.#entries = [...candidates.map(entryOf), ...invalid.map(({ entry }) => entry)];
      }
    } finally {
      // Before anybody hears of it: who changes something then starts a collection of its own.
      this.#running = undefined;
    }
    this.#tell();
  }
  #tell(): void {
    this.#resolved = [];
    this.#changed.emit();
  }
}

/** Of a provider that could not list, what it listed last stands (DSH: consumers keep the last good catalog). */
function withLastGood(
  { candidates, failed }: SkillSnapshot,
  before: readonly SkillCandidate[],
): readonly SkillCandidate[] {
  if (failed.length === 0) return candidates;
  const kept = before.filter(({ provider }) => failed.includes(provider));
  return [...candidates, ...kept].sort((a, b) => a.rank - b.rank);
}
