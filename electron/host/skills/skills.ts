import path from "node:path";
import { contributionId, type Contribution } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { Dispose } from "../kit/disposable.ts";
import type { Listenable } from "../kit/emitter.ts";
import { isInside } from "../kit/files.ts";
import type { WatchedFolder } from "../kit/watch.ts";
import type { Rule } from "../config/permission.ts";
import type { CommandFallback, SlashCommand } from "../tools/commands.ts";
import type { Tool } from "../tools/types.ts";
import { SkillsByHand, type SkillUseSource } from "./by-hand.ts";
import type { Catalog } from "./catalog.ts";
import { SkillCollection, type SkillsOptions } from "./collection.ts";
import { skillCommands, skillFallback } from "./commands.ts";
import type { SkillsLook } from "./look.ts";
import type { SkillRegistry } from "./registry.ts";
import { SkillOffers, type SkillOffer } from "./offer.ts";
import { SkillReader } from "./reader.ts";
import { skillRow, type ResolvedSkill } from "./resolve.ts";
import type { PluginSkillRoot } from "./roots.ts";
import type { SessionSkills } from "./session-skills.ts";
import type { RootScan } from "./scan.ts";
import { watchedFolders } from "./watched.ts";

export interface SkillRoomOptions extends SkillsOptions {
  /** What a person's use of a skill asks of the host. */
  readonly use: SkillUseSource;
}
/** The skills of one workspace. Empty until the first `reload`. */
export interface Skills {
  readonly registry: SkillRegistry;
  /** Those that conversations hold in memory. */
  readonly sessions: SessionSkills;
  /** Loads them. */
  readonly reader: SkillReader;
  /** Sorted by name, the winner of a name first. */
  rows(): readonly SkillRow[];
  /** Some of the rows, made for this call: thousands are not made at once while a window waits. */
  rowsBetween(from: number, until: number): readonly SkillRow[];
  /** For the inventory of the plugin that brings them; `owner` as in `addRoot`. */
  contributions(owner: string): readonly Contribution[];
  /** What the model sees, for a role by its rules. */
  catalog(role?: string): Catalog;
  /** Catalog and tool for one model, by the rules that hold for it; in a conversation with that one's own skills. */
  offer(rules: readonly Rule[], sessionId?: string): SkillOffer;
  /** Undefined where there is no skill that a model may be offered, whatever the rules. */
  readonly tool: Tool | undefined;
  /** How a person uses them. */
  readonly use: SkillsByHand;
  readonly commands: readonly SlashCommand[];
  /** `/NAME` */
  readonly commandFallback: CommandFallback;
  /** A plugin's folder of skills; seen with the next `reload`, or soon after where one was done. */
  addRoot(root: PluginSkillRoot): Dispose;
  /** Looks at every folder again. Resolves when rows, catalog and tool tell what was found. */
  reload(): Promise<void>;
  /** Resolves when what `addRoot` and its disposer brought about can be seen. */
  settled(): Promise<void>;
  /** An ambiguous name is the winner. @throws NacreError `not_found` */
  setEnabled(name: string, enabled: boolean, source?: string): Promise<SkillRow>;
  diagnostics(): readonly Diagnostic[];
  /** What was found last, with states by the rules that hold (for a role, its own last): for who manages or explains it. */
  look(role?: string): SkillsLook;
  /** Real paths outside the workspace that may be read without asking: the folders of skills that are on. */
  readableFolders(): readonly string[];
  /** Empty until the folders were looked at; another list only after another look. */
  watchedFolders(): readonly WatchedFolder[];
  /** When the look at the folders that is known began, ms since the epoch. */
  lookedAt(): number;
  readonly onChange: Listenable<void>;
  /** Listens to nothing any more. */
  stop(): void;
  /** Keeps what was parsed for the next start; call it when nothing is waited for. @throws NacreError `io` */
  saveIndex(): Promise<void>;
}

export const createSkills = (options: SkillRoomOptions): Skills => new SkillRoom(options);

function byName({ entry: a }: ResolvedSkill, { entry: b }: ResolvedSkill): number {
  const [one, other] = [a.name, b.name];
  return one === other ? 0 : one < other ? -1 : 1;
}

class SkillRoom implements Skills {
  readonly registry: SkillRegistry;
  readonly sessions: SessionSkills;
  readonly reader: SkillReader;
  readonly use: SkillsByHand;
  readonly commands: readonly SlashCommand[];
  readonly commandFallback: CommandFallback;
  readonly onChange: Listenable<void>;
  readonly #options: SkillRoomOptions;
  readonly #skills: SkillCollection;
  readonly #offers: SkillOffers;
  #sorted:
    | { readonly resolved: readonly ResolvedSkill[]; readonly skills: readonly ResolvedSkill[] }
    | undefined;
  #rows:
    | {
        readonly resolved: readonly ResolvedSkill[];
        readonly trusted: boolean;
        readonly rows: readonly SkillRow[];
      }
    | undefined;
  #watched: { readonly roots: readonly RootScan[]; readonly folders: readonly WatchedFolder[] } | undefined;
  /** Asked for with every call that reads. */
  #readable: { readonly resolved: readonly ResolvedSkill[]; readonly folders: readonly string[] } | undefined;

