import path from "node:path";
import type { AppPaths } from "./types.ts";

/** Folders of the home folder where keys lie: as good as a key file, each of them (spec 4). */
export const keyFolders = ({ home }: Pick<AppPaths, "home">): string[] =>
  [".ssh", ".gnupg", ".aws"].map((name) => path.join(home, name));

/** User-level folders of other systems that servers, plugins and rules are read from (spec 2, Trust). */
export const userSources = ({ home, cst }: Pick<AppPaths, "home" | "cst">): string[] => [
  cst,
  ...[".config/kairox", ".config/dropstone", ".kairox"].map((name) => path.join(home, ...name.split("/"))),
];
