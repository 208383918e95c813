import fs from "node:fs";
import path from "node:path";
import { isInside } from "../kit/files.ts";
import { realOrGiven } from "./real-or-given.ts";
import { findProjectRoot, foldersUpTo } from "./project-root.ts";
import type { AppPaths } from "./types.ts";

/** The files of spec 2 for one workspace. Absolute; whether they exist is found out by reading. */
export interface Sources {
  readonly projectRoot: string;
  readonly settings: string;
  readonly mcp: readonly {
    readonly file: string;
    readonly owner: string;
    readonly scope: "user" | "workspace";
  }[];
  /** User-level files that really lie in the workspace, where its agent writes: they count as the workspace's. */
  readonly inWorkspace: ReadonlySet<string>;
  /** Highest precedence first within a scope. */
  readonly toml: { readonly user: readonly string[]; readonly workspace: readonly string[] };
  /** The user's, then the project's from the root down. */
  readonly dropstone: { readonly user: string; readonly workspace: readonly string[] };
  readonly keybinds: string;
  /** Outermost first. `folder` is null for the user's own. */
  readonly instructions: readonly { readonly file: string; readonly folder: string | null }[];
}

/**
 * Lists the files. In Kairox's own layering `config.local.toml` overrides `config.toml` beside it. A user-level file
 * that the workspace reaches too (the home folder as workspace) stays the user's, by its real path.
 */
export function configSources(workspace: string, paths: AppPaths): Sources {
  const projectRoot = findProjectRoot(workspace);
  const nearestFirst = foldersUpTo(workspace, projectRoot);
  const rootFirst = nearestFirst.toReversed();
  const user = {
    mcp: [path.join(paths.config, "mcp.json"), path.join(paths.cst, "mcp.json")],
    toml: [path.join(paths.config, "nacre.toml"), path.join(paths.home, ".kairox", "config.toml")],
    dropstone: path.join(paths.home, ".config", "dropstone", "dropstone.json"),
    instructions: path.join(paths.config, "AGENTS.md"),
  };
  const usersOwn = new Set(
    [...user.mcp, ...user.toml, user.dropstone, user.instructions]
      .filter((file) => fs.existsSync(file))
      .map(realOrGiven),
  );
  // Looking is much cheaper than resolving, and most of the files do not exist.
  const isUsers = (file: string): boolean =>
    usersOwn.size > 0 && fs.existsSync(file) && usersOwn.has(realOrGiven(file));
  const workspaceOnly = (files: string[]): string[] => files.filter((file) => !isUsers(file));
  const kairox = (folder: string): string[] => [
    path.join(folder, ".kairox", "config.local.toml"),
    path.join(folder, ".kairox", "config.toml"),
    path.join(folder, "kairox.toml"),
  ];
  const inWorkspace = new Set(
    [...user.mcp, ...user.toml, user.dropstone].filter(
      (file) => fs.existsSync(file) && !isUsersOwn(realOrGiven(file), file, workspace, paths),
    ),
  );
  const scopeOf = (file: string): "user" | "workspace" => (inWorkspace.has(file) ? "workspace" : "user");
  const workspaceMcp = [
    { file: path.join(workspace, ".agent", "mcp.json"), owner: "workspace" },
    { file: path.join(workspace, ".mcp.json"), owner: "project" },
  ].filter(({ file }) => !isUsers(file));
  return {
    projectRoot,
    settings: path.join(paths.config, "settings.json"),
    mcp: [
      ...workspaceMcp.map((entry) => ({
        ...entry,
        scope: liesUnderUsers(realOrGiven(entry.file), paths) ? ("user" as const) : ("workspace" as const),
      })),
      ...user.mcp.map((file, index) => ({
        file,
        owner: index === 0 ? "user" : "cst",
        scope: scopeOf(file),
      })),
    ],
    inWorkspace,
    toml: {
      user: user.toml,
      workspace: workspaceOnly([
        path.join(workspace, ".agent", "nacre.toml"),
        ...nearestFirst.flatMap(kairox),
      ]),
    },
    dropstone: {
      user: user.dropstone,
      workspace: workspaceOnly(rootFirst.map((folder) => path.join(folder, "dropstone.json"))),
    },
    keybinds: path.join(paths.config, "keybinds.json"),
    instructions: [
      { file: user.instructions, folder: null },
      ...rootFirst
        .map((folder) => ({ file: path.join(folder, "AGENTS.md"), folder }))
        .filter(({ file }) => !isUsers(file)),
    ],
  };
}

/** Whether a real path lies under `<config>` or `<cst>`: whatever leads there, it is the user's own (spec 2, Trust). */
const liesUnderUsers = (real: string, paths: AppPaths): boolean =>
  [paths.config, paths.cst].some((folder) => isInside(realOrGiven(folder), real));
/** Whether a user-level file is the user's own by its real path, and not a link into the workspace. */
const isUsersOwn = (real: string, file: string, workspace: string, paths: AppPaths): boolean =>
  !isInside(workspace, real) ||
  liesUnderUsers(real, paths) ||
  // Below the home folder as it stands, also where that is the workspace.
  real === path.join(realOrGiven(paths.home), path.relative(paths.home, file));
