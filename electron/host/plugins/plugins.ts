import path from "node:path";
import type { Contribution } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { PluginRow, PluginState } from "../../../shared/extension-rows.ts";
import type { DeclaredRun } from "../../../shared/workspace.ts";
import { canonicalJson } from "../../../shared/json.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { declaredSettings } from "../policy/declaration-changes.ts";
import type { Fingerprint } from "../policy/digest.ts";
import type { SlashCommand } from "../tools/commands.ts";
import type { Tool } from "../tools/types.ts";
import { pluginCommands } from "./commands.ts";
import { argumentVector, createExecTool } from "./exec-tool.ts";
import {
  digestNow,
  findPlugins,
  fingerprintNow,
  serverId,
  toolId,
  type FoundPlugin,
  type Inventory,
  type PluginDigest,
} from "./inventory.ts";
import type { PluginManifest } from "./manifest.ts";
import type { PluginsOptions } from "./options.ts";
import { pluginRoots } from "./roots.ts";
import { pluginStates } from "./states.ts";

interface Loaded {
  readonly key: string;
  readonly problems: readonly Diagnostic[];
  readonly disposes: readonly Dispose[];
}

/** The plugins of one workspace: what they bring goes to the registries that the host passed in. */
export class Plugins {
  readonly commands: readonly SlashCommand[];
  readonly #options: PluginsOptions;
  readonly #changed = new Emitter<void>();
  readonly onChange: Listenable<void> = this.#changed;
  readonly #loaded = new Map<string, Loaded>();
  #found: Inventory = { plugins: [], folders: [], diagnostics: [] };
  #listening: Dispose[] = [];
  #turn: Promise<void> = Promise.resolve();

