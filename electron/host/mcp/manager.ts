import { NacreError } from "../../../shared/errors.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { contributionId } from "../../../shared/contribution.ts";
import type { Input } from "../../../shared/contract/index.ts";
import { canonicalJson, type JsonObject } from "../../../shared/json.ts";
import { uiExtension } from "../../../shared/mcp-app.ts";
import type { McpEvent, McpServerDetails, McpServerRow, McpTestResult } from "../../../shared/mcp.ts";
import type { McpDeclaration } from "../config/types.ts";
import { untilAborted } from "../kit/abort.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter } from "../kit/emitter.ts";
import type { SlashCommand } from "../tools/commands.ts";
import { McpApps } from "./apps/apps.ts";
import { appOf } from "./apps/declared-app.ts";
import { mcpCommands } from "./commands.ts";
import { serverDetails } from "./details.ts";
import { Features } from "./features/features.ts";
import { takeLibraryWarnings } from "./library-warnings.ts";
import { Limiter } from "./limiter.ts";
import { forgetSignIn } from "./oauth/sign-out.ts";
import { OfferedTools } from "./offered-tools.ts";
import { PinStore } from "./pins-file.ts";
import { shownTools, toolDiagnostics } from "./pins-told.ts";
import type { Mcp, McpOptions } from "./room.ts";
import { serverRow, shadowedRow } from "./row.ts";
import { notReadyError } from "./server-errors.ts";
import { logFile, ServerLog } from "./server-log.ts";
import { McpServer } from "./server.ts";
import type { Gate, ServerPorts } from "./start-attempt.ts";
import { ServerSkills } from "./skills/server-skills.ts";
import { testServer } from "./test-server.ts";
import { ToolCache } from "./tool-cache.ts";
import type { McpCallOptions, McpCallResult } from "./types.ts";

export type { Mcp, McpOptions } from "./room.ts";

const startingAtOnce = 16;
/** A start that takes longer goes on, and the next one begins, ms. */
const startPatience = 3000;
const restartDelaysMs = [1000, 2000, 4000];

/** The MCP room: every declared server, its tools, its commands. Nothing runs before `start`, nothing after `stop`. */
export function createMcp(options: McpOptions): Mcp {
  return new Manager(options);
}

class Manager implements Mcp {
  readonly #options: McpOptions;
  readonly #limiter = new Limiter(startingAtOnce, startPatience);
  readonly #cache: ToolCache;
  readonly #offered: OfferedTools;
  readonly #pins: PinStore;
  readonly #row = new Emitter<McpServerRow>();
  readonly #rowsChanged = new Emitter<void>();
  readonly #event = new Emitter<McpEvent>();
  readonly #toolsChanged = new Emitter<void>();
  readonly onRow = this.#row;
  readonly onRows = this.#rowsChanged;
  readonly onEvent = this.#event;
  readonly onTools = this.#toolsChanged;
  readonly commands: readonly SlashCommand[];
  readonly apps: McpApps;
  readonly skills: ServerSkills;
  readonly features: Features;
  #servers: ReadonlyMap<string, McpServer> | undefined;
  #listening: Dispose[] = [];
  #running = false;
  /** Of the server that last bore a name and is gone: the next of the name starts when it has ended. */
  readonly #endings = new Map<string, Promise<void>>();
  /** Endings of replaced servers and starts that wait for them. */
  #changes: Promise<void> = Promise.resolve();

