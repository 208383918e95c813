/** A helper process that a shell started. */
export interface HelperProcess {
  /** True where the system may end it together with a host that is killed. */
  readonly mayEndWithHost?: boolean;
  /** Resolves when it has ended. Never rejects. */
  readonly ended: Promise<void>;
  /** Ends it at once. */
  kill(): void;
}
/**
 * Starts `helper.cjs` with exactly this environment: by `child_process` in the browser shell and on the command line, by
 * `utilityProcess.fork` on the desktop, where the app's executable does not run as Node.
 */
export type StartHelper = (environment: NodeJS.ProcessEnv) => HelperProcess;
