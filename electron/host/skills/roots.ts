import path from "node:path";
import type { Scope } from "../../../shared/contribution.ts";
import { configHome } from "../config/paths.ts";
import { foldersUpTo } from "../config/project-root.ts";
import type { AppPaths, Settings } from "../config/types.ts";
import { isInside } from "../kit/files.ts";

/** What the places of skills follow from, whoever asks. All paths absolute. */
interface SkillPlaces {
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly settings: Pick<Settings["skills"], "dirs" | "dshHome" | "agentsHome" | "bundledDir">;
  readonly env: NodeJS.ProcessEnv;
  /** The app's own skills; undefined where it has none. */
  readonly bundled?: string | undefined;
}
/** Where discovery starts from. */
export interface Where extends SkillPlaces {
  /** The caller's working directory. */
  readonly cwd: string;
  /** Nearest ancestor of `cwd` that holds `.git`; `cwd` itself if none. */
  readonly projectRoot: string;
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
  /** Nearest first; a place that nobody named keeps its number, which ids are made of. */
  readonly folders: (where: Where) => readonly (string | undefined)[];
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

const row = (
  rank: number,
  source: string,
  scope: Scope,
  rules: Partial<Pick<RootRules, "flatFiles" | "inferred" | "strict">>,
  folders: RootRow["folders"],
): RootRow => ({ flatFiles: false, inferred: false, strict: false, rank, source, scope, ...rules, folders });

/** The workspace, for whoever works in it; a folder elsewhere is its own. */
const workspaceOf = ({ cwd, workspace }: Where): string => (isInside(workspace, cwd) ? workspace : cwd);
const inWorkspace =
  (...names: readonly string[]) =>
  (where: Where): readonly string[] => [path.join(workspaceOf(where), ...names)];
const walkingUp =
  (...names: readonly string[]) =>
  ({ cwd, projectRoot }: Where): readonly string[] =>
    foldersUpTo(cwd, projectRoot).map((folder) => path.join(folder, ...names));
const inHome =
  (...names: readonly string[]) =>
  ({ paths }: Where): readonly string[] => [path.join(paths.home, ...names)];
/** Other programs' folders below the XDG configuration home. */
const inConfigHome = ({ env, paths }: Where, ...names: readonly string[]): string =>
  path.join(configHome(env, paths.home, process.platform), ...names);
const skillsIn = (folder: string | undefined): string | undefined =>
  folder === undefined ? undefined : path.join(folder, "skills");

const flat = { flatFiles: true };
const inferred = { inferred: true };
const strict = { strict: true };
/** The table of spec 3, Roots, but for what is no folder of its own: session, runtime, plugin. */
const table: readonly RootRow[] = [
  row(90, "project-nacre", "workspace", inferred, inWorkspace(".agent", "skills")),
  row(100, "project-dsh", "workspace", flat, ({ projectRoot }) => [path.join(projectRoot, ".dsh", "skills")]),
  row(200, "project-agents", "workspace", flat, walkingUp(".agents", "skills")),
  row(210, "project-claude", "workspace", inferred, walkingUp(".claude", "skills")),
  row(220, "project-dropstone", "workspace", strict, walkingUp(".dropstone", "skills")),
  row(230, "project-kairox", "workspace", {}, inWorkspace(".kairox", "skills")),
  row(300, "custom", "user", flat, ({ settings }) => settings.dirs),
  row(390, "user-nacre", "user", inferred, ({ paths }) => [skillsIn(paths.config)]),
  row(395, "user-cst-agent", "user", inferred, ({ paths }) => [skillsIn(paths.cst)]),
  // Its `.system`, which holds what DSH itself brings, is passed over as every hidden folder is.
  row(400, "user-dsh", "user", flat, (where) =>
    where.settings.dshHome === undefined
      ? inHome(".dsh", "skills")(where)
      : [skillsIn(where.settings.dshHome)],
  ),
  row(500, "user-agents", "user", flat, (where) =>
    where.settings.agentsHome === undefined
      ? inHome(".agents", "skills")(where)
      : [skillsIn(where.settings.agentsHome)],
  ),
  row(510, "user-claude", "user", inferred, inHome(".claude", "skills")),
  row(520, "user-dropstone", "user", strict, (where) => [inConfigHome(where, "dropstone", "skills")]),
  row(530, "user-kairox", "user", {}, (where) => [
    ...inHome(".kairox", "skills")(where),
    inConfigHome(where, "kairox", "skills"),
  ]),
  row(600, "bundled", "bundled", flat, ({ bundled, settings, env }) => [
    bundled,
    settings.bundledDir ?? absolute(env["DSH_BUNDLED_SKILL_DIR"]),
  ]),
];
/** An empty variable names nothing; a relative one would mean another folder in each program. */
const absolute = (folder: string | undefined): string | undefined =>
  folder !== undefined && path.isAbsolute(folder) ? folder : undefined;

export const runtimeRank = 250;
/** Skills of MCP servers: behind all that lies on this machine but plugins'. */
export const mcpRank = 650;
const pluginRank = 700;

/** The switch of one row of the table. */
export const rootSwitch = (source: string): string => `skills:${source}`;
/** Every row of the table that has a switch, in its order (spec 3, Roots). */
export const rootSources: readonly Pick<SkillRoot, "rank" | "source" | "scope">[] = [
  { rank: 0, source: "session", scope: "session" } as const,
  ...table.map(({ rank, source, scope }) => ({ rank, source, scope })),
  { rank: runtimeRank, source: "runtime", scope: "session" } as const,
  { rank: mcpRank, source: "mcp", scope: "user" } as const,
  { rank: pluginRank, source: "plugin", scope: "plugin" } as const,
].toSorted((a, b) => a.rank - b.rank);

/** Every folder that may hold skills for `where`, whether it exists or not; best rank first. */
export const tableRoots = (where: Where): readonly SkillRoot[] =>
  table.flatMap(({ folders, ...rules }) =>
    folders(where).flatMap((folder, level) =>
      folder === undefined
        ? []
        : {
            ...rules,
            path: folder,
            level,
            owner: level === 0 ? rules.source : `${rules.source}~${level}`,
            approved: true,
            enabled: true,
          },
    ),
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
  flatFiles: false,
  strict: false,
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
