import fs from "node:fs";
import path from "node:path";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { AppPaths } from "../config/types.ts";
import { isInside } from "../kit/files.ts";
import { ownIdentity, type ProcessIdentity } from "../kit/process-identity.ts";
import { type Guarded, ProtectedTrees } from "../policy/guarded.ts";
import { type LookNote, noteLook, type NotedLook, type RunPlaces, takeLooks } from "../policy/look-notes.ts";
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
  readonly before: readonly NotedLook[];
  /** Removes what is noted of it for the next start. */
  readonly forget: () => void;
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
  readonly #notes: string;
  #owner: ProcessIdentity | undefined;
  #recovered: Promise<readonly string[]> | undefined;

  constructor(paths: AppPaths, onDiagnostic: ApproveDeps["onDiagnostic"]) {
    this.#paths = paths;
    this.#onDiagnostic = onDiagnostic;
    this.#trees = new ProtectedTrees(userPlaces(paths));
    this.#notes = path.join(paths.data, "run");
  }
  /**
   * Looks at the roots, right before something starts in them. @throws NacreError `unavailable` where a root cannot be
   * looked through, so that nothing in it could be kept from what starts
   */
  async begin(confinement: Confinement): Promise<ConfinedRun> {
    const roots = confinementRoots(confinement);
    // Nacre makes these itself when first needed: that must not look like the run's doing.
    for (const own of [this.#paths.config, this.#paths.data, this.#paths.cache])
      if (roots.some((root) => isInside(root, own))) fs.mkdirSync(own, { recursive: true });
    await this.recover();
    const guarded = await Promise.all(roots.map((root) => this.#trees.scan(root, roots)));
    assertSeen(guarded);
    this.#tellUnseen(guarded);
    const before = guarded.map((one) => this.#withoutNew(one));
    const { forget, alone } = this.#note(before, placesOf(confinement, guarded));
    const watched: Watched = { before, forget, ending: undefined };
    this.#running.add(watched);
    return { confinement: { ...confinement, guarded, alone }, end: () => this.#end(watched) };
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
  /**
   * Takes out what runs made whose process was killed before it could. Done once, at the start or by the first run. Gives a
   * line for each. Never rejects.
   */
  recover(): Promise<readonly string[]> {
    return (this.#recovered ??= this.#quarantine(takeLooks(this.#notes)));
  }
  /** Ends every watch, also of what still runs. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#running].map((watched) => this.#end(watched)));
  }

  #end(watched: Watched): Promise<readonly string[]> {
    return (watched.ending ??= this.#quarantine(watched.before).finally(() => {
      this.#running.delete(watched);
      watched.forget();
    }));
  }
  #note(before: readonly NotedLook[], places: RunPlaces): LookNote {
    try {
      this.#owner ??= ownIdentity();
      return noteLook(this.#notes, this.#owner, before, places);
    } catch (error) {
      const message = `what a confined command makes will not be found after a crash: ${toErrorValue(error).message}`;
      this.#onDiagnostic({ code: "look-not-noted", severity: "warning", message, path: this.#notes });
      return { forget: () => undefined, alone: false };
    }
  }
  /** What appeared while another run goes on is not taken for old. */
  #withoutNew(look: Guarded): Guarded {
    const others = [...this.#running].flatMap(({ before }) => before);
    const near = others.filter(({ root }) => isInside(root, look.root) || isInside(look.root, root));
    if (near.length === 0) return look;
    const isNew = new Set(near.flatMap((before) => newlyProtected(before, within(look, before.root))));
    return { ...look, names: new Map([...look.names].filter(([file]) => !isNew.has(file))) };
  }
  async #quarantine(before: readonly NotedLook[]): Promise<readonly string[]> {
    const roots = before.map(({ root }) => root);
    const lines: string[] = [];
    for (const old of before)
      try {
        const now = await this.#trees.scan(old.root, roots, old);
        const { moved, failed } = quarantine(newlyProtected(old, now), old, this.#paths.data);
        lines.push(
          ...moved.map((one) => this.#tellMoved(old.root, one)),
          ...failed.map(({ from, reason }) => this.#tellFailed(from, reason)),
          ...[...now.unseen]
            .filter((folder) => !old.unseen.has(folder))
            .map((folder) =>
              this.#tellFailed(folder, "it is closed, or holds too many folders to look through"),
            ),
        );
      } catch (error) {
        lines.push(this.#tellFailed("what a confined command made", toErrorValue(error).message));
      }
    return lines;
  }
  #tellMoved(root: string, { from, to }: Quarantined): string {
    const name = isInside(root, from) ? path.relative(root, from) : from;
    const message = `${name} was made while a confined command ran and moved to ${to}: look at it there; if you made it yourself, put it back with ${moveCommand(to, from)}`;
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
          code: "sandbox-tree-unseen",
          severity: "warning",
          message: `${listed([...unseen])} in ${root} cannot be looked through, closed or with too many folders: confined commands can only read there`,
          path: root,
          fix: "open a smaller folder as the workspace, or give yourself the right to read there",
        });
  }
}
function assertSeen(guarded: readonly Guarded[]): void {
  for (const { root, closed, unseen } of guarded) {
    if (!unseen.has(root)) continue;
    throw new NacreError(
      "unavailable",
      closed.has(root)
        ? `${root} cannot be listed, so that nothing in it could be kept from a confined command; open it to yourself: chmod u+rwx ${quoted(root)}`
        : `${root} holds too many folders to look through before a confined command; open a smaller folder as the workspace, or remove what is not needed`,
    );
  }
}
const listed = (folders: readonly string[]): string =>
  folders.length > 3
    ? `${folders.slice(0, 3).join(", ")} and ${folders.length - 3} more`
    : folders.join(", ");
/** What is mounted below a folder that a confined process may write in. */
function placesOf({ ownFolders = [] }: Confinement, guarded: readonly Guarded[]): RunPlaces {
  const own = ownFolders.flatMap(({ at, from = at }) => [at, from]);
  const writable = [...guarded.flatMap(({ root, gitFolders }) => [root, ...gitFolders]), ...own];
  const mounts = guarded.flatMap((one) => [...one.readOnly, ...one.anchors, ...one.emptyFolders]);
  return { writable, mounts: [...writable, ...mounts] };
}
/** What of a look lies in another root. */
const within = (look: Guarded, root: string): Guarded => ({
  ...look,
  names: new Map([...look.names].filter(([file]) => isInside(root, file))),
  links: new Map([...look.links].filter(([file]) => isInside(root, file))),
});
/** As it is typed in the platform's shell. */
const moveCommand = (from: string, to: string): string =>
  process.platform === "win32"
    ? `Move-Item -LiteralPath ${quoted(from, "''")} -Destination ${quoted(to, "''")}`
    : `mv ${quoted(from)} ${quoted(to)}`;
const quoted = (text: string, quote = String.raw`'\''`): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", quote)}'`;
