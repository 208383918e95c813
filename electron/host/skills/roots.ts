import path from "node:path";
import type { Scope } from "../../../shared/contribution.ts";
import type { AppPaths } from "../config/types.ts";

/** Where discovery starts from. All absolute. */
export interface Where {
  /** The caller's working directory. */
  readonly cwd: string;
  /** Nearest ancestor of `cwd` that holds `.git`; `cwd` itself if none. */
  readonly projectRoot: string;
  readonly paths: AppPaths;
}
interface RootRules {
  /** Lowest wins. */
  readonly rank: number;
  readonly source: string;
  readonly scope: Scope;
  /** `<root>/<name>.md` is a skill too. */
  readonly flatFiles: boolean;
  /** A file without front matter takes its name from its folder (Hermit). */
  readonly inferred: boolean;
  /** What else is a warning about names and lengths is an error (Dropstone). */
  readonly strict: boolean;
}
/** One row of the table of spec 3. */
interface RootRow extends RootRules {
  /** Nearest first. */
  readonly folders: (where: Where) => readonly string[];
}
/** One folder whose children are skills. */
export interface SkillRoot extends RootRules {
  readonly path: string;
  /** The `owner` of ids (spec 1): the source, `~N` for its N-th further root; a plugin's name. */
  readonly owner: string;
  /** 0 is the nearest of its source. */
  readonly level: number;
  /** The plugin that brings it; its skills are named `plugin:name`. */
  readonly plugin?: string;
  /** Whether it is the folder of one skill instead of a folder of skills. */
  readonly single?: boolean;
  /** False where the plugin waits for trust; its skills are listed and cannot be loaded. */
  readonly approved: boolean;
  /** False where the plugin is switched off. */
  readonly enabled: boolean;
}

/** From the working directory up to the project root. */
function upward(where: Where): readonly string[] {
  const folders: string[] = [];
  for (let folder = where.cwd; ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === where.projectRoot) return folders;
    // A working directory outside its project root has no way up.
    if (folder === path.dirname(folder)) return [where.cwd];
  }
}
const walkingUp =
  (...names: readonly string[]) =>
  (where: Where): readonly string[] =>
    upward(where).map((folder) => path.join(folder, ...names));

const plain = { flatFiles: false, inferred: false, strict: false };
/** Rank decides first, then the nearest level (spec 3, Roots). */
const table: readonly RootRow[] = [
  {
    ...plain,
    rank: 90,
    source: "project-nacre",
    scope: "workspace",
    inferred: true,
    folders: ({ cwd }) => [path.join(cwd, ".agent", "skills")],
  },
  {
    ...plain,
    rank: 200,
    source: "project-agents",
    scope: "workspace",
    flatFiles: true,
    folders: walkingUp(".agents", "skills"),
  },
  {
    ...plain,
    rank: 210,
    source: "project-claude",
    scope: "workspace",
    inferred: true,
    folders: walkingUp(".claude", "skills"),
  },
  {
    ...plain,
    rank: 390,
    source: "user-nacre",
    scope: "user",
    inferred: true,
    folders: ({ paths }) => [path.join(paths.config, "skills")],
  },
];
export const runtimeRank = 250;
const pluginRank = 700;

/** The switch of one row of the table. */
export const rootSwitch = (source: string): string => `skills:${source}`;

/** Every folder that may hold skills for `where`, whether it exists or not; best rank first. */
export const tableRoots = (where: Where): readonly SkillRoot[] =>
  table.flatMap(({ folders, ...rules }) =>
    folders(where).map((folder, level) => ({
      ...rules,
      path: folder,
      level,
      owner: level === 0 ? rules.source : `${rules.source}~${level}`,
      approved: true,
      enabled: true,
    })),
  );

/** What a plugin hands over: one of its skill folders. */
export interface PluginSkillRoot {
  /** The plugin's name; its skills are `plugin:name`. */
  readonly plugin: string;
  /** The `owner` of their ids where the name alone is not unique: `jira~1` for the second plugin `jira`. */
  readonly owner?: string;
  readonly path: string;
  /** False: the plugin waits; the skills are listed as untrusted. */
  readonly trusted: boolean;
  /** False: the plugin is switched off; the skills are listed as off. */
  readonly enabled?: boolean;
  /** The folder is one skill itself. */
  readonly single?: boolean;
}
export const pluginRoot = (root: PluginSkillRoot, level: number): SkillRoot => ({
  ...plain,
  rank: pluginRank,
  source: "plugin",
  scope: "plugin",
  inferred: true,
  path: root.path,
  owner: root.owner ?? root.plugin,
  level,
  plugin: root.plugin,
  approved: root.trusted,
  enabled: root.enabled ?? true,
  ...(root.single ? { single: true } : {}),
});
