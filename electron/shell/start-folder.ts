import path from "node:path";

export interface StartOptions {
  /** `process.argv`: the executable, in a checkout the project's folder, then the arguments. */
  readonly argv: readonly string[];
  readonly isPackaged: boolean;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The folder that the command line asks for: its first argument that is no switch, else `NACRE_WORKSPACE`. */
export function requestedFolder({ argv, isPackaged, cwd, env }: StartOptions): string | undefined {
  const words = argv.slice(1).filter((word) => !word.startsWith("-"));
  const word = words[isPackaged ? 0 : 1] ?? (env["NACRE_WORKSPACE"] || undefined);
  return word === undefined ? undefined : path.resolve(cwd, word);
}

/** What the first window opens: what was asked for, the last folder that still exists, else the home folder. */
export function startFolder(
  requested: string | undefined,
  recent: readonly string[],
  home: string,
  isFolder: (folder: string) => boolean,
): string {
  return requested ?? recent.find(isFolder) ?? home;
}
