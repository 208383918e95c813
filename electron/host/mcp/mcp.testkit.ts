import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/json.ts";
import type { McpEvent, McpServerRow, McpStateName } from "../../../shared/mcp.ts";
import { systemClock } from "../kit/clock.ts";
import { Emitter } from "../kit/emitter.ts";
import type { Logger } from "../kit/log.ts";
import { hostRunName } from "../kit/process.ts";
import { processesWith } from "../kit/process-table.ts";
import { CommandRegistry } from "../tools/commands.ts";
import type { Tool } from "../tools/types.ts";
import { createMcp } from "./manager.ts";
import type { Mcp, McpOptions } from "./room.ts";
import { toToolOutput } from "./tool-result.ts";
import type { McpCallOptions } from "./types.ts";
import type { McpDeclaration, McpServerConfig } from "../config/types.ts";

/** A declaration as the file reader makes it, with defaults; for tests. */
export function declare(
  name: string,
  config: Partial<McpServerConfig>,
  more: Partial<Omit<McpDeclaration, "name" | "config">> = {},
): McpDeclaration {
  return {
    name,
    owner: "user",
    scope: "user",
    file: "/config/mcp.json",
    raw: config,
    base: "/ws",
    variables: {},
    diagnostics: [],
    ...more,
    config: {
      args: [],
      env: {},
      headers: {},
      disabled: false,
      autoApprove: [],
      disabledTools: [],
      keepAlive: false,
      autoRestart: false,
      maxRestartAttempts: 3,
      start: "eager",
      sandbox: false,
      ...config,
    },
  };
}

/** The fixture servers of `e2e/fixtures/mcp-servers`. */
export const fixture = (name: string): string =>
  path.join(import.meta.dirname, "../../../e2e/fixtures/mcp-servers", name);
/** A declaration of a fixture server. */
export const fixtureServer = (
  name: string,
  [file, ...args]: readonly [string, ...string[]],
  config: Partial<McpServerConfig> = {},
): McpDeclaration => declare(name, { command: process.execPath, args: [fixture(file), ...args], ...config });

/** A host's worth of surroundings for one manager, with the switches in the test's hand. */
export class World {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-mcp-")));
  readonly workspace = path.join(this.folder, "ws");
  readonly tools = new Map<string, Tool>();
  readonly commands = new CommandRegistry();
  readonly events: McpEvent[] = [];
  readonly secrets = new Map<string, string>();
  readonly masked: string[] = [];
  readonly trustChanged = new Emitter<void>();
  readonly switchesChanged = new Emitter<void>();
  /** Files were read again. */
  readonly read = new Emitter<void>();
  readonly switches = new Map<string, boolean>();
  /** By contribution id; approved where absent. */
  readonly trust = new Map<string, "untrusted" | "needs_approval">();
  readonly env: NodeJS.ProcessEnv = { ...process.env };
  declarations: McpDeclaration[];
  readonly mcp: Mcp;

  constructor(declarations: McpDeclaration[], options: Partial<McpOptions> = {}) {
    fs.mkdirSync(this.workspace);
    this.declarations = declarations;
    this.mcp = createMcp({
      workspace: this.workspace,
      paths: {
        home: this.folder,
        config: path.join(this.folder, "config"),
        data: path.join(this.folder, "data"),
        cache: path.join(this.folder, "cache"),
        cst: path.join(this.folder, "cst"),
      },
      env: this.env,
      declarations: () =>
        this.declarations.map((declaration) => ({
          ...declaration,
          base: declaration.base === "/ws" ? this.workspace : declaration.base,
        })),
      digestOf: (declaration) => canonicalJson(declaration.raw),
      trust: { stateOf: ({ id }) => this.trust.get(id) ?? "approved", onChange: this.trustChanged },
      switches: {
        isOn: (id, fallback = true) => this.switches.get(id) ?? fallback,
        set: (id, on) => {
          this.switches.set(id, on);
          this.switchesChanged.emit();
          return Promise.resolve();
        },
        onChange: this.switchesChanged,
      },
      addTool: (tool) => {
        if (this.tools.has(tool.name)) throw new NacreError("already_exists", `the tool ${tool.name} exists`);
        this.tools.set(tool.name, tool);
        return () => void this.tools.delete(tool.name);
      },
      addCommand: (command) => this.commands.add(command),
      onRead: this.read,
      secrets: { get: (name) => Promise.resolve(this.secrets.get(name)) },
      log: quiet,
      clock: systemClock,
      fetch: globalThis.fetch,
      client: { name: "nacre", version: "0.0.0" },
      maskSecret: (value) => this.masked.push(value),
      mask: (text) => this.masked.reduce((masked, value) => masked.replaceAll(value, "***"), text),
      restartDelaysMs: [1],
      ...options,
    });
    this.mcp.onEvent.on((event) => this.events.push(event));
  }
  /** Starts and waits until every server is ready or will not be. */
  async start(): Promise<string[]> {
    this.mcp.start();
    const { notReady } = await this.mcp.settled(60_000);
    return notReady;
  }
  row(name: string): McpServerRow {
    const row = this.mcp.rows().find((candidate) => candidate.name === name);
    if (!row) throw new Error(`no row ${name}`);
    return row;
  }
  /** Waits until a server is in a state. */
  async until(name: string, state: McpStateName): Promise<McpServerRow> {
    if (this.row(name).state === state) return this.row(name);
    return new Promise((resolve) => {
      const dispose = this.mcp.onRow.on((row) => {
        if (row.name !== name || row.state !== state) return;
        void dispose();
        resolve(row);
      });
    });
  }
  /** Resolves when the tools change next. */
  nextTools(): Promise<void> {
    return new Promise((resolve) => {
      const dispose = this.mcp.onTools.on(() => {
        void dispose();
        resolve();
      });
    });
  }
  /** Calls a tool; the text of its answer. */
  async call(
    server: string,
    tool: string,
    input: object = {},
    options: McpCallOptions = {},
    signal: AbortSignal = never,
  ): Promise<string> {
    const result = await this.mcp.call(server, tool, { ...input }, options, signal);
    return toToolOutput(result).output;
  }
  /** Ends everything. Gives the pids of what is left: a test expects none. */
  async end(): Promise<number[]> {
    await this.mcp.stop();
    const left = processesWith("NACRE_RUN_ID", hostRunName());
    fs.rmSync(this.folder, { recursive: true, force: true });
    return left;
  }
}
const never = new AbortController().signal;
const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => quiet,
};
