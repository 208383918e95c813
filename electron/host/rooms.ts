import path from "node:path";
import { NacreError, toErrorValue } from "../../shared/errors.ts";
import { canonicalJson } from "../../shared/json.ts";
import { appMimeType, uiExtension } from "../../shared/mcp-app.ts";
import type { DeclarationRow, ModelRow } from "../../shared/workspace.ts";
import type { TraceRow } from "../../shared/trace.ts";
import { Roles } from "./agents/roles.ts";
import { createTaskTool } from "./agents/task.ts";
import { currentPolicy, effectiveSettings } from "./callers.ts";
import { Chats } from "./chat/chats.ts";
import { chatCommands } from "./chat/commands.ts";
import type { McpDeclaration } from "./config/types.ts";
import { approvable, mcpDigest, reviewRow, workspaceDeclarations, type Declared } from "./declarations.ts";
import { confinedServer } from "./confined-server.ts";
import { DeferredTools } from "./deferred-tools.ts";
import { fileProblems } from "./file-problems.ts";
import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import { either, Emitter } from "./kit/emitter.ts";
import { childEnvironment } from "./kit/environment.ts";
import { unpacked } from "./kit/unpacked.ts";
import { serverInstructions } from "./mcp/features/instructions.ts";
import { createMcp } from "./mcp/manager.ts";
import type { Mcp, McpOptions } from "./mcp/room.ts";
import { skillsExtension } from "./mcp/skills/server-skills.ts";
import { mcpSkillProvider } from "./mcp-skills.ts";
import { modelKeyVariables, modelRows } from "./models/resolve.ts";
import { type Asking, confirmTrust } from "./own-questions.ts";
import { isWindow } from "./options.ts";
import { Plugins } from "./plugins/plugins.ts";
import { recentProblems } from "./recent-problems.ts";
import { createAgentRunner } from "./run-agent.ts";
import { createLocalFiles } from "./skills/local-files.ts";
import { rootSwitch } from "./skills/roots.ts";
import { createSkills, type Skills } from "./skills/skills.ts";
import { builtinTools } from "./tools/builtin/index.ts";
import { createExecutor } from "./tools/execute.ts";
import type { Executor } from "./tools/executor.ts";
import { backgroundRow } from "./tools/trace-rows.ts";
import { switchScope } from "./switch-scope.ts";
import { createSessionHost, modelFor, roleRules } from "./turn-setup.ts";
import type { UserTrust } from "./user-trust.ts";
import type { SettingsChange } from "./widened-policy.ts";

/** The rooms of one workspace, built and wired to each other. */
export interface Rooms {
  readonly executor: Executor;
  readonly skills: Skills;
  readonly plugins: Plugins;
  readonly roles: Roles;
  readonly mcp: Mcp;
  readonly chats: Chats;
  /** Resolves when files were looked at once: skills, plugins and roles are listed, nothing is started by it. */
  readonly ready: Promise<void>;
  /** What the workspace declares, of its files as they are at this moment. */
  declarations(): readonly Declared[];
  /** Declarations of the workspace that trust holds back, of its files as they were last looked at. */
  waiting(): readonly Declared[];
  /** One as a person reviews it: with what is different from what was approved, or installed. */
  review(declared: Declared): DeclarationRow;
  /** Trusts the folder and approves exactly what was shown. @throws NacreError `configuration`, `io` */
  trustShown(shown: readonly Declared[]): Promise<void>;
  /** Every model that environment and settings name. */
  models(): Promise<readonly ModelRow[]>;
  /** What `models` answered last. */
  modelRows(): readonly ModelRow[];
  /** Switches a contribution where it belongs. @throws NacreError `not_found` */
  setSwitch(id: string, on: boolean): Promise<void>;
  /** Keeps a row of the trace and tells it. Never throws: one that cannot be kept is a diagnostic. */
  trace(sessionId: string, row: TraceRow): void;
  /** Looks at the files of one room again. */
  reload(what: "skills" | "plugins" | "mcp" | "agents"): Promise<void>;
}
/** What the rooms tell the host. */
export interface RoomEvents {
  onTrace(sessionId: string, row: TraceRow): void;
  changeSettings(change: SettingsChange, asking: Asking): Promise<void>;
}

