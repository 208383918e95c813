import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { isRunning } from "../kit/process-table.ts";
import { createSandbox } from "../policy/sandbox.ts";
import { type Bench, createBench } from "./tools.testkit.ts";
import type { ToolCallResult } from "./types.ts";

/**
 * One attack on the host. Each is tried unconfined first, where it has to succeed: a command that could never work would
 * prove nothing. Then in a fresh place confined, where it must not.
 */
export interface Attack {
  readonly name: string;
  /** Sets the scene; gives what undoes it. */
  readonly prepare?: (bench: Bench) => Promise<void> | void;
  readonly command: (bench: Bench) => string;
  /** Looks at the world, and where there is nothing to see in it at what the command said. */
  readonly worked: (bench: Bench, output: string) => boolean;
  /** The workspace is the home folder. */
  readonly inHome?: boolean;
}
let undo: (() => unknown)[] = [];
/** Takes back what the test's scenes made; a test calls it at its end. */
export async function cleanUp(): Promise<void> {
  for (const one of undo.reverse()) await one();
  undo = [];
}
/** Called by `cleanUp`, the last one first. */
export const later = (one: () => unknown): void => void undo.push(one);
/** A workspace with an executor that confines for real. */
export function open(inHome = false): Bench {
  // Below /var/tmp: the host's /tmp is out of sight for what runs confined anyway.
  const bench = createBench({
    parent: "/var/tmp",
    inHome,
    sandbox: (paths) => createSandbox({ platform: process.platform, env: process.env, paths }),
  });
  later(() => bench.stop());
  return bench;
}
/** One command; whatever it looks like, nobody is asked. */
export const run = (
  bench: Bench,
  command: string,
  sandbox: "workspace_write" | "full_access",
): Promise<ToolCallResult> =>
  bench.call("run_shell", { command }, { policy: { sandbox, allow: ["run_shell"] } });
/** A file of the workspace. */
export const ws = (bench: Bench, file = ""): string => path.join(bench.workspace, file);
/** A file of the home folder. */
export const home = (bench: Bench, file: string): string => path.join(bench.paths.home, file);
export function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
const has = (file: string, text: string): boolean =>
  fs.existsSync(file) && fs.statSync(file).isFile() && fs.readFileSync(file, "utf8").includes(text);
