import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { AppPaths } from "../config/types.ts";
import { childEnvironment } from "../kit/environment.ts";
import { realPath } from "../kit/files.ts";
import { run, type SpawnSpec } from "../kit/process.ts";
import { bubblewrapArguments } from "./bubblewrap.ts";
import { findGuarded } from "./guarded.ts";
import { seatbeltProfile } from "./seatbelt.ts";

/** What one confined process may do (spec 4, OS sandbox). All paths real. */
export interface Confinement {
  readonly workspace: string;
  readonly writableRoots: readonly string[];
  /** Folders that stay readable though they lie in one that is emptied, or in the host's /tmp: plugins, skills. */
  readonly readableRoots?: readonly string[];
  readonly network: boolean;
  /** The session's own temporary directory, bound as /tmp. */
  readonly tmp: string;
}
interface SandboxCheck {
  readonly ok: boolean;
  /** Why confined calls cannot run here, for people; absent where they can. */
  readonly reason?: string;
}
/** The port behind which bubblewrap and Seatbelt stand. */
export interface Sandbox {
  /** `bubblewrap`, `seatbelt` or null where none can be had; null too once `verify` has failed. */
  readonly kind: "bubblewrap" | "seatbelt" | null;
  /** The command that runs `spec` confined. @throws NacreError `unavailable` where `kind` is null. */
  wrap(spec: SpawnSpec, confinement: Confinement): SpawnSpec;
  /** Runs something confined once, to see that it works here; later calls give the same answer. */
  verify(): Promise<SandboxCheck>;
}

const seatbeltProgram = "/usr/bin/sandbox-exec";
const verifyTimeoutMs = 10_000;
/** What leads to sockets and agents of the host; confined processes do not hear of them. */
const hostVariables = ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "DBUS_SESSION_BUS_ADDRESS", "GPG_AGENT_INFO"];

/** The sandbox of this machine. Looks for the program at once; whether it works is found out by `verify`. */
export function createSandbox(options: {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  paths: AppPaths;
}): Sandbox {
  const { platform, env, paths } = options;
  const found = findProgram(platform, env);
  const kind = found === undefined ? null : platform === "darwin" ? "seatbelt" : "bubblewrap";
  let check: Promise<SandboxCheck> | undefined;
  let failed: string | undefined;
  const unavailable = (): NacreError =>
    new NacreError("unavailable", `nothing can run confined here: ${failed ?? missingReason(platform)}`);
  const wrap = (spec: SpawnSpec, confinement: Confinement): SpawnSpec => {
    if (found === undefined || failed !== undefined) throw unavailable();
    const roots = existing([confinement.workspace, ...confinement.writableRoots]);
    const layout = {
      confinement,
      roots,
      hidden: hiddenFolders(paths),
      readable: existing(confinement.readableRoots ?? []).map((folder) => realPath(folder)),
      guarded: roots.map((root) => findGuarded(root)),
    };
    const all = spec.env ?? childEnvironment(env);
    const environment = Object.fromEntries(
      Object.entries(all).filter(([name]) => !hostVariables.includes(name)),
    );
    const command = [spec.command, ...spec.args];
    const cwd = spec.cwd ?? confinement.workspace;
    if (kind === "seatbelt") {
      const args = ["-p", seatbeltProfile(layout), "--", ...command];
      return { command: found, args, cwd, env: { ...environment, TMPDIR: confinement.tmp } };
    }
    const args = bubblewrapArguments({ ...layout, cwd, runtime: runtimeFolders(), ...resolverFile() });
    // bubblewrap changes into the folder itself, once it is inside.
    return { command: found, args: [...args, "--", ...command], cwd: "/", env: environment };
  };
  const tryOut = async (): Promise<SandboxCheck> => {
    if (kind === null) return { ok: false, reason: missingReason(platform) };
    const tmp = fs.mkdtempSync(path.join(realPath(osTemporary(env)), "nacre-sandbox-"));
    try {
      const spec = wrap(
        { command: "true", args: [], env: { PATH: env["PATH"] } },
        { workspace: tmp, writableRoots: [], network: false, tmp },
      );
      const result = await run(spec, { timeoutMs: verifyTimeoutMs });
      if (result.exit.code === 0) return { ok: true };
      return { ok: false, reason: result.output.trim() || `${found} ended with ${result.exit.code}` };
    } catch (error) {
      return { ok: false, reason: error instanceof Error ? error.message : String(error) };
    } finally {
      fs.rmSync(tmp, { recursive: true, force: true });
    }
  };
  return {
    get kind() {
      return failed === undefined ? kind : null;
    },
    wrap,
    verify() {
      check ??= tryOut().then((result) => {
        if (!result.ok) failed = result.reason ?? "it failed";
        return result;
      });
      return check;
    },
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
const missingReason = (platform: NodeJS.Platform): string =>
  platform === "linux"
    ? "bubblewrap is not installed (package bubblewrap); shell commands ask instead"
    : `there is no sandbox for ${platform}; shell commands ask instead`;
const existing = (folders: readonly string[]): string[] => folders.filter((folder) => fs.existsSync(folder));
const osTemporary = (env: NodeJS.ProcessEnv): string => env["TMPDIR"] || "/tmp";

/** Where keys lie, and the app's own files: empty for what runs confined. */
const hiddenFolders = (paths: AppPaths): string[] =>
  existing([
    ...[".ssh", ".gnupg", ".aws"].map((name) => path.join(paths.home, name)),
    paths.config,
    paths.data,
  ]).map((folder) => realPath(folder));

/** Where the host's sockets lie; `/var/run` is mostly a link to `/run`. */
const runtimeFolders = (): string[] =>
  existing([...new Set(["/run", "/var/run"].map((folder) => realPath(folder)))]);

/** The resolver's file behind /etc/resolv.conf, which often lies in /run. */
function resolverFile(): { resolver?: string } {
  const file = realPath("/etc/resolv.conf");
  return fs.existsSync(file) ? { resolver: file } : {};
}
