import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { DeclarationChange, DeclarationRow } from "../../../shared/workspace.ts";
import { withFileLock } from "../config/file-lock.ts";
import type { Edit } from "../config/jsonc.ts";
import type { ConfigStore } from "../config/store.ts";
import type { AppPaths } from "../config/types.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { readText, realPath, sha256, writeAtomic } from "../kit/files.ts";
import {
  contentOf,
  parseApprovals,
  writeApprovals,
  type Approved,
  type ApprovedMap,
} from "./approvals-file.ts";
import { ApprovedCopies, currentText } from "./approved-copies.ts";
import { declarationChanges } from "./declaration-changes.ts";
import type { Fingerprint } from "./digest.ts";
import { sameFolderInMainTree } from "./worktree.ts";

export type TrustState = DeclarationRow["state"];
/** A declaration as trust sees it: its contribution id and what it would run. */
export interface TrustSubject {
  readonly id: string;
  readonly digest: string;
}
/** What a person approves. With a fingerprint, a later change can be shown beside it. */
export interface Approvable extends TrustSubject {
  readonly fingerprint?: Fingerprint;
}

/**
 * Trust of one workspace (spec 2). Its real path stands in `trusted_workspaces` of settings.json; what was approved lies
 * in `<data>/trust`, one file a workspace. What is the user's own is not asked here.
 */
export class TrustStore {
  /** The approvals file of this workspace. */
  readonly file: string;
  readonly #config: ConfigStore;
  readonly #workspace: string;
  readonly #locks: string;
  readonly #clock: Clock;
  readonly #copies: ApprovedCopies;
  readonly #changed = new Emitter<void>();
  readonly onChange: Listenable<void> = this.#changed;
  #approved: ApprovedMap | undefined;
  #problem: Diagnostic | undefined;
  #leftover: Diagnostic | undefined;
  #state: string;

