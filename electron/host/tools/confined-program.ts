import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { AppPaths } from "../config/types.ts";
import { lookAt, realPath, sha256 } from "../kit/files.ts";
import type { SpawnSpec } from "../kit/process.ts";
import type { OwnFolder, Sandbox } from "../policy/sandbox.ts";
import type { ConfinedRuns } from "./confined-run.ts";
import type { SessionTemp } from "./session-temp.ts";

/** How a program that is no tool call runs confined: an MCP server, a hook. */
export interface ConfineRequest {
  /** Names the program among all that run here: its own home folder and `/tmp` go by it. */
  readonly id: string;
  readonly writableRoots: readonly string[];
  /** Folders that stay readable though they lie under `<config>` or `<data>`: the program's plugin. */
  readonly readableRoots?: readonly string[];
  /** Folders of its own beside the workspace, writable; they exist. */
  readonly ownFolders?: readonly string[];
  readonly network: boolean;
  /** Gives it `<data>/servers/<id>` as HOME, and the cache of the launcher that it starts by (npx, uvx) (spec 6). */
  readonly ownHome?: {
    /** What the declaration sets itself stays. */
    readonly declared: Readonly<Record<string, string>>;
    /** The user's environment, which says where launchers keep their caches. */
    readonly env: Readonly<NodeJS.ProcessEnv>;
  };
}
/** A program that is ready to start. `ended` has to be called when it has ended, or is not started after all. */
interface ConfinedProgram {
  readonly spec: SpawnSpec;
  /** Takes out what it made under protected names and removes its `/tmp`. Never rejects. */
  ended(): Promise<void>;
}
/** @throws NacreError `unavailable` where nothing can run confined here; never gives an unconfined command */
export type Confine = (spec: SpawnSpec, request: ConfineRequest) => Promise<ConfinedProgram>;

/** Where a program's HOME is kept from one start to the next. */
export function homeOf(paths: AppPaths, id: string): string {
  const plain = id.replaceAll(/[^\w.-]+/g, "-");
  return path.join(
    paths.data,
    "servers",
    plain === id ? id : `${plain.slice(0, 80)}-${sha256(id).slice(0, 8)}`,
  );
}

/** The one way to confine what is no tool call. Every start gets a fresh `/tmp`. */
export function createConfine(deps: {
  readonly sandbox: Sandbox;
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly runs: ConfinedRuns;
  readonly temp: SessionTemp;
}): Confine {
  const { sandbox, workspace, paths, runs, temp } = deps;
  let started = 0;
  return async (spec, request) => {
    const { ok, reason, fix } = await sandbox.verify();
    if (!ok)
      throw new NacreError(
        "unavailable",
        `it asks for a sandbox, and nothing can run confined here: ${reason ?? "there is no sandbox"}; ${fix === undefined ? "" : `${fix}, or `}set sandbox to false`,
      );
    const key = `program ${++started} ${request.id}`;
    const home = request.ownHome && ownHome(spec, request.id, request.ownHome.env);
    const run = await runs.begin({
      workspace,
      writableRoots: request.writableRoots.map((root) => realPath(root)),
      readableRoots: request.readableRoots ?? [],
      network: request.network,
      tmp: temp.folder(key),
      ownFolders: [
        ...(request.ownFolders ?? []).map((folder) => ({ at: realPath(folder) })),
        ...(home?.folders ?? []),
      ],
    });
    const ended = async (): Promise<void> => {
      await run.end();
      // What cannot be removed now is swept at the next start.
      await temp.end(key).catch(() => undefined);
    };
    try {
      const env = home ? { ...spec.env, ...home.env, ...request.ownHome?.declared } : spec.env;
      const wrapped = await sandbox.wrap(env === undefined ? spec : { ...spec, env }, run.confinement);
      return { spec: wrapped, ended };
    } catch (error) {
      await ended();
      throw error;
    }
  };

  function ownHome(
    spec: SpawnSpec,
    id: string,
    env: Readonly<NodeJS.ProcessEnv>,
  ): { readonly env: NodeJS.ProcessEnv; readonly folders: readonly OwnFolder[] } {
    const home = folder(homeOf(paths, id));
    const launcher = /(?:^|[\\/])(npx|uvx|uv)$/.exec(spec.command)?.[1];
    const cache = launcher === undefined ? undefined : launcherCache(launcher, home, env);
    return {
      env: {
        HOME: home,
        // They would lead out of the home folder.
        XDG_CONFIG_HOME: undefined,
        XDG_DATA_HOME: undefined,
        XDG_CACHE_HOME: undefined,
        XDG_STATE_HOME: undefined,
        ...cache?.env,
      },
      folders: [{ at: home }, ...(cache?.folders ?? [])],
    };
  }
  /** The user's own cache, so that nothing is fetched twice; what npx runs from is the program's own all the same. */
  function launcherCache(
    launcher: string,
    home: string,
    env: Readonly<NodeJS.ProcessEnv>,
  ): { readonly env: NodeJS.ProcessEnv; readonly folders: readonly OwnFolder[] } {
    if (launcher !== "npx") {
      const own =
        env["UV_CACHE_DIR"] ?? path.join(env["XDG_CACHE_HOME"] ?? path.join(paths.home, ".cache"), "uv");
      const cache = folder(own);
      return { env: { UV_CACHE_DIR: cache }, folders: [{ at: cache }] };
    }
    const userConfig = path.join(paths.home, ".npmrc");
    const config = fs.existsSync(userConfig) ? { npm_config_userconfig: userConfig } : {};
    // Seatbelt cannot put one folder in the place of another: there the whole cache is the program's own.
    if (sandbox.kind !== "bubblewrap") return { env: config, folders: [] };
    const cache = folder(env["npm_config_cache"] ?? path.join(paths.home, ".npm"));
    const run = { at: folder(path.join(cache, "_npx")), from: ownFolder(home, ".npm", "_npx") };
    return { env: { ...config, npm_config_cache: cache }, folders: [{ at: cache }, run] };
  }
}
/** A folder of the program's own home; a link that it has put on the way is taken away, since it could lead anywhere. */
function ownFolder(home: string, ...names: readonly string[]): string {
  let at = home;
  for (const name of names) {
    at = path.join(at, name);
    if (lookAt(at)?.isDirectory() === false) fs.rmSync(at);
    if (lookAt(at) === undefined) fs.mkdirSync(at, { mode: 0o700 });
  }
  return at;
}
/** Made where it is missing; its real path. */
function folder(at: string): string {
  fs.mkdirSync(at, { recursive: true, mode: 0o700 });
  return realPath(at);
}
