import type { ApprovalPolicy, SandboxPolicy } from "../../shared/policy.ts";
import type { AppPaths } from "./config/types.ts";
import type { Clock, Ids } from "./kit/clock.ts";
import type { StartHelper } from "./kit/helper/start-helper.ts";
import type { SecretStore } from "./secrets.ts";

/**
 * A window is behind it, where any page can send what no person wants: the host asks before it trusts or allows more. A
 * command line is none: there the person typed it, and it lives for one thing.
 */
export const isWindow = ({ canAsk, shell }: Pick<HostOptions, "canAsk" | "shell">): boolean =>
  canAsk && shell !== "cli";

/** What a shell says when it opens a host on a folder. */
export interface HostOptions {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly paths: AppPaths;
  readonly version: string;
  readonly shell: "desktop" | "browser" | "cli";
  /** False: nobody can be asked, so what asks is denied (headless). */
  readonly canAsk: boolean;
  /** Shows the sign-in page of a remote server, where nobody else can be asked: `nacre mcp login`. */
  readonly showSignIn?: (page: URL, server: string, signal: AbortSignal) => Promise<void>;
  /** The folder of the built entries, `dist/node`. */
  readonly built: string;
  /** `--tools minimal`: built-in file and shell tools alone, no extension at all (spec 4). */
  readonly minimal?: boolean;
  /** What this start of the app says instead of the settings. */
  readonly policy?: {
    readonly approval?: ApprovalPolicy;
    readonly sandbox?: SandboxPolicy;
    readonly allow: readonly string[];
  };
  /** `--model`, `--agent`, `--max-steps` of `run`. */
  readonly model?: string;
  readonly role?: string;
  readonly maxSteps?: number;
  readonly programs?: {
    /** How this shell starts our helper process; without `programs` there is none. */
    readonly startHelper: StartHelper;
    /** Asks for the PATH of children, where it is not ours; `report` hears why it could not be had. */
    readonly loginPath?: (report: (text: string) => void) => Promise<string | undefined>;
    /** Opens a Markdown file with the system's program, or shows it in its folder. @throws NacreError `denied`, `io` */
    readonly showFile?: (file: string, what: "file" | "folder") => Promise<void>;
  };
  /** Another store than the system's keyring: the desktop has one behind it. */
  readonly secrets?: SecretStore;
  readonly clock?: Clock;
  readonly ids?: Ids;
}
