import path from "node:path";
import { toErrorValue } from "../../../shared/errors.ts";
import { isInside } from "../kit/files.ts";
import type { Confinement } from "../policy/sandbox.ts";
import { protectedNow, quarantineNew } from "../policy/quarantine.ts";
import type { ApproveDeps } from "./approve.ts";
import type { ToolOutput } from "./types.ts";

interface Watched {
  readonly roots: readonly string[];
  readonly before: ReadonlySet<string>;
}
/** Watches over confined runs: protected folders that one makes are taken out of the workspace when it ends. */
export class ConfinedRuns {
  readonly #dataFolder: string;
  readonly #onDiagnostic: ApproveDeps["onDiagnostic"];
  readonly #running = new Set<Watched>();

  constructor(dataFolder: string, onDiagnostic: ApproveDeps["onDiagnostic"]) {
    this.#dataFolder = dataFolder;
    this.#onDiagnostic = onDiagnostic;
  }
  /** Runs; the output says what was moved where, a diagnostic too, also when the run throws. @throws what `run` throws */
  async watch(confinement: Confinement, run: () => Promise<ToolOutput>): Promise<ToolOutput> {
    const roots = [...new Set([confinement.workspace, ...confinement.writableRoots])];
    const watched = { roots, before: this.#before(roots) };
    this.#running.add(watched);
    let notes: readonly string[] = [];
    let output: ToolOutput;
    try {
      output = await run();
    } finally {
      this.#running.delete(watched);
      notes = this.#quarantine(watched);
    }
    if (notes.length === 0) return output;
    return { ...output, output: [output.output, ...notes.map((note) => `(${note})`)].join("\n") };
  }
  /** What appeared while another run goes on is not taken for old. */
  #before(roots: readonly string[]): ReadonlySet<string> {
    const others = [...this.#running];
    const isNew = (file: string): boolean =>
      others.some((other) => !other.before.has(file) && other.roots.some((root) => isInside(root, file)));
    return new Set([...protectedNow(roots)].filter((file) => !isNew(file)));
  }
  #quarantine({ roots, before }: Watched): string[] {
    try {
      return quarantineNew(before, roots, this.#dataFolder).map(({ from, to }) => {
        const root = roots.find((folder) => isInside(folder, from)) ?? "";
        const note = `${path.relative(root, from)} was made by a confined command and moved to ${to}: look at it there`;
        this.#onDiagnostic({ code: "quarantined", severity: "warning", message: note, path: to });
        return note;
      });
    } catch (error) {
      const message = `what a confined command made could not be moved to the quarantine: ${toErrorValue(error).message}`;
      this.#onDiagnostic({
        code: "quarantine-failed",
        severity: "error",
        message,
        fix: "look at .git, .agent and the like in the workspace, and remove what you did not make",
      });
      return [message];
    }
  }
}
