import { NacreError } from "../../../shared/errors.ts";
import type { Dispose } from "../kit/disposable.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { canonicalToolName } from "./aliases.ts";
import type { Tool } from "./types.ts";

/** May run beside others of one step (spec 4). Only the class says so, never a look at the arguments. */
export const isReadOnly = (tool: Tool): boolean => tool.perm === "read";

/** Where a tool comes from, in the record and on screen: `builtin`, `mcp github`. */
export const originText = ({ origin }: Tool): string =>
  origin.kind === "builtin" ? "builtin" : `${origin.kind} ${origin.owner}`;

const owner = (tool: Tool): string =>
  tool.origin.kind === "builtin" ? "Nacre itself" : `${tool.origin.kind} "${tool.origin.owner}"`;

/** Every tool there is. A name or title belongs to one tool alone, so that no two of them can be mixed up. */
export class ToolRegistry {
  readonly #byName = new Map<string, Tool>();
  readonly #byTitle = new Map<string, Tool>();
  readonly #changed = new Emitter<void>();
  readonly onChange: Listenable<void> = this.#changed;
  #list: readonly Tool[] | undefined;

  /** @throws NacreError `already_exists`, which names both owners. */
  add(tool: Tool): Dispose {
    for (const name of new Set([tool.name, tool.title])) {
      const other = this.#byName.get(name) ?? this.#byTitle.get(name);
      if (other)
        throw new NacreError(
          "already_exists",
          `the tool "${name}" of ${owner(tool)} is left out: ${owner(other)} has one of that name; rename one of them or turn it off`,
        );
    }
    this.#byName.set(tool.name, tool);
    this.#byTitle.set(tool.title, tool);
    this.#changedNow();
    return () => {
      if (this.#byName.get(tool.name) !== tool) return;
      this.#byName.delete(tool.name);
      this.#byTitle.delete(tool.title);
      this.#changedNow();
    };
  }
  /** Sorted by name, the same array until something changes (provider caches hit on an equal list). */
  list(): readonly Tool[] {
    this.#list ??= Object.freeze([...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
    return this.#list;
  }
  /** By the model's name, the interface's title, or another system's alias, in this order. */
  get(name: string): Tool | undefined {
    return this.#byName.get(name) ?? this.#byTitle.get(name) ?? this.#byName.get(canonicalToolName(name));
  }
  #changedNow(): void {
    this.#list = undefined;
    this.#changed.emit();
  }
}
