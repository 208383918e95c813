import type { Finding } from "../kit/finding.ts";
import type { ResourceList } from "./resources.ts";
import type { SkillRoot } from "./roots.ts";
import type { RootScan } from "./scan.ts";

/** What became of one file: its text; why there is none; undefined where it is gone. */
export type ReadSkill =
  | {
      readonly text: string;
      /** The file itself lies in the skill's folder, links resolved. */ readonly inside: boolean;
    }
  | { readonly problem: Finding }
  | undefined;

export interface SkillFile {
  readonly path: string;
  /** Its skill's real folder, in which it has to lie to be `inside`. */
  readonly real: string;
}

/**
 * Everything that the local provider asks of a disk, handed in by the host, so that a remote workspace never falls
 * back to this machine (spec 3, Registry). Coarse: one await serves a whole pass. On this machine it works
 * synchronously inside and yields every 8 ms, but on the command line.
 */
export interface SkillFiles {
  /** The nearest ancestor that holds `.git`, a folder or a file; `cwd` itself where there is none. */
  projectRoot(cwd: string, signal?: AbortSignal): Promise<string>;
  /**
   * Looks once into each root, in the order given; of several that are one real folder, into the first. What cannot be
   * read is a diagnostic of its root.
   */
  scan(roots: readonly SkillRoot[], signal?: AbortSignal): Promise<readonly RootScan[]>;
  /** One file's text. */
  read(file: SkillFile, signal?: AbortSignal): Promise<ReadSkill>;
  /**
   * As `read`, in the order given. Of what stands below the front matter nothing has to be there, unless it says
   * something about the skill: characters beyond ASCII, or a NUL.
   * @param files With the bytes that each had when it was looked at, a moment ago
   */
  readHeads(
    files: readonly (SkillFile & { readonly size: number })[],
    signal?: AbortSignal,
  ): Promise<readonly ReadSkill[]>;
  /** Names of a skill's files. */
  resources(folder: string): Promise<ResourceList>;
  /** One of them, at most 512 KB. @throws NacreError `denied`, `not_found`, `invalid_input` */
  resource(folder: string, file: string): Promise<string>;
}