  constructor(options: McpOptions) {
    this.#options = options;
    this.#cache = new ToolCache(options.paths.cache, options.log);
    this.#pins = new PinStore({ ...options, onChange: () => this.#pinsChanged() });
    this.#offered = new OfferedTools({
      addTool: options.addTool,
      isToolOn: (id) => options.switches.isOn(id, true),
      borrowedName: ({ name, declaration: { owner, scope } }) =>
        scope !== "user" && options.declarations().some((one) => one.scope === "user" && one.name === name)
          ? owner
          : undefined,
      pins: (server) => this.#pins.meet(server),
      keepText: options.keepText,
      ...(options.client.extensions?.[uiExtension] ? { appOf } : {}),
    });
    this.apps = new McpApps((name) => this.#find(name));
    this.skills = new ServerSkills(() => this.#all());
    this.features = new Features({
      servers: () => this.#all(),
      find: (name) => this.#find(name),
      addTool: options.addTool,
      addCommand: options.addCommand ?? (() => () => undefined),
      onProblem: (text) => options.log.warn(text),
      ...(options.completionMs === undefined ? {} : { completionMs: options.completionMs }),
    });
    this.commands = mcpCommands(this, (name, on) => this.#switch(name, on));
  }
  start(): void {
    if (this.#running) return;
    this.#running = true;
    takeLibraryWarnings((text) => this.#options.log.warn("the MCP client library warns", { text }));
    const { trust, switches, onRead, onRoots } = this.#options;
    const changed = (): void => void this.reload();
    this.#listening = [trust.onChange.on(changed), switches.onChange.on(changed)];
    if (onRead) this.#listening.push(onRead.on(() => this.#pins.look()));
    if (onRoots) this.#listening.push(onRoots.on(() => this.features.rootsChanged()));
    for (const server of this.#all()) server.begin();
  }
  async stop(): Promise<void> {
    this.#running = false;
    for (const dispose of this.#listening) void dispose();
    this.#listening = [];
    await Promise.all([this.#changes, ...this.#all().map((server) => server.end())]);
    await Promise.all([this.#cache.written(), this.#pins.written()]);
  }
  reload(): Promise<void> {
    const before = this.#servers ?? new Map<string, McpServer>();
    const after = this.#winners((declaration) => {
      const server = before.get(declaration.name);
      return server && isSame(server.declaration, declaration) ? server : undefined;
    });
    this.#servers = after;
    for (const [name, server] of before)
      if (after.get(name) !== server) {
        const ending = server.end().finally(() => {
          if (this.#endings.get(name) === ending) this.#endings.delete(name);
        });
        this.#endings.set(name, ending);
      }
    const changes = [...after].map(async ([name, server]) => {
      const isNew = before.get(name) !== server;
      if (isNew) server.follow(this.#endings.get(name));
      if (!this.#running) return;
      if (isNew) server.begin();
      else await server.review();
    });
    this.#syncTools();
    this.features.sync();
    this.skills.sync();
    this.#rowsChanged.emit();
    const done = Promise.all([this.#changes, ...changes, ...this.#endings.values()]).then(() => undefined);
    this.#changes = done;
    return done;
  }
  async restartAll(): Promise<void> {
    await this.#options.reloadFiles?.();
    const before = new Set(this.#all());
    await this.reload();
    await Promise.all(
      this.#all()
        .filter((server) => before.has(server) && this.#gate(server.declaration) === "open")
        .map((server) => server.restart()),
    );
  }
  rows(): McpServerRow[] {
    return this.#all().map((server) => this.#rowOf(server));
  }
  declaration(name: string): McpDeclaration {
    return this.#find(name).declaration;
  }
  shadowed(): McpDeclaration[] {
    const winning = new Set(this.#all().map(({ id }) => id));
    return this.#options
      .declarations()
      .filter(({ owner, name }) => !winning.has(contributionId("mcp", owner, name)));
  }
  shadowedRows(): McpServerRow[] {
    const ids = this.#options.declarations().map(({ owner, name }) => contributionId("mcp", owner, name));
    return this.shadowed().map((declaration) => {
      const id = contributionId("mcp", declaration.owner, declaration.name);
      const winner = this.#find(declaration.name);
      const gate = this.#gate(declaration);
      const isBehind = this.#gate(winner.declaration) === "open" && ids.indexOf(winner.id) < ids.indexOf(id);
      const by = isBehind ? winner.declaration : undefined;
      return shadowedRow(declaration, gate === "open" ? "stopped" : gate, this.#isOn(declaration), by);
    });
  }
  async settled(ms: number, signal?: AbortSignal): Promise<{ notReady: string[] }> {
    const limit = AbortSignal.timeout(ms);
    const until = signal ? AbortSignal.any([limit, signal]) : limit;
    try {
      await untilAborted(this.#quiet(), until);
    } catch (error) {
      // The time is up: what is not ready is named below.
      if (!until.aborted) throw error;
    }
    signal?.throwIfAborted();
    const waiting = new Set(["starting", "failed", "exited", "needs_setup"]);
    return {
      notReady: this.#all()
        .filter(({ state }) => waiting.has(state.name))
        .map(({ name }) => name),
    };
  }
  async startServer(name: string): Promise<void> {
    await this.#allowed(name).start();
  }
  async stopServer(name: string): Promise<void> {
    await this.#find(name).stop();
  }
  async restartServer(name: string): Promise<void> {
    await this.#allowed(name).restart();
  }
  async signOut(name: string): Promise<void> {
    const server = this.#find(name);
    await server.stop();
    const { env, secret, oauth } = this.#ports(server.declaration);
    await forgetSignIn(server.declaration, { env, secret, store: oauth.store });
  }
  async call(
    name: string,
    tool: string,
    input: JsonObject,
    options: McpCallOptions,
    signal: AbortSignal,
  ): Promise<McpCallResult> {
    const server = this.#find(name);
    // What is known not to be permitted starts nothing.
    if (server.tools.length > 0) this.#offered.permit(server, tool);
    return server.call(tool, input, options, signal);
  }
  details(name: string): McpServerDetails {
    const server = this.#find(name);
    const offers = this.features.of(server);
    const details = serverDetails(server, this.#offered.views(server));
    return { ...details, ...offers, problems: [...details.problems, ...offers.problems] };
  }
  async approveTools(name: string, tools: Input<"mcp.approveTools">["tools"]): Promise<void> {
    const server = this.#find(name);
    await this.#pins.approve(server, shownTools(server, tools));
  }
  test(declaration: McpDeclaration, signal: AbortSignal): Promise<McpTestResult> {
    return testServer(declaration, this.#logOf(`${declaration.name}.test`), this.#ports(declaration), signal);
  }
  forget(id: string): Promise<void> {
    return this.#pins.forget(id);
  }
  logs(name: string): string[] {
    return this.#find(name).log.lines();
  }
  diagnostics(): Diagnostic[] {
    const servers = this.#all().map((server) => ({ server, views: this.#offered.views(server) }));
    return toolDiagnostics(servers, [...this.#offered.problems, ...this.#pins.problems()]);
  }
  instructions(): { readonly server: string; readonly text: string }[] {
    return this.#all()
      .map((server) => ({ server: server.name, text: server.instructions }))
      .filter(({ text }) => text !== "");
  }

  async #quiet(): Promise<void> {
    await this.#changes;
    await Promise.all(this.#all().map((server) => server.whenQuiet()));
    await Promise.all([this.features.settled(), this.skills.settled()]);
  }
  #all(): McpServer[] {
    this.#servers ??= this.#winners(() => undefined);
    return [...this.#servers.values()];
  }
  #find(name: string): McpServer {
    this.#all();
    const server = this.#servers?.get(name);
    if (!server)
      throw new NacreError("not_found", `there is no MCP server "${name}"; /mcp list shows them all`);
    return server;
  }
  #allowed(name: string): McpServer {
    const server = this.#find(name);
    const gate = this.#gate(server.declaration);
    if (gate !== "open") throw notReadyError(name, { name: gate });
    return server;
  }
  /** The first of a name that may run; the first of all where none may: what waits or is off shadows nothing (spec 2). */
  #winners(reuse: (declaration: McpDeclaration) => McpServer | undefined): ReadonlyMap<string, McpServer> {
    const first = new Map<string, { declaration: McpDeclaration; open: boolean }>();
    for (const declaration of this.#options.declarations()) {
      const known = first.get(declaration.name);
      if (known?.open) continue;
      const open = this.#gate(declaration) === "open";
      if (!known || open) first.set(declaration.name, { declaration, open });
    }
    return new Map(
      [...first].map(([name, { declaration }]) => [name, reuse(declaration) ?? this.#create(declaration)]),
    );
  }
  #create(declaration: McpDeclaration): McpServer {
    const server: McpServer = new McpServer(declaration, this.#logOf(declaration.name), {
      ...this.#ports(declaration),
      onChange: () => this.#changedServer(server),
      permit: (tool) => this.#offered.permit(server, tool),
      onEvent: (event) => this.#event.emit(event),
      onListChanged: (list) => {
        this.features.refresh(server, list);
        // Skills are resources: there is no other notice of theirs (SEP-2640).
        if (list === "resources") this.skills.refresh(server);
      },
    });
    return server;
  }
  #logOf(name: string): ServerLog {
    const { paths, mask, log } = this.#options;
    return new ServerLog({
      file: logFile(paths.data, name),
      mask,
      onProblem: (error) =>
        log.warn("a server's log cannot be written", { server: name, error: String(error) }),
    });
  }
  #ports({ name: server }: McpDeclaration): Omit<ServerPorts, "onChange" | "onEvent" | "permit"> {
    const { secrets, openBrowser, clientMetadataUrl, maskSecret } = this.#options;
    const oauth = {
      openBrowser,
      store: secrets,
      maskSecret,
      ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    };
    return {
      ...this.#options,
      oauth,
      dropEnv: this.#options.dropEnv ?? (() => []),
      gate: (asked) => this.#gate(asked),
      secret: async (name) => (name.startsWith(`mcp/${server}/`) ? secrets.get(name) : undefined),
      limiter: this.#limiter,
      restartDelaysMs: this.#options.restartDelaysMs ?? restartDelaysMs,
      cache: this.#cache,
      onListChanged: () => undefined,
      onResourceUpdated: () => undefined,
    };
  }
  #gate(declaration: McpDeclaration): Gate {
    const { trust, digestOf, log } = this.#options;
    const { owner, name } = declaration;
    const id = contributionId("mcp", owner, name);
    if (!this.#isOn(declaration)) return "disabled";
    try {
      const state = trust.stateOf({ id, kind: "mcp", digest: digestOf(declaration), declaration });
      return state === "approved" ? "open" : state;
    } catch (error) {
      // What cannot be compared was not approved.
      log.warn("a server's declaration cannot be compared with what was approved", {
        id,
        error: String(error),
      });
      return "needs_approval";
    }
  }
  async #switch(name: string, on: boolean): Promise<void> {
    const server = this.#find(name);
    await this.#options.switches.set(server.id, on);
    await this.reload();
  }
  #changedServer(server: McpServer): void {
    // One that was replaced is nobody's business any more.
    if (this.#servers?.get(server.name) !== server) return;
    this.#syncTools();
    this.features.follow(server);
    this.skills.follow(server);
    this.#row.emit(this.#rowOf(server));
  }
  #syncTools(): void {
    if (this.#offered.sync(this.#all())) this.#toolsChanged.emit();
  }
  /** Something else is agreed to of the servers' tools than before. */
  #pinsChanged(): void {
    this.#syncTools();
    this.#rowsChanged.emit();
    // What is marked is told of, also where the same tools are offered as before.
    this.#toolsChanged.emit();
  }
  #rowOf(server: McpServer): McpServerRow {
    return serverRow(server, this.#offered.views(server), this.#isOn(server.declaration));
  }
  #isOn({ owner, name, config }: McpDeclaration): boolean {
    return this.#options.switches.isOn(contributionId("mcp", owner, name), !config.disabled);
  }
}

/** What was wrong with a file has no part in it: a line further down is no other server. */
const isSame = (a: McpDeclaration, b: McpDeclaration): boolean =>
  a === b || canonicalJson({ ...a, diagnostics: [] }) === canonicalJson({ ...b, diagnostics: [] });