  constructor(options: PluginsOptions) {
    this.#options = options;
    this.commands = pluginCommands(this, options);
  }
  /** Reads every plugin and loads those that are on. A program of theirs runs when its tool is called. */
  async start(): Promise<void> {
    const { trust, switches } = this.#options;
    const again = (): void => void this.#inTurn(() => this.#load());
    if (this.#listening.length === 0)
      this.#listening = [trust.onChange.on(again), switches.onChange.on(again)];
    await this.reload();
  }
  /** Looks at every folder again; only what changed is loaded anew. */
  reload(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#options.installed.reload();
      this.#found = findPlugins(this.#options.workspace, this.#options.paths);
      await this.#load();
    });
  }
  async stop(): Promise<void> {
    for (const stop of this.#listening) await stop();
    this.#listening = [];
    await this.#inTurn(async () => {
      for (const id of this.#loaded.keys()) await this.#unload(id);
    });
  }
  rows(): readonly PluginRow[] {
    return [...this.#states()].map(([plugin, state]) => this.#row(plugin, state));
  }
  /**
   * Switches the best of a name, or one contribution of it by its id. Resolves when that is loaded or gone.
   * @throws NacreError `not_found`
   */
  async setEnabled(name: string, enabled: boolean, contribution?: string): Promise<PluginRow> {
    const plugin = this.#found.plugins.find((one) => one.manifest.name === name || one.owner === name);
    if (!plugin) throw new NacreError("not_found", `there is no plugin ${name}; /plugins lists them`);
    const known = this.#contributions(plugin, "on").map(({ id }) => id);
    if (contribution !== undefined && !known.includes(contribution))
      throw new NacreError(
        "not_found",
        `${name} brings no ${contribution}; it brings ${known.join(", ") || "nothing"}`,
      );
    await this.#options.switches.set(contribution ?? plugin.id, enabled, plugin.scope);
    await this.#inTurn(() => this.#load());
    return this.#row(plugin, this.#states().get(plugin) ?? "off");
  }
  /** Of the plugin with this id, or that brings what has it; undefined where none does. */
  scopeOf(id: string): "user" | "workspace" | undefined {
    return this.#found.plugins.find(
      (plugin) => plugin.id === id || this.#contributions(plugin, "on").some((one) => one.id === id),
    )?.scope;
  }
  diagnostics(): readonly Diagnostic[] {
    return [...this.#found.diagnostics, ...this.rows().flatMap(({ diagnostics }) => diagnostics)];
  }
  /**
   * What trust is asked about, with everything that it could run: each plugin of the workspace, and those of the user's
   * that wait because they have changed since they were installed.
   * @param now false: its files as they were when they were last looked at, which costs nothing
   */
  declarations(now = true): readonly {
    id: string;
    name: string;
    path: string;
    /** What each of its tools and servers starts, and what else is said of it. */
    runs: readonly DeclaredRun[];
    scope: "user" | "workspace";
    /** @throws NacreError for a file that cannot be read */
    fingerprintNow: () => Fingerprint;
  }[] {
    const { trust, workspace } = this.#options;
    return this.#found.plugins.flatMap((plugin) => {
      const { id, manifest, folder, scope, servers } = plugin;
      if (
        !manifest.valid ||
        (scope === "user" && this.#trustOf(plugin, () => plugin.digest()) === "approved")
      )
        return [];
      // What cannot be read is invalid, and its diagnostic says why.
      if ((scope === "user" || trust.isTrusted()) && !plugin.digest().ok) return [];
      const runs = [
        ...manifest.tools.map(({ name, command, perm }) => ({
          what: name,
          command: argumentVector(command, folder),
          settings: [{ name: "perm", value: perm }],
        })),
        ...servers.map(({ name, raw, config: { command, args, url } }) => ({
          what: name,
          command: command === undefined ? [url ?? ""] : [command, ...args],
          settings: declaredSettings(raw, ["command", "args", "url"]),
        })),
      ];
      const take = (): Fingerprint => {
        const known = now ? undefined : plugin.digest();
        return known?.ok ? known.fingerprint : fingerprintNow(plugin, workspace);
      };
      return [{ id, name: manifest.name, path: folder, runs, scope, fingerprintNow: take }];
    });
  }
  /** What trust says of the plugin that brings a server, by the server's owner, right before it starts. */
  serverState(owner: string): "untrusted" | "needs_approval" | "approved" {
    const plugin = this.#found.plugins.find((one) => one.owner === owner);
    // One that is gone answers for nothing any more.
    return plugin ? this.#stateNow(plugin) : "needs_approval";
  }
  watchedFolders(): readonly string[] {
    const roots = pluginRoots(this.#options.workspace, this.#options.paths).map(({ folder }) => folder);
    const { folders, plugins } = this.#found;
    return [...roots, ...folders, ...plugins.map(({ manifest }) => path.dirname(manifest.file))];
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#turn.then(work);
    this.#turn = next.catch((error: unknown) =>
      this.#options.log.error("plugins could not be loaded", { error: toErrorValue(error).message }),
    );
    return next;
  }
  #states(): ReadonlyMap<FoundPlugin, PluginState> {
    const { switches } = this.#options;
    return pluginStates(this.#found.plugins, {
      isOn: (id) => switches.isOn(id),
      isAsked: (plugin) => this.#isAsked(plugin),
      stateOf: (plugin) => this.#trustOf(plugin, () => plugin.digest()),
    });
  }
  async #load(): Promise<void> {
    const wanted = new Map(
      [...this.#states()].map(([plugin, state]) => [
        plugin.id,
        { plugin, state, key: this.#keyOf(plugin, state) },
      ]),
    );
    for (const [id, { key }] of this.#loaded) if (wanted.get(id)?.key !== key) await this.#unload(id);
    for (const [id, { plugin, state, key }] of wanted)
      if (!this.#loaded.has(id)) this.#loaded.set(id, { key, ...this.#connect(plugin, state) });
    await this.#options.sinks.skillsSettled?.();
    this.#changed.emit();
  }
  /** Everything that decides what of a plugin is loaded. */
  #keyOf(plugin: FoundPlugin, state: PluginState): string {
    const { switches } = this.#options;
    const { manifest, folder, servers } = plugin;
    const digest = this.#isAsked(plugin) && state === "on" ? plugin.digest() : null;
    const content = digest?.ok ? digest.fingerprint.digest : null;
    return canonicalJson([
      state,
      folder,
      manifest.raw,
      content,
      servers.map(({ name, raw }) => [name, raw]),
      manifest.skills,
      manifest.tools.map(({ name }) => switches.isOn(toolId(plugin, name))),
    ]);
  }
  #connect(plugin: FoundPlugin, state: PluginState): Omit<Loaded, "key"> {
    const { sinks, switches } = this.#options;
    const { manifest, servers, owner } = plugin;
    const problems: Diagnostic[] = [];
    const disposes: Dispose[] = [];
    const waits = state === "untrusted" || state === "needs_approval";
    if (state !== "invalid" && state !== "shadowed")
      for (const { path: folder, single } of manifest.skills)
        disposes.push(
          sinks.addSkillRoot({
            plugin: manifest.name,
            owner,
            path: folder,
            trusted: !waits,
            enabled: waits || state === "on",
            ...(single ? { single } : {}),
          }),
        );
    if (state !== "on") return { problems, disposes };
    for (const declaration of manifest.tools) {
      if (!switches.isOn(toolId(plugin, declaration.name))) continue;
      try {
        disposes.push(sinks.addTool(this.#tool(plugin, declaration)));
      } catch (error) {
        const { code, message } = toErrorValue(error);
        if (code !== "already_exists") throw error;
        problems.push({
          code: "plugin-tool-clash",
          severity: "error",
          message,
          path: manifest.file,
          fix: "rename the tool, or switch off what has the name",
        });
      }
    }
    if (servers.length > 0) disposes.push(sinks.addMcp(servers));
    return { problems, disposes };
  }
  #tool(plugin: FoundPlugin, declaration: PluginManifest["tools"][number]): Tool {
    const { environment, sandbox } = this.#options;
    const { manifest, folder, owner } = plugin;
    return createExecTool({
      plugin: owner,
      folder,
      declaration,
      environment,
      sandbox,
      assertApproved: () => {
        if (this.#stateNow(plugin) === "approved") return;
        throw new NacreError(
          "not_trusted",
          `the plugin ${manifest.name} has changed since it was ${plugin.scope === "user" ? "installed" : "approved"}: look at it and approve it (/plugins trust)`,
        );
      },
    });
  }
  /** Of the files at this moment: right before something of it starts. */
  #stateNow(plugin: FoundPlugin): "untrusted" | "needs_approval" | "approved" {
    return this.#trustOf(plugin, () => digestNow(plugin, this.#options.workspace));
  }
  #isAsked({ scope, folder }: FoundPlugin): boolean {
    return scope === "workspace" || this.#options.installed.has(folder);
  }
  #trustOf(plugin: FoundPlugin, take: () => PluginDigest): "untrusted" | "needs_approval" | "approved" {
    const { trust, installed } = this.#options;
    if (!this.#isAsked(plugin)) return "approved";
    // An untrusted folder is not read file by file only to say that it waits.
    if (plugin.scope === "workspace" && !trust.isTrusted()) return "untrusted";
    const digest = take();
    if (!digest.ok) return "needs_approval";
    const { fingerprint } = digest;
    return plugin.scope === "workspace"
      ? trust.stateOf({ id: plugin.id, digest: fingerprint.digest })
      : installed.stateOf(plugin.folder, fingerprint);
  }
  async #unload(id: string): Promise<void> {
    const loaded = this.#loaded.get(id);
    this.#loaded.delete(id);
    for (const dispose of loaded?.disposes ?? []) await dispose();
  }
  #row(plugin: FoundPlugin, state: PluginState): PluginRow {
    const { manifest, folder, scope, problems, id } = plugin;
    const { permissions, publisher, trustClaim } = manifest;
    const digest =
      this.#isAsked(plugin) && state === "invalid" && manifest.valid ? plugin.digest() : undefined;
    return {
      name: manifest.name,
      version: manifest.version,
      description: manifest.description,
      scope,
      manifest: manifest.kind,
      path: folder,
      state,
      trust: trustClaim ?? "unverified",
      ...(publisher === undefined ? {} : { publisher }),
      ...(permissions === undefined ? {} : { permissions }),
      compatibility: manifest.compatibility,
      contributions: this.#contributions(plugin, state),
      diagnostics: [
        ...manifest.diagnostics,
        ...problems,
        ...(digest?.ok === false ? [digest.diagnostic] : []),
        ...(this.#loaded.get(id)?.problems ?? []),
      ],
    };
  }
  #contributions(plugin: FoundPlugin, state: PluginState): readonly Contribution[] {
    const { switches, sinks } = this.#options;
    const { manifest, servers, owner } = plugin;
    const of = (id: string, kind: Contribution["kind"], name: string): Contribution => {
      const enabled = switches.isOn(id);
      return {
        id,
        kind,
        name,
        origin: `plugin ${manifest.name}`,
        scope: "plugin",
        state: state === "on" ? (enabled ? "on" : "off") : state,
        enabled,
        diagnostics: [],
      };
    };
    return [
      ...(state === "shadowed" || state === "invalid" ? [] : sinks.skillsOf(owner)),
      ...manifest.tools.map(({ name }) => of(toolId(plugin, name), "tool", name)),
      ...servers.map(({ name }) => of(serverId(plugin, name), "mcp", name)),
    ];
  }
}
