import path from "node:path";
import { NacreError } from "../../shared/errors.ts";
import { DiagnosticStore } from "./config/diagnostics.ts";
import { findProjectRoot } from "./config/project-root.ts";
import { ConfigStore } from "./config/store.ts";
import { SwitchStore } from "./config/switches.ts";
import { createIds, systemClock } from "./kit/clock.ts";
import { Disposables } from "./kit/disposable.ts";
import { lookAt, realPath } from "./kit/files.ts";
import { createLogger } from "./kit/log.ts";
import { createMasker } from "./kit/mask.ts";
import { createFetch } from "./kit/net.ts";
import { endOrphans } from "./kit/orphans.ts";
import { keepChildren } from "./kit/process.ts";
import type { HostOptions } from "./options.ts";
import { ApprovalBroker } from "./policy/approvals.ts";
import { createSandbox } from "./policy/sandbox.ts";
import { TrustStore } from "./policy/trust.ts";
import { SessionStore } from "./record/session-store.ts";
import { createSecretStore } from "./secrets.ts";
import { BackgroundCommands } from "./tools/background.ts";
import { CommandRegistry } from "./tools/commands.ts";
import { ServerRequests } from "./mcp/requests.ts";
import { Questions } from "./tools/questions.ts";
import { ToolRegistry } from "./tools/registry.ts";

/** Everything below the rooms, for one workspace. Starts nothing. */
export type Foundation = Awaited<ReturnType<typeof createFoundation>>;

/** @throws NacreError `not_found` where the folder is none */
export async function createFoundation(options: HostOptions) {
  const { env, paths } = options;
  const workspace = realPath(path.resolve(options.workspace));
  if (!lookAt(workspace)?.isDirectory())
    throw new NacreError("not_found", `there is no folder ${options.workspace}: choose another one`);
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIds(clock);
  const masker = createMasker();
  const log = createLogger({ dir: path.join(paths.data, "logs"), mask: masker.mask, clock });
  // What listens must not end the app where nobody waits for what it threw.
  const listenerFailed = (error: unknown): void =>
    log.error("a change could not be taken in", {
      error: error instanceof Error ? error.stack : String(error),
    });
  // What an earlier start left behind when it was killed ends before anything new begins.
  const running = path.join(paths.data, "run");
  const ended = await endOrphans(running);
  if (ended.length > 0) log.warn("ended what a crash had left running", { runs: ended });
  const secrets = options.secrets ?? createSecretStore();
  // An install that was cut off is taken back first: what it had written must not count as the user's own.
  const staging = path.join(paths.data, "staging");
  if (lookAt(staging)) {
    const { recoverInstalls } = await import("./market/recover.ts");
    const locks = path.join(paths.data, "locks");
    await recoverInstalls(staging, { locks, removeSecret: (name) => secrets.remove(name) });
  }
  const config = await ConfigStore.open({ workspace, paths });
  const switches = new SwitchStore(config, workspace);
  const diagnostics = new DiagnosticStore();
  diagnostics.set("config", config.current.diagnostics);
  const trust = new TrustStore({ config, paths, workspace, clock });
  const tellTrust = (): void => diagnostics.set("trust", trust.diagnostics());
  tellTrust();
  config.onChange.on(({ diagnostics: found }) => diagnostics.set("config", found));
  config.onRead.on(tellTrust);
  trust.onChange.on(tellTrust);
  const disposables = new Disposables();
  const { startHelper, loginPath } = options.programs ?? {};
  const report = (text: string): void => log.warn(text);
  disposables.add(
    keepChildren({
      folder: running,
      env,
      report,
      ...(startHelper && { startHelper }),
      ...(loginPath && { loginPath: loginPath(report) }),
    }),
  );
  const sessions = new SessionStore({ workspace, dataDir: paths.data, ids, clock, mask: masker.mask });
  diagnostics.set("sessions", sessions.diagnostics());
  let proxied: typeof globalThis.fetch | undefined;
  return {
    options,
    workspace,
    projectRoot: findProjectRoot(workspace),
    paths,
    env,
    clock,
    ids,
    masker,
    log,
    config,
    switches,
    diagnostics,
    trust,
    broker: new ApprovalBroker({ ids, clock }),
    questions: new Questions(ids, listenerFailed),
    mcpRequests: new ServerRequests(ids, listenerFailed),
    background: new BackgroundCommands(clock, listenerFailed),
    sandbox: createSandbox({ platform: process.platform, env, paths }),
    secrets,
    /** The app's one fetch, made when first needed. */
    fetch: (): typeof globalThis.fetch => (proxied ??= createFetch(env)),
    tools: new ToolRegistry(),
    commands: new CommandRegistry(),
    sessions,
    disposables,
  };
}
