import { setImmediate as nextTurn } from "node:timers/promises";
import { contributionId } from "../../shared/contribution.ts";
import type { DoctorReport } from "../../shared/contract/app.ts";
import type { ExplanationView } from "../../shared/contract/policy.ts";
import { NacreError } from "../../shared/errors.ts";
import type { ToolRow } from "../../shared/extension-rows.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { InstallPlan, InstallStep, Receipt } from "../../shared/market.ts";
import type { McpDeclaration } from "./config/types.ts";
import { currentPolicy, personCaller } from "./callers.ts";
import { followApp } from "./app-topic.ts";
import { mcpDigest, mcpFingerprint, type Declared } from "./declarations.ts";
import { createFoundation, type Foundation } from "./foundation.ts";
import { createHandlers } from "./handlers.ts";
import { createInstalls, type Installs } from "./installs.ts";
import { assertMayInstall } from "./market/install-policy.ts";
import type { Market } from "./market/market.ts";
import { keepIndexes } from "./kept-indexes.ts";
import { unwaited } from "./kit/unwaited.ts";
import { learnSecrets, learnStoredSecrets } from "./known-secrets.ts";
import { isWindow, type HostOptions } from "./options.ts";
import type { Asking } from "./own-questions.ts";
import { createMcpAppCalls, type McpAppCalls } from "./mcp-app-calls.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import type { BoundHost } from "./rpc.ts";
import { followSessions, openSessionTopic } from "./session-topics.ts";
import { loadSkillParser } from "./skills/parse-skill.ts";
import type { McpEditor } from "./mcp-editor.ts";
import type { SkillManager } from "./skill-files/manager.ts";
import { sweepTrashLater } from "./skill-files/sweep-later.ts";
import { changeSettings, removeRule } from "./settings-changes.ts";
import { Topics } from "./topics.ts";
import { originText } from "./tools/registry.ts";
import type { ToolCallResult } from "./tools/types.ts";
import { createUserTrust } from "./user-trust.ts";
import type { SettingsChange } from "./widened-policy.ts";
import { watchFiles } from "./watch-files.ts";
import { watchTrust } from "./watch-trust.ts";
import { workspaceTopic, type WorkspaceTopic } from "./workspace-view.ts";

export type { HostOptions } from "./options.ts";

/** Everything that the app does in one workspace. Shells use this and nothing behind it. */
export interface Host
  extends
    BoundHost,
    Pick<
      Foundation,
      | "clock"
      | "trust"
      | "switches"
      | "broker"
      | "questions"
      | "mcpRequests"
      | "background"
      | "commands"
      | "masker"
    >,
    Pick<
      Rooms,
      | "skills"
      | "plugins"
      | "roles"
      | "mcp"
      | "chats"
      | "declarations"
      | "review"
      | "waiting"
      | "reload"
      | "setSwitch"
    > {
  /** Starts what is on and trusted, in the background, and watches files where a window wants to know. */
  start(): Promise<void>;
  /** Leaves no process, timer, watcher or socket. */
  stop(): Promise<void>;
  /** Waits until no server is on its way any more, at most `ms`; names what is on and not ready. */
  settled(ms: number, signal?: AbortSignal): Promise<{ notReady: string[] }>;
  /** `2 skills · 1 plugin (3 tools) · 1 MCP server` */
  summary(): string;
  toolRows(): readonly ToolRow[];
  /** One call by a person, through the one path. */
  callTool(name: string, input: JsonObject, signal: AbortSignal, answered?: boolean): Promise<ToolCallResult>;
  explain(name: string, input: JsonObject, outsideText?: boolean): ExplanationView;
  doctor(): Promise<DoctorReport>;
  /** Trusts the folder and approves exactly what was shown. @throws NacreError `configuration`, `io` */
  trustWorkspace(shown: readonly Declared[]): Promise<void>;
  /**
   * The declaration that counts for a name, or the one of a contribution's id, whatever counts.
   * @throws NacreError `not_found`
   */
  serverDeclaration(of: { readonly name: string } | { readonly id: string }): {
    id: string;
    declaration: McpDeclaration;
    digest: string;
  };
  /** Loaded when first asked for. */
  mcpEditor(): Promise<McpEditor>;
  approveServer(id: string, digest: string): Promise<void>;
  /** What would allow more is asked about first, but on the command line. @throws NacreError `denied` */
  changeSettings(change: SettingsChange, asking: Asking): Promise<void>;
  /** @throws NacreError `not_found`, `denied` */
  removeRule(rule: { readonly tool: string; readonly pattern: string }, asking: Asking): Promise<void>;
  /** Loaded when first asked for. */
  skillManager(): Promise<SkillManager>;
  /** What the apps of MCP servers ask for. */
  readonly mcpApps: McpAppCalls;
  market(): Promise<Market>;
  /** @throws NacreError `denied` where the policy lets nothing be installed, whoever agrees */
  assertMayInstall(): void;
  install(
    plan: InstallPlan,
    variables: Readonly<Record<string, string>>,
    onStep?: (step: InstallStep) => void,
    signal?: AbortSignal,
  ): Promise<Receipt>;
  cancelInstall(id: string): void;
  /** A session as it leaves the app, without secrets. @throws NacreError `not_found` */
  exportSession(id: string): Promise<ReturnType<Rooms["chats"]["read"]>>;
  /** Puts the folder at the head of the recent ones. */
  rememberFolder(): Promise<void>;
}

