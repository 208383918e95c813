import fs from "node:fs";
import path from "node:path";
import { toErrorValue } from "../../../shared/errors.ts";
import type { AppPaths } from "../config/types.ts";
import { isInside } from "../kit/files.ts";
import { type Guarded, ProtectedTrees } from "../policy/guarded.ts";
import { newlyProtected, quarantine, type Quarantined } from "../policy/quarantine.ts";
import { type Confinement, confinementRoots, type GuardedConfinement } from "../policy/sandbox.ts";
import { userPlaces } from "../policy/user-places.ts";
import type { ApproveDeps } from "./approve.ts";
import type { ToolOutput } from "./types.ts";

/** A confined run that is watched: it starts with `confinement` and ends with `end`. */
export interface ConfinedRun {
  /** The confinement with what stands in its roots now. */
  readonly confinement: GuardedConfinement;
  /**
   * Takes what the run made under protected names out of its roots; gives a line for each. Twice is fine. Never rejects.
   */
  end(): Promise<readonly string[]>;
}
interface Watched {
  readonly before: readonly Guarded[];
  ending: Promise<readonly string[]> | undefined;
}

/**
 * Watches over confined runs, calls as well as servers and hooks: protected folders and files that one makes are taken out
 * of the workspace when it ends (spec 4).
 */
export class ConfinedRuns {
  readonly #paths: AppPaths;
  readonly #onDiagnostic: ApproveDeps["onDiagnostic"];
  readonly #trees: ProtectedTrees;
  readonly #running = new Set<Watched>();

  constructor(paths: AppPaths, onDiagnostic: ApproveDeps["onDiagnostic"]) {
    this.#paths = paths;
    this.#onDiagnostic = onDiagnostic;
    this.#trees = new ProtectedTrees(userPlaces(paths));
  }
  /** Looks at the roots, right before something starts in them. */
  async begin(confinement: Confinement): Promise<ConfinedRun> {
    const roots = confinementRoots(confinement);
    // Nacre makes these itself when first needed: that must not look like the run's doing.
    for (const own of [this.#paths.config, this.#paths.data, this.#paths.cache])
      if (roots.some((root) => isInside(root, own))) fs.mkdirSync(own, { recursive: true });
    const guarded = await this.#look(roots);
    this.#tellUnseen(guarded);
    const watched: Watched = { before: guarded.map((one) => this.#withoutNew(one)), ending: undefined };
    this.#running.add(watched);
    return { confinement: { ...confinement, guarded }, end: () => this.#end(watched) };
  }
  /**
   * Runs a call; its output says what was moved where, a diagnostic too, also when it throws. Where the call leaves
   * something running it keeps the watch and ends it itself. @throws what `run` throws
   */
  async watch(
    confinement: Confinement,
    run: (confinement: GuardedConfinement, keepWatch: () => ConfinedRun["end"]) => Promise<ToolOutput>,
  ): Promise<ToolOutput> {
    const watched = await this.begin(confinement);
    let kept = false;
    let notes: readonly string[] = [];
    let output: ToolOutput;
    try {
      output = await run(watched.confinement, () => {
        kept = true;
        return () => watched.end();
      });
    } finally {
      if (!kept) notes = await watched.end();
    }
    if (notes.length === 0) return output;
    return { ...output, output: [output.output, ...notes.map((note) => `(${note})`)].join("\n") };
  }
  /** Ends every watch, also of what still runs. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#running].map((watched) => this.#end(watched)));
  }

  #look(roots: readonly string[]): Promise<Guarded[]> {
    return Promise.all(roots.map((root) => this.#trees.scan(root)));
  }
  #end(watched: Watched): Promise<readonly string[]> {
    return (watched.ending ??= this.#quarantine(watched));
  }
  /** What appeared while another run goes on is not taken for old. */
  #withoutNew(look: Guarded): Guarded {
    const others = [...this.#running].flatMap(({ before }) => before);
    const near = others.filter(({ root }) => isInside(root, look.root) || isInside(look.root, root));
    if (near.length === 0) return look;
    const isNew = new Set(near.flatMap((before) => newlyProtected(before, within(look, before.root))));
    return { ...look, names: new Map([...look.names].filter(([file]) => !isNew.has(file))) };
  }
  async #quarantine(watched: Watched): Promise<readonly string[]> {
    const { before } = watched;
    try {
      const after = await this.#look(before.map(({ root }) => root));
      return before.flatMap((old, at) => {
        const now = after[at];
        if (now === undefined) return [];
        const { moved, failed } = quarantine(newlyProtected(old, now), old, this.#paths.data);
        return [
          ...moved.map((one) => this.#tellMoved(old.root, one)),
          ...failed.map(({ from, reason }) => this.#tellFailed(from, reason)),
        ];
      });
    } catch (error) {
      return [this.#tellFailed("what a confined command made", toErrorValue(error).message)];
    } finally {
      this.#running.delete(watched);
    }
  }
  #tellMoved(root: string, { from, to }: Quarantined): string {
    const name = isInside(root, from) ? path.relative(root, from) : from;
    const message = `${name} was made by a confined command and moved to ${to}: look at it there; what is yours can be moved back to ${from}`;
    this.#onDiagnostic({ code: "quarantined", severity: "warning", message, path: to });
    return message;
  }
  #tellFailed(what: string, reason: string): string {
    const message = `${what} could not be moved to the quarantine: ${reason}`;
    this.#onDiagnostic({
      code: "quarantine-failed",
      severity: "error",
      message,
      fix: "look at .git, .agent and the like in the workspace, and remove what you did not make",
    });
    return message;
  }
  #tellUnseen(guarded: readonly Guarded[]): void {
    for (const { root, unseen } of guarded)
      if (unseen.size > 0)
        this.#onDiagnostic({
          code: "sandbox-tree-too-wide",
          severity: "warning",
          message: `${root} holds too many folders to look through: protected folders far down in it are not kept from confined commands`,
          path: root,
          fix: "open a smaller folder as the workspace",
        });
  }
}
/** What of a look lies in another root. */
const within = (look: Guarded, root: string): Guarded => ({
  ...look,
  names: new Map([...look.names].filter(([file]) => isInside(root, file))),
});
