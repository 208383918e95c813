import type { SpawnSpec } from "../kit/process.ts";

/** What one confined process may do (spec 4, OS sandbox). All paths real. */
export interface Confinement {
  readonly workspace: string;
  readonly writableRoots: readonly string[];
  /** Folders that stay readable though they lie in one that is emptied: a plugin's under `<config>`. */
  readonly readableRoots?: readonly string[];
  readonly network: boolean;
  /** The session's own temporary directory, bound as /tmp. */
  readonly tmp: string;
}
/** The port behind which bubblewrap and Seatbelt stand. */
export interface Sandbox {
  /** `bubblewrap`, `seatbelt` or null where none can be had. */
  readonly kind: "bubblewrap" | "seatbelt" | null;
  /** The command that runs `spec` confined. @throws NacreError `unavailable` where `kind` is null. */
  wrap(spec: SpawnSpec, confinement: Confinement): SpawnSpec;
}