/** Opens a workspace: reads configuration, skills, plugins and roles. Starts nothing before `start`. */
export async function createHost(options: HostOptions): Promise<Host> {
  const began = Date.now();
  const foundation = await createFoundation(options);
  const {
    config,
    trust,
    switches,
    broker,
    questions,
    mcpRequests,
    diagnostics,
    disposables,
    log,
    ids,
    clock,
  } = foundation;
  const { workspace, tools, masker } = foundation;
  learnSecrets(foundation);
  const topics: Topics = new Topics(ids.next(), async (name) => {
    openSessionTopic(name, foundation, rooms, topics);
    if (name === "market") await installs.defineTopic(topics);
  });

  const userTrust = await createUserTrust(foundation);
  const rooms: Rooms = createRooms(foundation, userTrust, {
    onTrace(sessionId, row) {
      const name = `trace:${sessionId}` as const;
      if (topics.has(name)) topics.publish(name, { row });
    },
    changeSettings: (change, asking) => changeSettings(foundation, change, asking),
  });
  const { skills, plugins, roles, mcp, chats, executor } = rooms;
  const installs: Installs = createInstalls(foundation, rooms, userTrust);
  const workspaceView = workspaceTopic(foundation, rooms, topics);
  let knownRules = config.current.rules;
  const changed: WorkspaceTopic["changed"] = (...slices) => workspaceView.changed(...slices);
  for (const stop of [
    followApp(foundation, topics),
    followSessions(foundation, rooms, topics),
    mcp.onRow.on((row) => {
      topics.publish("workspace", { type: "mcp", row });
      changed("summary", "trust");
    }),
    mcp.onRows.on(() => changed("mcp", "summary", "trust")),
    mcp.onTools.on(() => diagnostics.set("mcp", mcp.diagnostics())),
    mcp.features.onChange.on(() => changed("commands")),
    skills.onChange.on(() => changed("skills", "summary", "commands")),
    plugins.onChange.on(() => changed("plugins", "summary", "trust")),
    roles.onChange.on(() => changed("agents", "settings")),
    broker.onChange.on((pending) => {
      changed("approvals");
      chats.setQuestionsOpen(new Set(pending.flatMap(({ sessionId }) => sessionId ?? [])));
    }),
    questions.onChange.on(() => changed("questions")),
    mcpRequests.onChange.on(() => changed("mcpRequests")),
    foundation.background.onChange.on(() => changed("background")),
    diagnostics.onChange.on(() => changed("diagnostics")),
    trust.onChange.on(() => changed("trust", "summary", "skills")),
    config.onChange.on(({ rules }) => {
      learnSecrets(foundation);
      changed("settings", "trust");
      // What says the same is the same array: then no rule hides or shows a skill.
      if (rules !== knownRules) changed("skills", "summary", "commands");
      knownRules = rules;
      listModels();
    }),
  ])
    disposables.add(stop);

  const toolRows = (): readonly ToolRow[] =>
    tools.list().map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      perm: tool.perm,
      origin: originText(tool),
      inputSchema: tool.inputSchema,
    }));
  const idOf = ({ owner, name }: McpDeclaration): string => contributionId("mcp", owner, name);
  const serverDeclaration: Host["serverDeclaration"] = (of) => {
    const declaration =
      "id" in of
        ? [...config.current.mcp, ...mcp.shadowed()].find((one) => idOf(one) === of.id)
        : mcp.declaration(of.name);
    if (!declaration)
      throw new NacreError("not_found", `there is no MCP server ${"id" in of ? of.id : of.name}`);
    const digest = mcpDigest(declaration, foundation);
    return { id: idOf(declaration), declaration, digest };
  };
  const declarations = (): readonly Declared[] => rooms.declarations();
  // A command line watches no files and lists no models, whoever can be asked at it.
  const inWindow = isWindow(options);
  const indexes = keepIndexes(foundation, rooms, inWindow);
  disposables.add(indexes.stop);
  let started = false;
  let skillManager: Promise<SkillManager> | undefined;
  let mcpEditor: Promise<McpEditor> | undefined;
  const host: Omit<Host, "handlers"> = {
    topics,
    log,
    workspace,
    clock,
    trust,
    switches,
    broker,
    questions,
    mcpRequests,
    background: foundation.background,
    commands: foundation.commands,
    masker,
    skills,
    plugins,
    roles,
    mcp,
    mcpApps: createMcpAppCalls(foundation, rooms),
    chats,
    declarations,
    toolRows,
    serverDeclaration,
    changeSettings: (change, asking) => changeSettings(foundation, change, asking),
    review: (one) => rooms.review(one),
    waiting: () => rooms.waiting(),
    reload: (what) => rooms.reload(what),
    setSwitch: (id, on) => rooms.setSwitch(id, on),
    async start() {
      if (started || options.minimal) return;
      started = true;
      await rooms.ready;
      // Each of these takes its time, and a window waits for the thread.
      if (inWindow) await nextTurn();
      mcp.start();
      if (inWindow) await nextTurn();
      // Trust that is taken away elsewhere ends at once what runs here, also where nobody looks on.
      disposables.add(inWindow ? watchFiles(foundation, rooms, began) : watchTrust(foundation));
      if (!inWindow) return;
      listModels();
      disposables.add(sweepTrashLater(host.skillManager, log));
      // The settings show whether it works, not only that its program is there.
      const verified = foundation.sandbox.verify().then(() => changed("settings"));
      disposables.add(unwaited(verified, "the sandbox could not be tried out", log));
      // Loaded before a skill is new: a window would wait for it then.
      const parser = nextTurn().then(loadSkillParser);
      disposables.add(unwaited(parser, "what reads skills could not be loaded", log));
    },
    async stop() {
      broker.end();
      await chats.close();
      await Promise.all([mcp.stop(), plugins.stop()]);
      await executor.stop();
      await disposables.dispose();
      await indexes.save();
      log.close();
    },
    settled: (ms, signal) => mcp.settled(ms, signal),
    summary: () => workspaceView.summary(),
    async callTool(name, input, signal, answered = false) {
      await rooms.ready;
      const caller = personCaller(foundation, null);
      const policy = answered ? { ...caller.policy, allow: [...caller.policy.allow, "*"] } : caller.policy;
      return executor.execute({ id: ids.next(), name, input }, { ...caller, policy }, {}, signal);
    },
    // What would ask is told as such, also where nobody is here to be asked.
    explain: (name, input, outsideText) =>
      executor.explain(name, input, { ...personCaller(foundation, null), canAsk: true }, outsideText),
    async doctor() {
      const { doctorReport } = await import("./doctor.ts");
      const report = await doctorReport(foundation, rooms);
      // It has tried the sandbox out, and what does not work changes what the gate says.
      changed("settings");
      return report;
    },
    trustWorkspace: (shown) => rooms.trustShown(shown),
    mcpEditor: () =>
      (mcpEditor ??= import("./mcp-editor.ts").then(({ createMcpEditor }) =>
        createMcpEditor(foundation, userTrust, rooms, serverDeclaration),
      )),
    async approveServer(id, digest) {
      // What stands on the disk is what would start.
      await config.reload();
      const { declaration, digest: now } = serverDeclaration({ id });
      if (now !== digest)
        throw new NacreError(
          "denied",
          `the server ${declaration.name} has changed since it was shown: look at it again`,
        );
      if (declaration.scope === "workspace") {
        const fingerprint = mcpFingerprint(declaration, foundation);
        // What was agreed to counts; where the files have gone on since, it waits again.
        await trust.approve(fingerprint.digest === digest ? { id, digest, fingerprint } : { id, digest });
      } else await userTrust.approve(id, digest);
      await mcp.reload();
      await mcp.startServer(declaration.name);
    },
    removeRule: (rule, asking) => removeRule(foundation, rule, asking),
    skillManager: () =>
      (skillManager ??= import("./skill-files/manager.ts").then(({ createSkillManager }) =>
        createSkillManager(foundation, rooms),
      )),
    market: () => installs.market(),
    assertMayInstall: () => assertMayInstall(currentPolicy(foundation)),
    install: (...request) => installs.install(...request),
    cancelInstall: (id) => installs.cancel(id),
    async exportSession(id) {
      await learnStoredSecrets(foundation);
      return masker.masked(chats.read(id));
    },
    async rememberFolder() {
      const { recentFolders } = config.current.settings;
      if (recentFolders[0] === workspace) return;
      const value = [workspace, ...recentFolders.filter((folder) => folder !== workspace)].slice(0, 12);
      await config.updateSettings([{ path: ["recent_folders"], value }]);
    },
  };
  /** For the window's list: asks no server. */
  function listModels(): void {
    if (!inWindow) return;
    rooms.models().then(
      () => changed("models"),
      (error: unknown) => log.error("the models could not be listed", { error: String(error) }),
    );
  }
  await rooms.ready;
  return { ...host, handlers: createHandlers(host) };
}
