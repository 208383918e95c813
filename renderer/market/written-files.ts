import type { InstallPlan } from "../../shared/market.ts";

export interface WrittenFiles {
  /** The folder that holds all of them, with its closing separator; empty where there is none. */
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly bytes: number;
}

/** The files of a plan below the folder that they share. Paths of any system. */
export function writtenFiles(writes: InstallPlan["writes"]): WrittenFiles {
  const folders = writes.map(({ path }) => path.slice(0, path.search(/[^/\\]*$/)));
  const shared = folders.reduce<string | undefined>(
    (before, folder) => (before === undefined ? folder : sharedFolder(before, folder)),
    undefined,
  );
  const folder = shared ?? "";
  return {
    folder,
    files: writes.map(({ path, bytes }) => ({ name: path.slice(folder.length), bytes })),
    bytes: writes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function sharedFolder(a: string, b: string): string {
  let end = 0;
  for (let at = 0; at < Math.min(a.length, b.length) && a[at] === b[at]; at += 1)
    if (a[at] === "/" || a[at] === "\\") end = at + 1;
  return a.slice(0, end);
}