/** Builds every room. Starts no process and reads no skill: `ready` does the reading. */
export function createRooms(foundation: Foundation, userTrust: UserTrust, events: RoomEvents): Rooms {
  const { workspace, paths, env, clock, ids, masker, log, config, switches, trust } = foundation;
  const { tools, commands, broker, sandbox, secrets, sessions, options, diagnostics, disposables } =
    foundation;
  const { background } = foundation;
  const minimal = options.minimal ?? false;
  const keyVariables = (): readonly string[] => modelKeyVariables(config.current.settings);
  const environment = (): NodeJS.ProcessEnv => childEnvironment(env, { drop: keyVariables() });

  disposables.add(() => sessions.close());
  const tellProblem = recentProblems((list) => diagnostics.set("calls", list));
  // What was done is done: a row that cannot be kept is told of, and ends neither the call nor the app.
  const trace = (sessionId: string, row: TraceRow): void => {
    try {
      events.onTrace(sessionId, sessions.open(sessionId).appendTrace(row));
    } catch (error) {
      const message = `the trace of ${row.title} could not be written: ${toErrorValue(error).message}`;
      log.error(message, { session: sessionId });
      diagnostics.set("trace", [{ code: "trace-not-written", severity: "error", message }]);
    }
  };
  const rooms = (): Rooms => built;
  disposables.add(
    background.onEnd.on((end) => {
      if (end.row.sessionId !== null) trace(end.row.sessionId, backgroundRow(end));
    }),
  );
  const executor = createExecutor({
    registry: tools,
    background,
    broker,
    sandbox,
    workspace,
    paths,
    clock,
    log,
    readableFolders: () => (minimal ? [] : skills.readableFolders()),
    storeRule: (rule) => storeRule(foundation, rule),
    onTrace: (row, sessionId) => {
      if (sessionId !== null) trace(sessionId, row);
    },
    onDiagnostic: tellProblem,
  });
  for (const tool of builtinTools({
    environment,
    sandbox,
    background,
    fetch: () => foundation.fetch(),
    ...(options.canAsk ? { askUser: foundation.questions.ask } : {}),
    paths,
    minimal,
  }))
    tools.add(tool);

  const inWindow = isWindow(options);
  const skills = createSkills({
    workspace,
    paths,
    env,
    bundled: unpacked(path.join(options.built, "skills")),
    files: createLocalFiles({ yields: inWindow }),
    yields: inWindow,
    settings: () => config.current.settings.skills,
    switches,
    rules: (role) => roleRules(foundation, rooms, role),
    trusted: () => trust.isTrusted(),
    use: {
      rules: () => roleRules(foundation, rooms, options.role),
      ports: async () => (await import("./skill-use-ports.ts")).skillUsePorts(foundation, rooms, executor),
    },
    log,
    clock,
  });
  const setSwitch = async (id: string, on: boolean): Promise<void> => {
    // What a conversation holds in memory is switched in memory.
    if (!skills.sessions.setEnabled(id, on)) await switches.set(id, on, switchScope(id, foundation, built));
  };
  const scopedSwitches = {
    isOn: (id: string, fallback?: boolean) => switches.isOn(id, fallback),
    set: setSwitch,
    onChange: switches.onChange,
  };
  const isTool = (name: string): boolean => tools.get(name) !== undefined;
  const roles = new Roles({ workspace, paths, switches: scopedSwitches, clock, isTool });
  const fromPlugins = new Set<readonly McpDeclaration[]>();
  const declaredServers = (): readonly McpDeclaration[] =>
    minimal ? [] : [...config.current.mcp, ...[...fromPlugins].flat()];
  const digestOf = (declaration: McpDeclaration): string => mcpDigest(declaration, foundation);
  const rootsChanged = new Emitter<void>();
  let roots = canonicalJson(currentPolicy(foundation).writableRoots);
  disposables.add(
    config.onChange.on(() => {
      const now = canonicalJson(currentPolicy(foundation).writableRoots);
      if (now === roots) return;
      roots = now;
      rootsChanged.emit();
    }),
  );
  const mcp = createMcp({
    workspace,
    paths,
    env,
    dropEnv: keyVariables,
    declarations: declaredServers,
    digestOf,
    trust: {
      stateOf({ declaration, ...subject }) {
        if (declaration.scope === "workspace") return trust.stateOf(subject);
        // A plugin answers for its servers with its whole folder.
        if (declaration.scope === "plugin") return plugins.serverState(declaration.owner);
        return userTrust.stateOf(declaration, subject.id, subject.digest);
      },
      onChange: either(trust.onChange, userTrust.onChange),
    },
    switches: scopedSwitches,
    addTool: (tool) => tools.add(tool),
    addCommand: (command) => commands.add(command),
    secrets,
    log,
    clock,
    fetch: (...request) => foundation.fetch()(...request),
    client: {
      name: "nacre",
      version: options.version,
      extensions: {
        [skillsExtension]: {},
        // Apps are shown in a window alone, and servers offer other tools to who cannot show them.
        ...(inWindow ? { [uiExtension]: { mimeTypes: [appMimeType] } } : {}),
      },
    },
    maskSecret: (value) => masker.add(value),
    mask: masker.mask,
    ...(options.canAsk ? askPerson(foundation) : {}),
    ...(options.showSignIn ? { openBrowser: options.showSignIn } : {}),
    otherRoots: () => currentPolicy(foundation).writableRoots,
    onRoots: rootsChanged,
    onRead: config.onRead,
    reloadFiles: async () => void (await config.reload()),
    keepText: (sessionId, text) => path.relative(workspace, sessions.open(sessionId).keepText(text)),
    confine: (spec, server) => executor.confine(spec, confinedServer(foundation, server)),
  });
  skills.registry.registerProvider(mcpSkillProvider(mcp.skills, () => switches.isOn(rootSwitch("mcp"))));
  disposables.add(mcp.skills.onChange.on(() => skills.registry.invalidate("mcp")));
  const plugins: Plugins = new Plugins({
    workspace,
    paths,
    trust,
    switches,
    installed: userTrust.plugins,
    trustAll: async (asking) =>
      trustShown(isWindow(options) ? await confirmTrust(foundation, declarations, asking) : declarations()),
    environment,
    sandbox,
    log,
    sinks: {
      skillsOf: (plugin) => skills.contributions(plugin),
      addTool: (tool) => tools.add(tool),
      addSkillRoot: (root) => skills.addRoot(root),
      skillsSettled: () => skills.settled(),
      addMcp(declarations): Dispose {
        fromPlugins.add(declarations);
        void mcp.reload();
        return () => {
          fromPlugins.delete(declarations);
          return mcp.reload();
        };
      },
    },
  });
  const declared = (now: boolean): Declared[] =>
    minimal
      ? []
      : workspaceDeclarations({ ...config.current, plugins: plugins.declarations(now) }, foundation, trust);
  const declarations = (): readonly Declared[] => {
    const all = declared(true);
    // Taken at this moment: what a person is shown now is what is approved later.
    for (const one of all) void one.fingerprint;
    return all;
  };

  const trustShown = async (shown: readonly Declared[]): Promise<void> => {
    await trust.trust(approvable(shown.filter(({ scope }) => scope === "workspace")));
    const ofUser = shown.filter(({ scope }) => scope === "user");
    for (const { row, fingerprint } of ofUser)
      if (fingerprint) await userTrust.plugins.approve(row.path, fingerprint.digest);
    if (ofUser.length > 0) await plugins.reload();
  };

  const deferred = new DeferredTools((tool) => tools.add(tool));
  const sessionHost = createSessionHost(foundation, rooms, executor, deferred);
  const chats = new Chats({
    store: sessions,
    host: sessionHost,
    workspace,
    version: options.version,
    clock,
    ids,
  });
  disposables.add(
    chats.onClose.on((sessionId) => {
      skills.sessions.end(sessionId);
      deferred.end({ sessionId });
    }),
  );
  let knownModels: readonly ModelRow[] = [];
  const models = async (): Promise<readonly ModelRow[]> =>
    (knownModels = await modelRows({ settings: config.current.settings, env }, secrets));
  const runAgent = createAgentRunner(foundation, executor, skills, deferred, () =>
    serverInstructions(mcp.instructions()),
  );
  let removeTask: Dispose = () => undefined;
  const offerTask = (): void => {
    void removeTask();
    removeTask = tools.add(createTaskTool({ roles, runAgent }));
  };
  let removeSkill: Dispose = () => undefined;
  const offerSkill = (): void => {
    void removeSkill();
    removeSkill = skills.tool ? tools.add(skills.tool) : () => undefined;
  };
  const problems = minimal ? undefined : fileProblems(foundation, { skills, plugins, roles });
  if (problems) {
    disposables.add(skills.onChange.on(offerSkill));
    disposables.add(roles.onChange.on(offerTask));
    disposables.add(problems.stop);
  }
  const read = async (): Promise<void> => {
    await executor.recover();
    if (minimal) return;
    await plugins.start();
    await Promise.all([skills.reload(), roles.reload()]);
    problems?.tell();
  };
  const all = [
    ...chatCommands({
      rows: () => commands.rows(),
      row: (name) => commands.get(name),
      tools: () => tools.list(),
      sessions: () => chats.list(),
      models,
      settings: () => effectiveSettings(foundation),
      changeSettings: (change, asking) => events.changeSettings(change, asking),
    }),
    ...(minimal ? [] : [...skills.commands, ...plugins.commands, ...mcp.commands, ...roles.commands]),
  ];
  for (const command of all) commands.add(command);
  if (!minimal) commands.addFallback(skills.commandFallback);

  let ready: Promise<void> | undefined;
  const built: Rooms = {
    executor,
    skills,
    plugins,
    roles,
    mcp,
    chats,
    get ready() {
      return (ready ??= read());
    },
    declarations,
    review: (one) =>
      reviewRow(one, (id, now) =>
        one.scope === "user" ? userTrust.plugins.changesOf(one.row.path, now) : trust.changesOf(id, now),
      ),
    trustShown,
    waiting: () => declared(false).filter(({ state }) => state !== "approved"),
    models,
    modelRows: () => knownModels,
    trace,
    setSwitch,
    async reload(what) {
      if (minimal) return;
      if (what === "skills") await skills.reload();
      else if (what === "agents") await roles.reload();
      else if (what === "plugins") await plugins.reload();
      else await mcp.restartAll();
    },
  };
  return built;
}

/** How servers reach the person: the shell that shows a page opens it, and answers that it did. */
const askPerson = (
  foundation: Foundation,
): Required<Pick<McpOptions, "ask" | "lendModel" | "openBrowser">> => ({
  ask: foundation.mcpRequests.ask,
  lendModel: () => modelFor(foundation),
  async openBrowser(page, server, signal) {
    const { action } = await foundation.mcpRequests.ask({ kind: "sign_in", server, url: page.href }, signal);
    if (action !== "accept") throw new NacreError("denied", `nobody signed in to "${server}"`);
  },
});

/** "Always here": kept for this workspace in `<config>/settings.json`, never in the workspace (spec 4). */
const storeRule = ({ config, workspace }: Foundation, rule: string): Promise<void> =>
  config.updateSettings(() => {
    const kept = config.current.settings.remembered[workspace] ?? [];
    return kept.includes(rule) ? [] : [{ path: ["remembered", workspace], value: [...kept, rule] }];
  });
