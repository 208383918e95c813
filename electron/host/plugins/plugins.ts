import path from "node:path";
import { contributionId, type Contribution } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { PluginRow, PluginState } from "../../../shared/extension-rows.ts";
import { canonicalJson } from "../../../shared/json.ts";
import type { AppPaths, McpDeclaration } from "../config/types.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { realPath } from "../kit/files.ts";
import type { Logger } from "../kit/log.ts";
import { declarationDigest, folderFiles } from "../policy/digest.ts";
import type { Sandbox } from "../policy/sandbox.ts";
import type { SlashCommand } from "../tools/commands.ts";
import type { Tool } from "../tools/types.ts";
import { pluginCommands } from "./commands.ts";
import { createExecTool } from "./exec-tool.ts";
import { readManifest, type PluginManifest } from "./manifest.ts";
import { pluginFolders, pluginRoots } from "./roots.ts";
import { pluginServers } from "./servers.ts";

export interface PluginsOptions {
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly trust: {
    isTrusted(): boolean;
    stateOf(subject: { id: string; digest: string }): "untrusted" | "needs_approval" | "approved";
    untrust(): Promise<void>;
    readonly onChange: Listenable<void>;
  };
  /** Trusts the folder with everything it declares now. */
  readonly trustAll: () => Promise<void>;
  readonly switches: {
    isOn(id: string, fallback?: boolean): boolean;
    set(id: string, on: boolean): Promise<void>;
    readonly onChange: Listenable<unknown>;
  };
  readonly environment: () => NodeJS.ProcessEnv;
  readonly sandbox: Sandbox;
  readonly log: Logger;
  readonly sinks: {
    /** @throws NacreError `already_exists`, which names both owners */
    addTool(tool: Tool): Dispose;
    addSkillRoot(root: { plugin: string; path: string; trusted: boolean; enabled: boolean }): Dispose;
    addMcp(declarations: readonly McpDeclaration[]): Dispose;
    skillsOf(plugin: string): readonly Contribution[];
  };
}
/** A plugin's folder as it was found last. */
interface Plugin {
  readonly manifest: PluginManifest;
  readonly folder: string;
  readonly scope: "user" | "workspace";
  /** `plugin:NAME`, `plugin:NAME~1` for a shadowed one of the same name. */
  readonly id: string;
  readonly owner: string;
  readonly shadowed: boolean;
  readonly servers: readonly McpDeclaration[];
  readonly problems: readonly Diagnostic[];
  readonly digest: string;
}
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
  #found: readonly Plugin[] = [];
  #loose: readonly Diagnostic[] = [];
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
      this.#scan();
      await this.#load();
    });
  }
  async stop(): Promise<void> {
    for (const stop of this.#listening) await stop();
    this.#listening = [];
    await this.#inTurn(async () => {
      for (const id of [...this.#loaded.keys()]) await this.#unload(id);
    });
  }
  rows(): readonly PluginRow[] {
    return this.#found.map((plugin) => this.#row(plugin));
  }
  diagnostics(): readonly Diagnostic[] {
    return [...this.#loose, ...this.rows().flatMap(({ diagnostics }) => diagnostics)];
  }
  /** What trust is asked about: each plugin of the workspace with everything that it could run. */
  declarations(): readonly {
    id: string;
    name: string;
    path: string;
    command: readonly string[];
    digest: string;
    scope: "user" | "workspace";
  }[] {
    return this.#found
      .filter(({ manifest }) => manifest.valid)
      .map(({ id, manifest, folder, scope, digest, servers }) => ({
        id,
        name: manifest.name,
        path: folder,
        command: [
          ...manifest.tools.map(({ name }) => `tool ${name}`),
          ...servers.map(({ name }) => `MCP server ${name}`),
        ],
        digest,
        scope,
      }));
  }
  watchedFolders(): readonly string[] {
    const roots = pluginRoots(this.#options.workspace, this.#options.paths).map(({ folder }) => folder);
    return [
      ...roots,
      ...this.#found.flatMap(({ folder, manifest }) => [folder, path.dirname(manifest.file)]),
    ];
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#turn.then(work);
    this.#turn = next.catch((error: unknown) =>
      this.#options.log.error("plugins could not be loaded", { error: toErrorValue(error).message }),
    );
    return next;
  }
  #scan(): void {
    const loose: Diagnostic[] = [];
    const seen = new Set<string>();
    const counts = new Map<string, number>();
    const found: Plugin[] = [];
    for (const root of pluginRoots(this.#options.workspace, this.#options.paths))
      for (const folder of pluginFolders(root, (one) => loose.push(one))) {
        const real = realPath(folder);
        if (seen.has(real)) continue;
        seen.add(real);
        const manifest = readManifest(folder);
        if (!manifest) continue;
        const count = counts.get(manifest.name) ?? 0;
        counts.set(manifest.name, count + 1);
        const owner = count === 0 ? manifest.name : `${manifest.name}~${count}`;
        const { declarations, diagnostics } = pluginServers(manifest, folder);
        const digest = digestOf(manifest, folder);
        found.push({
          manifest,
          folder,
          scope: root.scope,
          id: `plugin:${owner}`,
          owner,
          shadowed: count > 0,
          servers: declarations,
          problems: typeof digest === "string" ? diagnostics : [...diagnostics, digest],
          digest: typeof digest === "string" ? digest : "",
        });
      }
    this.#found = found;
    this.#loose = loose;
  }
  #stateOf({ id, manifest, scope, shadowed, digest }: Plugin): PluginState {
    const { trust, switches } = this.#options;
    if (!manifest.valid) return "invalid";
    if (shadowed) return "shadowed";
    if (!switches.isOn(id)) return "off";
    if (scope === "workspace") {
      const state = trust.stateOf({ id, digest });
      if (state !== "approved") return state;
    }
    return manifest.compatibility.ok ? "on" : "incompatible";
  }
  async #load(): Promise<void> {
    const wanted = new Map(this.#found.map((plugin) => [plugin.id, plugin]));
    for (const [id, { key }] of [...this.#loaded]) {
      const plugin = wanted.get(id);
      if (!plugin || this.#keyOf(plugin) !== key) await this.#unload(id);
    }
    for (const plugin of this.#found) if (!this.#loaded.has(plugin.id)) this.#connect(plugin);
    this.#changed.emit();
  }
  /** Everything that decides what of a plugin is loaded. */
  #keyOf(plugin: Plugin): string {
    const { switches } = this.#options;
    return canonicalJson([
      this.#stateOf(plugin),
      plugin.folder,
      plugin.digest,
      plugin.manifest.tools.map(({ name }) => switches.isOn(toolId(plugin, name))),
    ]);
  }
  #connect(plugin: Plugin): void {
    const { sinks, switches } = this.#options;
    const { manifest, servers, owner } = plugin;
    const state = this.#stateOf(plugin);
    const problems: Diagnostic[] = [];
    const disposes: Dispose[] = [];
    if (state !== "invalid" && state !== "shadowed")
      for (const folder of manifest.skills)
        disposes.push(
          sinks.addSkillRoot({
            plugin: owner,
            path: folder,
            trusted: state !== "untrusted" && state !== "needs_approval",
            enabled: state === "on" || state === "untrusted" || state === "needs_approval",
          }),
        );
    if (state === "on") {
      for (const declaration of manifest.tools) {
        if (!switches.isOn(toolId(plugin, declaration.name))) continue;
        try {
          disposes.push(sinks.addTool(this.#tool(plugin, declaration)));
        } catch (error) {
          const { code, message } = toErrorValue(error);
          if (code !== "already_exists") throw error;
          problems.push({ code: "plugin-tool-clash", severity: "error", message, path: manifest.file });
        }
      }
      if (servers.length > 0) disposes.push(sinks.addMcp(servers));
    }
    this.#loaded.set(plugin.id, { key: this.#keyOf(plugin), problems, disposes });
  }
  #tool(plugin: Plugin, declaration: PluginManifest["tools"][number]): Tool {
    const { environment, sandbox, trust } = this.#options;
    const { manifest, folder, scope, id } = plugin;
    return createExecTool({
      plugin: manifest.name,
      folder,
      declaration,
      environment,
      sandbox,
      assertApproved() {
        if (scope !== "workspace") return;
        const digest = digestOf(manifest, folder);
        if (typeof digest === "string" && trust.stateOf({ id, digest }) === "approved") return;
        throw new NacreError(
          "not_trusted",
          `the plugin ${manifest.name} has changed since it was approved: look at it and approve it again (/plugins trust)`,
        );
      },
    });
  }
  async #unload(id: string): Promise<void> {
    const loaded = this.#loaded.get(id);
    this.#loaded.delete(id);
    for (const dispose of loaded?.disposes ?? []) await dispose();
  }
  #row(plugin: Plugin): PluginRow {
    const { manifest, folder, scope, problems, id } = plugin;
    const state = this.#stateOf(plugin);
    const { permissions, publisher, trustClaim } = manifest;
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
      diagnostics: [...manifest.diagnostics, ...problems, ...(this.#loaded.get(id)?.problems ?? [])],
    };
  }
  #contributions(plugin: Plugin, state: PluginState): readonly Contribution[] {
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
      ...sinks.skillsOf(owner),
      ...manifest.tools.map(({ name }) => of(toolId(plugin, name), "tool", name)),
      ...servers.map(({ name }) => of(contributionId("mcp", owner, name), "mcp", name)),
    ];
  }
}

const toolId = ({ owner }: Pick<Plugin, "owner">, name: string): string =>
  contributionId("tool", owner, name);

/** SHA-256 over the manifest and every file of the folder; the reason where the folder cannot be read whole. */
function digestOf(manifest: PluginManifest, folder: string): string | Diagnostic {
  try {
    return declarationDigest({ kind: "plugin", declaration: manifest.raw }, folderFiles(folder), folder);
  } catch (error) {
    const { code, message } = toErrorValue(error);
    if (code === "internal") throw error;
    return { code: "plugin-unreadable", severity: "error", message, path: folder };
  }
}