  constructor(options: SkillRoomOptions) {
    this.#options = options;
    this.#skills = new SkillCollection(options);
    this.registry = this.#skills.registry;
    this.onChange = this.#skills.onChange;
    this.sessions = this.#skills.sessions;
    const { files, workspace, settings } = options;
    const { resolve } = this.#skills;
    const reader = new SkillReader({
      collection: this.#skills,
      files,
      workspace,
      rules: () => options.rules(),
      listsFiles: () => settings().resourceListing === "files",
    });
    this.reader = reader;
    this.#offers = new SkillOffers({ reader, resolve, settings });
    this.use = new SkillsByHand({
      resolve,
      load: (entry, signal) => reader.load(entry, signal),
      content: (skill) => reader.content(skill),
      trusted: options.trusted,
      source: options.use,
    });
    this.commands = skillCommands(this);
    this.commandFallback = skillFallback(this);
  }
  get tool(): Tool | undefined {
    return this.#skills.hasOffers() ? this.#offers.tool : undefined;
  }
  rows(): readonly SkillRow[] {
    const resolved = this.#resolved();
    const trusted = this.#options.trusted();
    if (this.#rows?.resolved === resolved && this.#rows.trusted === trusted) return this.#rows.rows;
    const rows = this.#byName().map((skill) => skillRow(skill, trusted));
    this.#rows = { resolved, trusted, rows };
    return rows;
  }
  rowsBetween(from: number, until: number): readonly SkillRow[] {
    const trusted = this.#options.trusted();
    return this.#byName()
      .slice(from, until)
      .map((skill) => skillRow(skill, trusted));
  }
  #byName(): readonly ResolvedSkill[] {
    const resolved = this.#resolved();
    if (this.#sorted?.resolved !== resolved) this.#sorted = { resolved, skills: resolved.toSorted(byName) };
    return this.#sorted.skills;
  }
  contributions(owner: string): readonly Contribution[] {
    const own = contributionId("skill", owner, "");
    return this.#byName()
      .filter(({ entry }) => entry.id.startsWith(own))
      .map(({ entry, state }) => ({
        id: entry.id,
        kind: "skill",
        name: entry.name,
        origin: entry.source,
        scope: "plugin",
        state,
        enabled: this.#skills.isOn(entry.id),
        diagnostics: entry.diagnostics,
      }));
  }
  catalog(role?: string): Catalog {
    return this.offer(this.#options.rules(role)).catalog;
  }
  offer(rules: readonly Rule[], sessionId?: string): SkillOffer {
    return this.#offers.of(rules, sessionId);
  }
  addRoot(root: PluginSkillRoot): Dispose {
    return this.#skills.addRoot(root);
  }
  reload(): Promise<void> {
    return this.#skills.reload();
  }
  settled(): Promise<void> {
    return this.#skills.settled();
  }
  async setEnabled(name: string, enabled: boolean, source?: string): Promise<SkillRow> {
    const { entry } = this.reader.find(name, source);
    const scope = entry.scope === "workspace" ? "workspace" : "user";
    if (!this.sessions.setEnabled(entry.id, enabled))
      await this.#options.switches.set(entry.id, enabled, scope);
    const changed = this.#resolved().find((other) => other.entry.id === entry.id);
    if (!changed) throw new NacreError("not_found", `the skill ${name} is no longer available`);
    return skillRow(changed, this.#options.trusted());
  }
  diagnostics(): readonly Diagnostic[] {
    const { roots, skills } = this.#skills.local.latest();
    return [
      ...roots.flatMap((root) => root.diagnostics),
      ...skills.flatMap(({ entry }) => entry.diagnostics),
    ];
  }
  look(role?: string): SkillsLook {
    const { roots: scans, skills: files } = this.#skills.local.latest();
    const resolved = this.#skills.resolve(this.#options.rules(role));
    return { resolved, files, scans, roots: this.#skills.table() };
  }
  readableFolders(): readonly string[] {
    const resolved = this.#resolved();
    if (this.#readable?.resolved === resolved) return this.#readable.folders;
    const on = new Set(resolved.flatMap(({ entry, state }) => (state === "on" ? [entry] : [])));
    const { workspace } = this.#options;
    // The plain comparison answers for nearly all of them, and there may be thousands.
    const isHere = (real: string): boolean =>
      real.startsWith(workspace + path.sep) || isInside(workspace, real);
    const folders = this.#skills.local
      .latest()
      .skills.flatMap(({ entry, found }) => (on.has(entry) && !isHere(found.real) ? [found.real] : []));
    this.#readable = { resolved, folders };
    return folders;
  }
  watchedFolders(): readonly WatchedFolder[] {
    const { roots } = this.#skills.local.latest();
    if (this.#watched?.roots !== roots) this.#watched = { roots, folders: watchedFolders(roots) };
    return this.#watched.folders;
  }
  lookedAt(): number {
    return this.#skills.local.latest().began;
  }
  saveIndex(): Promise<void> {
    return this.#skills.saveIndex();
  }

  stop(): void {
    void this.#skills.stop();
  }

  #resolved(): readonly ResolvedSkill[] {
    return this.#skills.resolve(this.#options.rules());
  }
}
