import type { Contribution } from "../../../shared/contribution.ts";
import type { AppPaths, McpDeclaration } from "../config/types.ts";
import type { Dispose } from "../kit/disposable.ts";
import type { Listenable } from "../kit/emitter.ts";
import type { Logger } from "../kit/log.ts";
import type { Fingerprint } from "../policy/digest.ts";
import type { Sandbox } from "../policy/sandbox.ts";
import type { Tool } from "../tools/types.ts";

/** What the plugins of a workspace need of the rest of the house. */
export interface PluginsOptions {
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly trust: {
    isTrusted(): boolean;
    stateOf(subject: { id: string; digest: string }): "untrusted" | "needs_approval" | "approved";
    untrust(): Promise<void>;
    readonly onChange: Listenable<void>;
  };
  /** The user's plugins that installs have brought: they count by what their receipts say (spec 2, Trust). */
  readonly installed: {
    /** Reads the receipts again. */
    reload(): Promise<void>;
    has(folder: string): boolean;
    stateOf(folder: string, now: Fingerprint): "needs_approval" | "approved";
  };
  /** Trusts the folder with everything it declares now; in a window the person is asked first. @throws NacreError `denied` */
  readonly trustAll: (asking: {
    readonly sessionId: string | null;
    readonly signal: AbortSignal;
  }) => Promise<void>;
  readonly switches: {
    isOn(id: string, fallback?: boolean): boolean;
    set(id: string, on: boolean, scope: "user" | "workspace"): Promise<void>;
    readonly onChange: Listenable<unknown>;
  };
  readonly environment: () => NodeJS.ProcessEnv;
  readonly sandbox: Sandbox;
  readonly log: Logger;
  readonly sinks: {
    /** @throws NacreError `already_exists`, which names both owners */
    addTool(tool: Tool): Dispose;
    addSkillRoot(root: {
      plugin: string;
      owner: string;
      path: string;
      trusted: boolean;
      enabled: boolean;
      single?: boolean;
    }): Dispose;
    addMcp(declarations: readonly McpDeclaration[]): Dispose;
    /** Resolves when the skills of added and removed roots are known. */
    skillsSettled?(): Promise<void>;
    /** What is known of the skills in the roots of one owner. */
    skillsOf(owner: string): readonly Contribution[];
  };
}
