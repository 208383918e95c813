import type { Component } from "vue";
import type { WorkspaceView } from "../../shared/workspace.ts";

/** One tab of the settings. A room exports its own; `settings-tabs.ts` puts them in one list. */
export interface SettingsTab {
  /** In the address: `#/settings/ID`. */
  readonly id: string;
  /** Ascending from the top; leave room between. */
  readonly order: number;
  /** Key of the tab's name; in English one of cli.md's. */
  readonly labelKey: string;
  readonly icon: Component;
  /** Loaded when first shown. Gets no props; reads the workspace store. */
  readonly component: Component;
  /** How many things it lists, shown beside the name. */
  readonly count?: (view: WorkspaceView) => number;
}
