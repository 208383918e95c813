import path from "node:path";
import type { MarketDetail, MarketSearch } from "../../../shared/contract/market.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import type {
  InstallPlan,
  InstallStep,
  MarketEvent,
  MarketItem,
  MarketKind,
  MarketSourceRow,
  MarketView,
  Receipt,
} from "../../../shared/market.ts";
import type { ConfigStore } from "../config/store.ts";
import type { Clock } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { childEnvironment } from "../kit/environment.ts";
import { isInside, lookAt, realPath } from "../kit/files.ts";
import { run } from "../kit/process.ts";
import type { SecretStore } from "../secrets.ts";
import { builtinEntries, builtinFiles, builtinSource } from "./builtin.ts";
import { install, type InstallPorts } from "./install.ts";
import { placesOf, type InstallScope, type Places } from "./places.ts";
import { placementOf, planInstall } from "./plan.ts";
import { ReceiptStore } from "./receipts.ts";
import { assertRequirements, Requirements } from "./requirements.ts";
import { RunningInstalls } from "./running-installs.ts";
import { rank } from "./search.ts";
import type { CatalogEntry, EntryFile } from "./types.ts";
import { uninstall, type Uninstalled } from "./uninstall.ts";
import { assertKnownVariables, resolveVariables } from "./variables.ts";

export interface MarketOptions {
  readonly config: ConfigStore;
  readonly secrets: Pick<SecretStore, "probe" | "set" | "remove">;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  /** Switches on, approves by its digest and starts what the receipt names. A server that does not start is no failure. */
  onInstalled(receipt: Receipt): Promise<void>;
  /** Stops and forgets what the receipt named; also after an install that failed while it was switched on. */
  onRemoved(receipt: Receipt): Promise<void>;
  onDiagnostics(found: readonly Diagnostic[]): void;
}

/** The marketplace of one workspace (spec 9): what can be installed, what is, and the way from one to the other. */
export class Market {
  readonly #options: MarketOptions;
  readonly #entries: readonly CatalogEntry[] = builtinEntries();
  readonly #requirements: Requirements;
  readonly #running = new RunningInstalls();
  readonly #events = new Emitter<MarketEvent>();
  readonly onEvent: Listenable<MarketEvent> = this.#events;

