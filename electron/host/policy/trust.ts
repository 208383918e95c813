import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject } from "../../../shared/json.ts";
import type { DeclarationRow } from "../../../shared/workspace.ts";
import type { Edit } from "../config/jsonc.ts";
import type { ConfigStore } from "../config/store.ts";
import type { AppPaths } from "../config/types.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { readText, realPath, sha256, writeAtomic } from "../kit/files.ts";

export type TrustState = DeclarationRow["state"];
/** A declaration as trust sees it: its contribution id and what it would run. */
export interface TrustSubject {
  readonly id: string;
  readonly digest: string;
}

/**
 * Trust of one workspace (spec 2). Its real path stands in `trusted_workspaces` of settings.json; the digests that were
 * approved lie in `<data>/trust`, one file a workspace. What is the user's own is not asked here.
 */
export class TrustStore {
  /** The approvals file of this workspace. */
  readonly file: string;
  readonly #config: ConfigStore;
  readonly #workspace: string;
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  readonly onChange: Listenable<void> = this.#changed;
  #approved: ReadonlyMap<string, string> = new Map();
  #problem: Diagnostic | undefined;
  #state: string;

  constructor(options: { config: ConfigStore; paths: AppPaths; workspace: string; clock?: Clock }) {
    this.#config = options.config;
    this.#workspace = realPath(options.workspace);
    this.#clock = options.clock ?? systemClock;
    this.file = path.join(options.paths.data, "trust", `${sha256(this.#workspace).slice(0, 32)}.json`);
    this.#read();
    this.#state = this.#snapshot();
    // Another host may have given or taken trust: its settings.json change comes through here.
    options.config.onChange.on(() => {
      this.#read();
      this.#tell();
    });
  }
  isTrusted(): boolean {
    return this.#config.current.settings.trustedWorkspaces.includes(this.#workspace);
  }
  /** `digest` is taken right before a start, of the very object that is started. */
  stateOf({ id, digest }: TrustSubject): TrustState {
    if (!this.isTrusted()) return "untrusted";
    return this.#approved.get(id) === digest ? "approved" : "needs_approval";
  }
  /** Trusts the path and approves exactly what is declared now. Takes effect when the promise resolves. */
  async trust(declarations: readonly TrustSubject[]): Promise<void> {
    // Approvals first: a crash in between leaves the workspace untrusted.
    await this.#write(new Map(declarations.map(({ id, digest }) => [id, digest])));
    await this.#config.updateSettings((current): Edit[] => {
      const list = Array.isArray(current["trusted_workspaces"]) ? current["trusted_workspaces"] : [];
      return list.includes(this.#workspace)
        ? []
        : [{ path: ["trusted_workspaces"], value: [...list, this.#workspace] }];
    });
    this.#tell();
  }
  /** Approves one new or changed declaration. */
  async approve({ id, digest }: TrustSubject): Promise<void> {
    this.#read();
    await this.#write(new Map([...this.#approved, [id, digest]]));
    this.#tell();
  }
  /** Takes trust away; who started something stops it on `onChange`. */
  async untrust(): Promise<void> {
    await this.#config.updateSettings((current): Edit[] => {
      const list = Array.isArray(current["trusted_workspaces"]) ? current["trusted_workspaces"] : [];
      const value = list.filter((entry) => entry !== this.#workspace);
      return value.length === list.length ? [] : [{ path: ["trusted_workspaces"], value }];
    });
    await fs.promises.rm(this.file, { force: true });
    this.#read();
    this.#tell();
  }
  /** A broken approvals file: nothing counts as approved until trust is given again. */
  diagnostics(): readonly Diagnostic[] {
    return this.#problem ? [this.#problem] : [];
  }
  #read(): void {
    this.#problem = undefined;
    const text = readText(this.file);
    const value = text === undefined ? {} : parseApprovals(text);
    if (value === undefined)
      this.#problem = {
        code: "trust-broken",
        severity: "warning",
        message: `${this.file} does not parse; what was approved in this workspace waits again`,
        path: this.file,
        fix: "trust the workspace again",
      };
    this.#approved = new Map(Object.entries(value ?? {}));
  }
  async #write(approved: ReadonlyMap<string, string>): Promise<void> {
    const at = new Date(this.#clock.now()).toISOString();
    const body = { v: 1, workspace: this.#workspace, at, approved: Object.fromEntries(approved) };
    await writeAtomic(this.file, `${JSON.stringify(body, null, 2)}\n`);
    this.#approved = approved;
    this.#problem = undefined;
  }
  #snapshot(): string {
    return JSON.stringify([this.isTrusted(), [...this.#approved]]);
  }
  #tell(): void {
    const state = this.#snapshot();
    if (state === this.#state) return;
    this.#state = state;
    this.#changed.emit();
  }
}

/** Undefined for what is no approvals file. */
function parseApprovals(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const approved = isObject(value) ? value["approved"] : undefined;
    if (!isObject(approved)) return undefined;
    return Object.fromEntries(
      Object.entries(approved).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
