import type { Contribution } from "../../../shared/contribution.ts";
import { ConfigStore } from "../config/store.ts";
import { SwitchStore } from "../config/switches.ts";
import { createWorld, type World } from "../config/world.testkit.ts";
import type { McpDeclaration } from "../config/types.ts";
import { childEnvironment } from "../kit/environment.ts";
import type { Logger } from "../kit/log.ts";
import type { Confinement, Sandbox } from "../policy/sandbox.ts";
import { TrustStore, type Approvable } from "../policy/trust.ts";
import { ToolRegistry } from "../tools/registry.ts";
import type { Tool, ToolOutput } from "../tools/types.ts";
import { Plugins } from "./plugins.ts";

const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};
/** Runs as it is, and tells what it was asked for. */
export const recordingSandbox = (): Sandbox & { readonly asked: Confinement[] } => {
  const asked: Confinement[] = [];
  return {
    kind: "bubblewrap",
    asked,
    verify: async () => ({ kind: "bubblewrap", ok: true }),
    state: () => ({ kind: "bubblewrap", ok: true }),
    wrap(spec, confinement) {
      asked.push(confinement);
      return Promise.resolve(spec);
    },
  };
};

/** The plugins of a workspace on disk, with real configuration, trust, switches and tools. */
export interface PluginWorld extends World {
  readonly tools: ToolRegistry;
  readonly trust: TrustStore;
  readonly switches: SwitchStore;
  readonly plugins: Plugins;
  readonly servers: Set<readonly McpDeclaration[]>;
  readonly skillRoots: Set<{
    plugin: string;
    owner: string;
    path: string;
    trusted: boolean;
    enabled: boolean;
  }>;
  readonly skills: Map<string, readonly Contribution[]>;
  /** Writes `<ws>/.agent/plugins/NAME/plugin.json`, or below another root. */
  plugin(name: string, manifest: object, root?: string): void;
  call(name: string, input?: object, more?: CallOptions): Promise<ToolOutput>;
}
/** What trust is handed of the plugins as they are now. */
export const approvable = (plugins: Plugins): Approvable[] =>
  plugins.declarations().map(({ id, fingerprintNow }) => {
    const fingerprint = fingerprintNow();
    return { id, digest: fingerprint.digest, fingerprint };
  });
export interface CallOptions {
  readonly confinement?: Confinement;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

export const workspaceRoot = "ws/.agent/plugins";
export const userRoot = "config/plugins";

export async function createPluginWorld(sandbox: Sandbox = recordingSandbox()): Promise<PluginWorld> {
  const world = createWorld();
  const { workspace, paths } = world;
  const config = await ConfigStore.open({ workspace, paths });
  const trust = new TrustStore({ config, paths, workspace });
  const switches = new SwitchStore(config);
  const tools = new ToolRegistry();
  const servers: PluginWorld["servers"] = new Set();
  const skillRoots: PluginWorld["skillRoots"] = new Set();
  const skills: PluginWorld["skills"] = new Map();
  const plugins: Plugins = new Plugins({
    workspace,
    paths,
    trust,
    switches,
    installed: { reload: () => Promise.resolve(), has: () => false, stateOf: () => "approved" },
    trustAll: () => trust.trust(approvable(plugins)),
    environment: () => childEnvironment({ ...process.env, NACRE_API_KEY: "secret" }),
    sandbox,
    log: quiet,
    sinks: {
      addTool: (tool) => tools.add(tool),
      addSkillRoot(root) {
        skillRoots.add(root);
        return () => void skillRoots.delete(root);
      },
      addMcp(declarations) {
        servers.add(declarations);
        return () => void servers.delete(declarations);
      },
      skillsOf: (owner) => skills.get(owner) ?? [],
    },
  });
  return {
    ...world,
    tools,
    trust,
    switches,
    plugins,
    servers,
    skillRoots,
    skills,
    plugin(name, manifest, root = workspaceRoot) {
      world.write(`${root}/${name}/plugin.json`, JSON.stringify(manifest));
    },
    call: (name, input = {}, more = {}) => callTool(tools.get(name), workspace, input, more),
  };
}

export function callTool(
  tool: Tool | undefined,
  workspace: string,
  input: object,
  { confinement, signal, onOutput }: CallOptions = {},
): Promise<ToolOutput> {
  if (!tool) throw new Error("there is no such tool");
  return tool.run(
    { ...input },
    {
      callId: "1",
      workspace,
      sessionId: null,
      confinement: confinement ? { ...confinement, guarded: [] } : null,
      caller: {
        kind: "model",
        sessionId: null,
        role: null,
        canAsk: false,
        policy: {
          approval: "on_request",
          sandbox: "workspace_write",
          writableRoots: [],
          networkAccess: false,
          rules: [],
          allow: [],
        },
      },
      onOutput: onOutput ?? (() => undefined),
      signal: signal ?? new AbortController().signal,
    },
  );
}