export function git(folder: string, ...args: string[]): void {
  const { status, stderr } = spawnSync("git", ["-c", "user.name=n", "-c", "user.email=n@n", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}
/** A git repository with one commit. */
export function repository(folder: string): void {
  fs.mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q");
  write(path.join(folder, "file"), "1");
  git(folder, "add", "file");
  git(folder, "commit", "-q", "-m", "first");
}
const hook = "#!/bin/sh\\necho evil\\n";
/** Whether a file holds what the attack would have put there. */
export const planted = (file: (bench: Bench) => string) => (bench: Bench) => has(file(bench), "evil");

let victim: ChildProcess;

/** From a workspace of its own. */
export const attacks: Attack[] = [
  {
    name: "writes a file outside",
    command: (bench) => `echo evil > ${home(bench, "canary")}`,
    worked: planted((bench) => home(bench, "canary")),
  },
  {
    name: "writes a file outside through a link in the workspace",
    command: (bench) => `ln -s ${bench.paths.home} out; echo evil > out/canary`,
    worked: planted((bench) => home(bench, "canary")),
  },
  {
    name: "writes beside the workspace through ..",
    command: () => "echo evil > ../canary",
    worked: planted((bench) => path.join(bench.root, "canary")),
  },
  {
    name: "renames the workspace away",
    command: (bench) => `mv ${bench.workspace} ${bench.workspace}-moved`,
    worked: (bench) => fs.existsSync(`${bench.workspace}-moved`),
  },
  {
    name: "writes a hook",
    prepare: (bench) => repository(ws(bench)),
    command: () => `printf '${hook}' > .git/hooks/pre-commit`,
    worked: planted((bench) => ws(bench, ".git/hooks/pre-commit")),
  },
  {
    name: "writes a hook where the folder of hooks is missing",
    prepare(bench) {
      repository(ws(bench));
      fs.rmSync(ws(bench, ".git/hooks"), { recursive: true });
    },
    command: () => `mkdir -p .git/hooks; printf '${hook}' > .git/hooks/pre-commit`,
    worked: planted((bench) => ws(bench, ".git/hooks/pre-commit")),
  },
  {
    name: "writes a hook through a link",
    prepare: (bench) => repository(ws(bench)),
    command: () => `ln -s .git/hooks l; printf '${hook}' > l/pre-commit`,
    worked: planted((bench) => ws(bench, ".git/hooks/pre-commit")),
  },
  {
    name: "renames .git and makes another with a hook",
    prepare: (bench) => repository(ws(bench)),
    command: () => `mv .git g; cp -r g .git; printf '${hook}' > .git/hooks/pre-commit`,
    worked: planted((bench) => ws(bench, ".git/hooks/pre-commit")),
  },
  {
    name: "renames the folder of hooks",
    prepare: (bench) => repository(ws(bench)),
    command: () => `mv .git/hooks .git/h; mkdir .git/hooks; printf '${hook}' > .git/hooks/pre-commit`,
    worked: planted((bench) => ws(bench, ".git/hooks/pre-commit")),
  },
  {
    name: "renames an ancestor of a repository and makes another in its place",
    prepare: (bench) => repository(ws(bench, "apps/web")),
    command: () => `mv apps old; cp -r old apps; printf '${hook}' > apps/web/.git/hooks/pre-commit`,
    worked: planted((bench) => ws(bench, "apps/web/.git/hooks/pre-commit")),
  },
  {
    name: "leads git's hooks elsewhere by its configuration",
    prepare: (bench) => repository(ws(bench)),
    command: () => "git config core.hooksPath evil",
    worked: planted((bench) => ws(bench, ".git/config")),
  },
  {
    name: "replaces the folder of hooks that is a link",
    prepare(bench) {
      repository(ws(bench));
      fs.rmSync(ws(bench, ".git/hooks"), { recursive: true });
      write(ws(bench, "githooks/pre-push"), "");
      fs.symlinkSync("../githooks", ws(bench, ".git/hooks"));
    },
    command: () => `rm .git/hooks; mkdir .git/hooks; printf '${hook}' > .git/hooks/pre-commit`,
    worked: planted((bench) => ws(bench, ".git/hooks/pre-commit")),
  },
  {
    name: "replaces the folder that a protected link leads to, by what lies above it",
    prepare(bench) {
      write(ws(bench, "cfg/agent/mcp.json"), "mine");
      fs.symlinkSync("cfg/agent", ws(bench, ".agent"));
    },
    command: () => "mv cfg c2; mkdir -p cfg/agent; echo evil > cfg/agent/mcp.json",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "replaces a link on the way of a protected one",
    prepare(bench) {
      write(ws(bench, "cfg/mcp.json"), "mine");
      fs.symlinkSync("cfg", ws(bench, "way"));
      fs.symlinkSync("way", ws(bench, ".agent"));
    },
    command: () => "rm way; mkdir way; echo evil > way/mcp.json",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "makes what a protected link has led to in vain",
    prepare: (bench) => fs.symlinkSync("cfg/agent", ws(bench, ".agent")),
    command: () => "mkdir -p cfg/agent; echo evil > cfg/agent/mcp.json",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "writes a hook in the folder that git's configuration names",
    prepare(bench) {
      repository(ws(bench));
      git(ws(bench), "config", "core.hooksPath", ".husky/_");
      write(ws(bench, ".husky/pre-commit"), "");
    },
    command: () => `printf '${hook}' > .husky/pre-commit`,
    worked: planted((bench) => ws(bench, ".husky/pre-commit")),
  },
  {
    name: "leads a worktree of the repository elsewhere",
    prepare(bench) {
      repository(ws(bench));
      git(ws(bench), "worktree", "add", "-q", "../tree");
    },
    command: () =>
      "mv .git/worktrees .git/w; cp -r .git/w .git/worktrees; echo /evil > .git/worktrees/tree/commondir",
    worked: planted((bench) => ws(bench, ".git/worktrees/tree/commondir")),
  },
  {
    name: "changes a protected file by a second name",
    prepare: (bench) => write(ws(bench, ".agent/mcp.json"), "{}"),
    command: () => "ln .agent/mcp.json l && echo evil > l",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "replaces a protected file by another",
    prepare: (bench) => write(ws(bench, "dropstone.json"), "{}"),
    command: () => "echo evil > n; mv n dropstone.json",
    worked: planted((bench) => ws(bench, "dropstone.json")),
  },
  {
    name: "leaves a new .agent behind",
    command: () => "mkdir .agent; echo evil > .agent/mcp.json",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "leaves a new .agent behind, far down",
    command: () => "mkdir -p a/b/c/d/e/f/g/.agent; echo evil > a/b/c/d/e/f/g/.agent/mcp.json",
    worked: planted((bench) => ws(bench, "a/b/c/d/e/f/g/.agent/mcp.json")),
  },
  {
    name: "leaves a new .agent behind that is a link",
    command: () => "mkdir kit; echo evil > kit/mcp.json; ln -s kit .agent",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "leaves a new .agent behind, and a circle of links that stops who looks for it",
    command: () => "mkdir x .agent; ln -s .git x/.git; echo evil > .agent/mcp.json",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "leaves a new .agent behind, and a pipe that holds up who looks for it",
    command: () => "mkfifo .git; mkdir .agent; echo evil > .agent/mcp.json",
    worked: planted((bench) => ws(bench, ".agent/mcp.json")),
  },
  {
    name: "renames a folder to a protected name",
    command: () => "mkdir kit; echo evil > kit/settings.json; mv kit .claude",
    worked: planted((bench) => ws(bench, ".claude/settings.json")),
  },
  ...[".ssh/id_rsa", ".gnupg/key", ".aws/credentials"].map((file): Attack => ({
    name: `reads ~/${file}`,
    prepare: (bench) => write(home(bench, file), "the secret"),
    command: (bench) => `cat ${home(bench, file)}`,
    worked: (_, output) => output.includes("the secret"),
  })),
  {
    name: "reads ~/.ssh through a link",
    prepare: (bench) => write(home(bench, ".ssh/id_rsa"), "the secret"),
    command: (bench) => `ln -s ${home(bench, ".ssh")} k; cat k/id_rsa`,
    worked: (_, output) => output.includes("the secret"),
  },
  {
    name: "reads keys where ~/.ssh itself is a link",
    prepare(bench) {
      write(home(bench, "vault/id_rsa"), "the secret");
      fs.symlinkSync("vault", home(bench, ".ssh"));
    },
    command: (bench) => `cat ${home(bench, ".ssh/id_rsa")} ${home(bench, "vault/id_rsa")}`,
    worked: (_, output) => output.includes("the secret"),
  },
  {
    name: "reads Nacre's own files",
    prepare: (bench) => write(path.join(bench.paths.config, "settings.json"), "the secret"),
    command: (bench) => `cat ${bench.paths.config}/settings.json`,
    worked: (_, output) => output.includes("the secret"),
  },
  {
    name: "ends a process of the host",
    prepare: () => {
      victim = spawn("sleep", ["60"], { stdio: "ignore" });
      later(() => victim.kill("SIGKILL"));
    },
    command: () => `kill -9 ${victim.pid}; sleep 0.1`,
    worked: () => !isRunning(victim.pid ?? 0),
  },
  {
    name: "reads the environment of a process of the host",
    prepare: () => {
      victim = spawn("sleep", ["60"], { stdio: "ignore", env: { HIDDEN: "the secret" } });
      later(() => victim.kill("SIGKILL"));
    },
    command: () => `cat /proc/${victim.pid}/environ; cat /proc/[0-9]*/environ`,
    worked: (_, output) => output.includes("the secret"),
  },
  {
    name: "leaves a file in the host's shared memory",
    prepare: () => later(() => fs.rmSync(`/dev/shm/nacre-escape-${process.pid}`, { force: true })),
    command: () => `echo evil > /dev/shm/nacre-escape-${process.pid}`,
    worked: () => {
      const made = fs.existsSync(`/dev/shm/nacre-escape-${process.pid}`);
      fs.rmSync(`/dev/shm/nacre-escape-${process.pid}`, { force: true });
      return made;
    },
  },
];
