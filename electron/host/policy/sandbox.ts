import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { SandboxState } from "../../../shared/workspace.ts";
import type { AppPaths } from "../config/types.ts";
import { childEnvironment } from "../kit/environment.ts";
import { realPath } from "../kit/files.ts";
import { run, type SpawnSpec } from "../kit/process.ts";
import { bubblewrapArguments } from "./bubblewrap.ts";
import { type Guarded, nothingGuarded } from "./guarded.ts";
import {
  confinedEnvironment,
  existing,
  hiddenPlaces,
  resolverFile,
  runtimeFolders,
} from "./sandbox-places.ts";
import {
  brokenSandbox,
  missingSandbox,
  readSurroundings,
  type SandboxFault,
  unfilteredSandbox,
} from "./sandbox-state.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** What one confined process may do (spec 4, OS sandbox). All paths real. */
export interface Confinement {
  readonly workspace: string;
  readonly writableRoots: readonly string[];
  /** Folders that stay readable though they lie in one that is emptied, or in the host's /tmp: plugins, skills. */
  readonly readableRoots?: readonly string[];
  readonly network: boolean;
  /** The session's own temporary directory, bound as /tmp. */
  readonly tmp: string;
  /** Folders of its own, writable too; nothing in them is guarded. */
  readonly ownFolders?: readonly OwnFolder[];
}
/** One whose roots (`confinementRoots`) somebody has just looked at: what stands in them that is not to be changed. */
export interface GuardedConfinement extends Confinement {
  readonly guarded: readonly Guarded[];
  /** No other confined process runs that could exchange what is mounted: the mounts are not compared from inside. */
  readonly alone?: boolean;
}
/** A writable folder at `at`; with `from` it is another folder of the host that stands there. Both exist. */
export interface OwnFolder {
  readonly at: string;
  readonly from?: string;
}
/** The port behind which bubblewrap and Seatbelt stand. */
export interface Sandbox {
  /** `bubblewrap`, `seatbelt` or null where none can be had; null too once `verify` has failed. */
  readonly kind: "bubblewrap" | "seatbelt" | null;
  /** The command that runs `spec` confined. Rejects with NacreError `unavailable` where `kind` is null. */
  wrap(spec: SpawnSpec, confinement: GuardedConfinement): Promise<SpawnSpec>;
  /** Runs something confined once, to see that it works here; later calls give the same answer. */
  verify(): Promise<SandboxState>;
  /** What is known so far, for people: before `verify` a program that was found counts as one that works. */
  state(): SandboxState;
}

const seatbeltProgram = "/usr/bin/sandbox-exec";
const verifyTimeoutMs = 10_000;

/** The writable roots of a confinement that exist, each once. */
export const confinementRoots = ({ workspace, writableRoots }: Confinement): string[] =>
  existing([...new Set([workspace, ...writableRoots])]);

/** The sandbox of this machine. Looks for the program at once; whether it works is found out by `verify`. */
export function createSandbox(options: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  paths: AppPaths;
  architecture?: NodeJS.Architecture;
}): Sandbox {
  const { platform, env, paths, architecture = process.arch } = options;
  const found = findProgram(platform, env);
  const kind = found === undefined ? null : platform === "darwin" ? "seatbelt" : "bubblewrap";
  const filter = kind === "bubblewrap" ? seccompFilter(architecture) : undefined;
  let check: Promise<SandboxState> | undefined;
  let fault: SandboxFault | undefined =
    kind === null
      ? missingSandbox(platform, readSurroundings(env).osRelease)
      : kind === "bubblewrap" && filter === undefined
        ? unfilteredSandbox(architecture)
        : undefined;
  const wrap = async (spec: SpawnSpec, confinement: GuardedConfinement): Promise<SpawnSpec> => {
    if (found === undefined || fault !== undefined)
      throw new NacreError(
        "unavailable",
        `nothing can run confined here: ${fault?.reason ?? "no sandbox"}${fault?.fix === undefined ? "" : `; ${fault.fix}`}`,
      );
    const layout = {
      confinement,
      guarded: confinement.guarded,
      hidden: hiddenPlaces(paths).map((folder) => realPath(folder)),
      readable: existing(confinement.readableRoots ?? []).map((folder) => realPath(folder)),
    };
    const environment = confinedEnvironment(spec.env ?? childEnvironment(env));
    const command = [spec.command, ...spec.args];
    const cwd = spec.cwd ?? confinement.workspace;
    if (kind === "seatbelt") {
      const args = ["-p", seatbeltProfile(layout), "--", ...command];
      return { command: found, args, cwd, env: { ...environment, TMPDIR: confinement.tmp } };
    }
    const args = bubblewrapArguments({
      ...layout,
      command,
      cwd,
      runtime: runtimeFolders(),
      filter: 3,
      ...resolverFile(),
      ...(confinement.alone === true ? {} : { mountTable: fs.readFileSync("/proc/self/mountinfo", "utf8") }),
    });
    // bubblewrap changes into the folder itself, once it is inside.
    return {
      command: found,
      args,
      cwd: "/",
      env: { ...environment, TMPDIR: "/tmp" },
      guardian: true,
      inputs: filter === undefined ? [] : [filter],
    };
  };
  const tryOut = async (): Promise<SandboxFault | undefined> => {
    if (fault !== undefined) return fault;
    let tmp: string | undefined;
    try {
      tmp = fs.mkdtempSync(path.join(realPath(env["TMPDIR"] || "/tmp"), "nacre-sandbox-"));
      const spec = await wrap(
        { command: "true", args: [], env: { PATH: env["PATH"] } },
        { workspace: tmp, writableRoots: [], network: false, tmp, guarded: [nothingGuarded(tmp)] },
      );
      const { exit, output } = await run(spec, { timeoutMs: verifyTimeoutMs });
      if (exit.code === 0) return undefined;
      return brokenSandbox(output || `it ended with ${exit.code ?? exit.signal}`, readSurroundings(env));
    } catch (error) {
      return brokenSandbox(error instanceof Error ? error.message : String(error), readSurroundings(env));
    } finally {
      if (tmp !== undefined) fs.rmSync(tmp, { recursive: true, force: true });
    }
  };
  const state = (): SandboxState => ({ kind, ok: fault === undefined, ...fault });
  return {
    get kind() {
      return fault === undefined ? kind : null;
    },
    wrap,
    verify() {
      check ??= tryOut().then((result) => {
        fault = result;
        return state();
      });
      return check;
    },
    state,
  };
}

function findProgram(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === "darwin") return fs.existsSync(seatbeltProgram) ? seatbeltProgram : undefined;
  if (platform !== "linux") return undefined;
  return (env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, "bwrap"))
    .find(isExecutable);
}
function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    // Not there, or not ours to run: either way no candidate.
    return false;
  }
}
