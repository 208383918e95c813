import { isObject } from "../../../shared/json.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import type { Edit } from "./jsonc.ts";
import type { ConfigStore } from "./store.ts";
import type { Settings } from "./types.ts";

/**
 * On and off per contribution id (spec 1). A workspace's contribution is switched for that workspace's real path, any
 * other for all workspaces; a switch of this workspace wins.
 */
export class SwitchStore {
  readonly #config: ConfigStore;
  readonly #workspace: string;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  /** The ids whose switch changed, by whomever. */
  readonly onChange: Listenable<ReadonlySet<string>> = this.#changed;
  #known: ReadonlyMap<string, boolean>;

  constructor(config: ConfigStore, workspace: string = config.workspace) {
    this.#config = config;
    this.#workspace = workspace;
    this.#known = flatten(config.current.settings, workspace);
    config.onChange.on(({ settings }) => {
      const before = this.#known;
      this.#known = flatten(settings, workspace);
      const ids = [...new Set([...before.keys(), ...this.#known.keys()])];
      const changed = new Set(ids.filter((id) => before.get(id) !== this.#known.get(id)));
      if (changed.size > 0) this.#changed.emit(changed);
    });
  }
  /** `fallback` is what counts where nobody has switched. */
  isOn(id: string, fallback = true): boolean {
    return this.#known.get(id) ?? fallback;
  }
  /** `scope` says whose contribution it is. */
  async set(id: string, on: boolean, scope: "user" | "workspace"): Promise<void> {
    await this.#config.updateSettings((current): Edit[] => {
      const here = ["workspace_switches", this.#workspace, id];
      if (scope === "workspace") return [{ path: here, value: on }];
      const edits: Edit[] = [{ path: ["switches", id], value: on }];
      // A switch of this workspace would hide the one that is set here.
      const all = current["workspace_switches"];
      const own = isObject(all) ? all[this.#workspace] : undefined;
      if (isObject(own) && Object.hasOwn(own, id)) edits.push({ path: here, value: undefined });
      return edits;
    });
  }
}
const flatten = (settings: Settings, workspace: string): ReadonlyMap<string, boolean> =>
  new Map([
    ...Object.entries(settings.switches),
    ...Object.entries(settings.workspaceSwitches[workspace] ?? {}),
  ]);