  constructor(options: MarketOptions) {
    this.#options = options;
    this.#running.onChange.on((shown) => this.#events.emit({ type: "install", install: shown }));
    const env = childEnvironment(options.env);
    this.#requirements = new Requirements({
      run: (command, args, timeoutMs) => run({ command, args, env }, { timeoutMs }),
      now: () => options.clock.now(),
    });
  }
  async search(query: string, kind?: MarketKind): Promise<MarketSearch> {
    const installed = this.#installed();
    const found = rank(this.#entries, query, kind);
    const items = await Promise.all(found.map((entry) => this.#item(entry, installed)));
    return { items, sources: this.sources() };
  }
  /** @throws NacreError `not_found` */
  async detail(id: string): Promise<MarketDetail> {
    const entry = this.#entry(id);
    const { install: form, homepage } = entry;
    return {
      ...(await this.#item(entry, this.#installed())),
      description: entry.description || entry.summary,
      readme: bodyOf(filesOf(entry)) ?? entry.description,
      ...(homepage === undefined ? {} : { homepage }),
      command: form.kind === "stdio" ? [form.command, ...form.args] : [],
    };
  }
  /**
   * What an install would write and run.
   * @param variables answers that are known already; only their names are looked at
   * @throws NacreError `not_found`, `already_exists`; `invalid_input` for a variable that is not asked; `denied` where a
   *   link of the workspace leads out of it
   */
  async plan(
    id: string,
    scope: InstallScope,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<InstallPlan> {
    const entry = this.#entry(id);
    assertKnownVariables(entry.variables, variables, entry.name);
    this.#assertFree(entry, scope);
    const requirements = await this.#requirements.check(entry.needs);
    return planInstall(entry, scope, this.#places(), filesOf(entry), requirements);
  }
  /**
   * Installs what a plan showed and a person approved.
   * @throws NacreError `needs_setup` for a missing runtime or variable, and what `install` throws; nothing is left then
   */
  async install(
    { plan, variables }: { plan: InstallPlan; variables: Readonly<Record<string, string>> },
    onProgress: (step: InstallStep) => void,
    signal: AbortSignal,
  ): Promise<Receipt> {
    const entry = this.#entry(plan.id);
    const receipt = await this.#running.run(
      { id: plan.id, name: entry.title },
      async (show, either) => {
        const request = await this.#request(entry, plan, variables);
        const onStep = (step: InstallStep): void => {
          show(step);
          onProgress(step);
        };
        return install(request, this.#ports(), onStep, either);
      },
      signal,
    );
    this.#tellReceipts();
    return receipt;
  }
  /** Cancels an install that is under way; what it did is taken back. */
  cancel(id: string): void {
    this.#running.cancel(id);
  }
  /**
   * Removes what a receipt lists, of the workspace before the user's own.
   * @throws NacreError `not_found`
   */
  async uninstall(id: string): Promise<Uninstalled> {
    const receipts = this.receipts().filter((receipt) => receipt.id === id);
    const receipt = receipts.find(({ scope }) => scope === "workspace") ?? receipts[0];
    if (!receipt) throw new NacreError("not_found", `${id} was not installed from the marketplace`);
    const removed = await uninstall(receipt, this.#ports());
    this.#tellReceipts();
    return removed;
  }
  receipts(): readonly Receipt[] {
    const { receipts, diagnostics } = this.#receiptStore().read();
    this.#options.onDiagnostics(diagnostics);
    return receipts;
  }
  sources(): readonly MarketSourceRow[] {
    return [
      {
        id: builtinSource.id,
        kind: "builtin",
        url: builtinSource.file,
        enabled: true,
        ok: true,
        stale: false,
      },
    ];
  }
  view(): MarketView {
    return { sources: this.sources(), installs: this.#running.views(), receipts: this.receipts() };
  }

  #tellReceipts(): void {
    this.#events.emit({ type: "receipts", receipts: this.receipts() });
  }
  #entry(id: string): CatalogEntry {
    const entry = this.#entries.find((one) => one.id === id);
    if (!entry) throw new NacreError("not_found", `the marketplace has no ${id}: search for it first`);
    return entry;
  }
  #places(): Places {
    const { config } = this.#options;
    const { targets } = config.current.settings.market;
    return placesOf({ paths: config.paths, workspace: config.workspace, targets });
  }
  #receiptStore(): ReceiptStore {
    return new ReceiptStore(this.#places());
  }
  /** Ids of what was installed and is still there. */
  #installed(): ReadonlySet<string> {
    return new Set(this.receipts().flatMap((receipt) => (this.#isThere(receipt) ? [receipt.id] : [])));
  }
  #isThere({ files, entries }: Receipt): boolean {
    return (
      files.some((file) => lookAt(file.path) !== undefined) ||
      entries.some((entry) => this.#declares(entry.path, entry.pointer.at(-1)))
    );
  }
  #declares(file: string, name: string | undefined): boolean {
    const real = realPath(file);
    return this.#options.config.current.mcp.some((one) => one.name === name && realPath(one.file) === real);
  }
  async #item(entry: CatalogEntry, installed: ReadonlySet<string>): Promise<MarketItem> {
    return {
      id: entry.id,
      kind: entry.kind,
      name: entry.title,
      description: entry.summary,
      source: entry.source,
      ...(entry.version === undefined ? {} : { version: entry.version }),
      ...(entry.author === undefined ? {} : { author: entry.author }),
      trust: entry.trust,
      installed: installed.has(entry.id),
      requirements: await this.#requirements.check(entry.needs),
    };
  }
  /** An early answer; placing looks again. */
  #assertFree(entry: CatalogEntry, scope: InstallScope): void {
    const { folder, entry: server } = placementOf(entry, scope, this.#places(), filesOf(entry));
    if (scope === "workspace") this.#assertInside(folder?.target ?? server?.file);
    const isTaken =
      (folder !== undefined && lookAt(path.join(folder.target, "SKILL.md")) !== undefined) ||
      (server !== undefined && this.#declares(server.file, entry.name));
    if (!isTaken) return;
    const where = folder?.target ?? server?.file;
    throw new NacreError(
      "already_exists",
      `${entry.title} is installed already, in ${where}: remove it first`,
    );
  }
  /** @throws NacreError `denied` where a link of the workspace leads out of it: a folder brings no such target along */
  #assertInside(target: string | undefined): void {
    const { workspace } = this.#options.config;
    for (const place of [target, this.#places().receipts("workspace")]) {
      if (place === undefined) continue;
      const real = realPath(place);
      if (!isInside(workspace, real))
        throw new NacreError(
          "denied",
          `${place} leads to ${real}, outside of the workspace: replace the link by a folder, or install for yourself (user)`,
        );
    }
  }
  async #request(
    entry: CatalogEntry,
    plan: InstallPlan,
    variables: Readonly<Record<string, string>>,
  ): Promise<Parameters<typeof install>[0]> {
    const now = await this.plan(entry.id, plan.scope, variables);
    assertRequirements(entry.title, now.requirements);
    const hasStore = (await this.#options.secrets.probe()) !== "none";
    const { written, secrets } = resolveVariables(entry.variables, variables, entry.name, hasStore);
    return {
      plan,
      placement: placementOf(entry, plan.scope, this.#places(), filesOf(entry), written),
      secrets,
      source: entry.source,
      ...(entry.version === undefined ? {} : { version: entry.version }),
      digestNow: now.digest,
    };
  }
  #ports(): InstallPorts {
    const { config, secrets, clock } = this.#options;
    return {
      staging: this.#places().staging,
      locks: path.join(config.paths.data, "locks"),
      receipts: this.#receiptStore(),
      config,
      setSecret: (name, value) => secrets.set(name, value),
      removeSecret: (name) => secrets.remove(name),
      now: () => new Date(clock.now()).toISOString(),
      onInstalled: (receipt) => this.#options.onInstalled(receipt),
      onRemoved: (receipt) => this.#options.onRemoved(receipt),
    };
  }
}
const filesOf = ({ install: form }: CatalogEntry): readonly EntryFile[] =>
  form.kind === "folder" ? builtinFiles(form.path) : [];
/** The text of a skill without its frontmatter. */
const bodyOf = (files: readonly EntryFile[]): string | undefined =>
  files
    .find((file) => file.path === "SKILL.md")
    ?.text.replace(/^---\n[\s\S]*?\n---\n/, "")
    .trim();
