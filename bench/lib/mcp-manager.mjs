// The manager of servers as the host makes it, with every server of a list approved and on.
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const nothing = () => undefined;

/** @typedef {{command: string, args: string[]}} Server */
/**
 * @typedef {object} Manager
 * @property {() => void} start
 * @property {() => Promise<void>} stop
 * @property {(ms: number) => Promise<{notReady: string[]}>} settled
 * @property {(server: string, tool: string, input: object, options: object, signal: AbortSignal) => Promise<{content: {text?: string}[]}>} call
 * @property {() => {name: string, state: string}[]} rows
 */
/**
 * @param {string} room made by `buildMcpRoom` @param {string} folder for its logs and caches
 * @param {Readonly<Record<string, Server>>} servers @returns {Manager}
 */
export function createManager(room, folder, servers) {
  const { createMcp, Emitter, createMasker, silentLogger } = require(room);
  const masker = createMasker();
  const at = (/** @type {string} */ name) => path.join(folder, name);
  const declarations = Object.entries(servers).map(([name, { command, args }]) => ({
    name,
    owner: "user",
    scope: "user",
    file: at("mcp.json"),
    raw: {},
    base: folder,
    variables: {},
    diagnostics: [],
    config: {
      command,
      args,
      env: {},
      headers: {},
      disabled: false,
      autoApprove: [],
      disabledTools: [],
      keepAlive: false,
      autoRestart: false,
      maxRestartAttempts: 0,
      start: "eager",
      sandbox: false,
    },
  }));
  return createMcp({
    workspace: folder,
    paths: { home: folder, config: at("config"), data: at("data"), cache: at("cache"), cst: at("cst") },
    env: process.env,
    declarations: () => declarations,
    digestOf: () => "",
    trust: { stateOf: () => "approved", onChange: new Emitter() },
    switches: { isOn: () => true, set: () => Promise.resolve(), onChange: new Emitter() },
    addTool: () => nothing,
    secrets: { get: () => Promise.resolve(undefined) },
    log: silentLogger,
    clock: { now: () => Date.now() },
    fetch: globalThis.fetch,
    client: { name: "nacre", version: "bench" },
    maskSecret: nothing,
    mask: masker.mask,
  });
}