  constructor(options: { config: ConfigStore; paths: AppPaths; workspace: string; clock?: Clock }) {
    this.#config = options.config;
    this.#workspace = realPath(options.workspace);
    this.#clock = options.clock ?? systemClock;
    this.#locks = path.join(options.paths.data, "locks");
    const folder = path.join(options.paths.data, "trust");
    this.#copies = new ApprovedCopies(folder);
    this.file = path.join(folder, `${sha256(this.#workspace).slice(0, 32)}.json`);
    this.#read();
    this.#state = this.#snapshot();
    // Another host may have given or taken trust: its settings.json change comes through here.
    options.config.onRead.on(() => {
      this.#read();
      this.#tell();
    });
  }
  isTrusted(): boolean {
    return this.#config.current.settings.trustedWorkspaces.includes(this.#workspace);
  }
  /** The trusted folder of which this one, which is not, is a git worktree: trust covers one folder alone. */
  worktreeOf(): string | undefined {
    if (this.isTrusted()) return undefined;
    const main = sameFolderInMainTree(this.#workspace);
    return main !== undefined && this.#config.current.settings.trustedWorkspaces.includes(main)
      ? main
      : undefined;
  }
  /** False where a person wrote the path into settings.json and nothing was ever approved. */
  hasApprovals(): boolean {
    return this.#approved !== undefined;
  }
  /** `digest` is taken right before a start, of the very object that is started. */
  stateOf({ id, digest }: TrustSubject): TrustState {
    if (!this.isTrusted()) return "untrusted";
    return this.#approved?.get(id)?.digest === digest ? "approved" : "needs_approval";
  }
  /** What is different from what was approved of this id; undefined where nothing was, or only its digest is known. */
  changesOf(id: string, now: Fingerprint): DeclarationChange[] | undefined {
    const content = this.#approved?.get(id)?.content;
    if (!content) return undefined;
    return declarationChanges(content, now, {
      before: (hash) => this.#copies.read(hash),
      after: currentText,
    });
  }
  /**
   * Trusts the path and approves exactly what is handed over: all of it, or nothing where settings.json does not take it.
   * Takes effect when the promise resolves.
   * @throws NacreError `configuration`, `io`
   */
  async trust(declarations: readonly Approvable[]): Promise<void> {
    await this.#config.reload();
    this.#assertSettingsUsable("was not trusted");
    await this.#exclusive(async () => {
      this.#read();
      const before = this.#approved;
      // Approvals first: a crash in between leaves the workspace untrusted.
      await this.#write(await this.#kept(declarations));
      try {
        await this.#config.updateSettings((current): Edit[] => {
          const list = Array.isArray(current["trusted_workspaces"]) ? current["trusted_workspaces"] : [];
          return list.includes(this.#workspace)
            ? []
            : [{ path: ["trusted_workspaces"], value: [...list, this.#workspace] }];
        });
        this.#assertSettingsUsable("was not trusted");
        if (!this.isTrusted())
          throw new NacreError("configuration", `${this.#settingsFile} does not keep ${this.#workspace}`);
      } catch (error) {
        await this.#restore(before);
        throw error;
      }
    });
    this.#tell();
  }
  /** Approves one new or changed declaration. @throws NacreError `io` */
  async approve(declaration: Approvable): Promise<void> {
    await this.#exclusive(async () => {
      this.#read();
      await this.#write(new Map([...(this.#approved ?? []), ...(await this.#kept([declaration]))]));
    });
    this.#tell();
  }
  /**
   * Takes trust away; who started something stops it on `onChange`. Where settings.json cannot be changed nothing counts
   * as approved all the same. @throws NacreError `configuration`, `io`
   */
  async untrust(): Promise<void> {
    await this.#exclusive(async () => {
      this.#read();
      if (this.#approved) await this.#write(new Map());
      this.#tell();
      await this.#config.updateSettings((current): Edit[] => {
        const list = Array.isArray(current["trusted_workspaces"]) ? current["trusted_workspaces"] : [];
        const value = list.filter((entry) => entry !== this.#workspace);
        return value.length === list.length ? [] : [{ path: ["trusted_workspaces"], value }];
      });
      this.#assertSettingsUsable("is not taken out of the trusted folders");
      await this.#restore(undefined);
    });
    this.#tell();
  }
  /**
   * A broken approvals file: nothing counts as approved until trust is given again. Old texts that cannot be removed:
   * they change nothing.
   */
  diagnostics(): readonly Diagnostic[] {
    return [this.#problem, this.#leftover].flatMap((found) => found ?? []);
  }

  get #settingsFile(): string {
    return path.join(this.#config.paths.config, "settings.json");
  }
  /** What a file says that is not taken in is not what it will say when it is mended. */
  #assertSettingsUsable(what: string): void {
    const problem = this.#config.current.diagnostics.find(
      ({ path: file, code }) =>
        file === this.#settingsFile && ["file-broken", "file-unreadable", "settings-unusable"].includes(code),
    );
    if (problem)
      throw new NacreError(
        "configuration",
        `${this.#workspace} ${what}: ${problem.message}; mend or replace ${this.#settingsFile}, then try again`,
      );
  }
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return withFileLock(this.#locks, path.dirname(this.file), work);
  }
  #read(): void {
    this.#problem = undefined;
    try {
      const text = readText(this.file);
      this.#approved = text === undefined ? undefined : parseApprovals(text, this.#workspace);
      if (text !== undefined && this.#approved === undefined)
        this.#approveNothing(
          `${this.file} does not parse, or is of another folder`,
          "trust the workspace again",
        );
    } catch (error) {
      const fix = `see that ${this.file} is a file that can be read, or remove it; then trust the workspace again`;
      this.#approveNothing(toErrorValue(error).message, fix);
    }
  }
  #approveNothing(reason: string, fix: string): void {
    this.#approved = new Map();
    const message = `${reason}; what was approved in this workspace waits again`;
    this.#problem = { code: "trust-broken", severity: "warning", message, path: this.file, fix };
  }
  /** As the approvals file holds it, once the texts are kept. */
  async #kept(declarations: readonly Approvable[]): Promise<ApprovedMap> {
    const kept = new Map<string, Approved>();
    for (const { id, digest, fingerprint } of declarations) {
      if (fingerprint) await this.#copies.keep(fingerprint);
      kept.set(id, fingerprint ? { digest, content: contentOf(fingerprint) } : { digest });
    }
    return kept;
  }
  async #write(approved: ApprovedMap): Promise<void> {
    const at = new Date(this.#clock.now()).toISOString();
    const text = writeApprovals(this.#workspace, at, approved);
    // Declarations hold what people write into them: tokens, too.
    await this.#closeFolder();
    await writeAtomic(this.file, text, { mode: 0o600, folderMode: 0o700 });
    this.#approved = approved;
    this.#problem = undefined;
    await this.#sweep();
  }
  async #closeFolder(): Promise<void> {
    const folder = path.dirname(this.file);
    try {
      await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
      await fs.promises.chmod(folder, 0o700);
    } catch (error) {
      const reason = toErrorValue(error).message;
      throw new NacreError("io", `${folder} cannot be kept to the user alone: ${reason}`, { cause: error });
    }
  }
  /** What is approved is written by now: a text too many takes nothing of it back. */
  async #sweep(): Promise<void> {
    this.#leftover = undefined;
    try {
      await this.#copies.sweep();
    } catch (error) {
      const folder = path.dirname(this.file);
      this.#leftover = {
        code: "trust-leftover",
        severity: "warning",
        message: `texts that nothing approved names any more could not be removed: ${toErrorValue(error).message}`,
        path: folder,
        fix: `see that everything in ${folder} may be removed by you`,
      };
    }
  }
  async #restore(approved: ApprovedMap | undefined): Promise<void> {
    if (approved) return this.#write(approved);
    await fs.promises.rm(this.file, { force: true });
    this.#read();
    await this.#sweep();
  }
  #snapshot(): string {
    const digests = [...(this.#approved ?? [])].map(([id, { digest }]) => [id, digest]);
    return JSON.stringify([this.isTrusted(), this.hasApprovals(), digests]);
  }
  #tell(): void {
    const state = this.#snapshot();
    if (state === this.#state) return;
    this.#state = state;
    this.#changed.emit();
  }
}
