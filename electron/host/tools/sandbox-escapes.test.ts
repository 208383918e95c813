import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createSandbox } from "../policy/sandbox.ts";
import type { Bench } from "./tools.testkit.ts";
import {
  type Attack,
  attacks,
  cleanUp,
  git,
  home,
  later,
  open,
  planted,
  repository,
  run,
  write,
  ws,
} from "./sandbox-attacks.testkit.ts";
import { socketAttacks } from "./socket-attacks.testkit.ts";

const nowhere = "/nonexistent";
const probe = createSandbox({
  platform: process.platform,
  env: process.env,
  paths: { home: nowhere, config: nowhere, data: nowhere, cache: nowhere, cst: nowhere },
});
const works = process.platform === "linux" && (await probe.verify()).ok;
const isRoot = process.getuid?.() === 0;
afterEach(cleanUp);

/** The home folder as workspace: what Nacre reads there, and what runs by itself, is not the agent's to write. */
const homeAttacks: Attack[] = [
  ...[
    ".bashrc",
    ".ssh/authorized_keys",
    ".config/nacre/settings.json",
    ".config/dropstone/dropstone.json",
    ".config/kairox/plugins/evil/plugin.json",
    ".config/cst-agent/mcp.json",
    ".kairox/config.toml",
    ".claude/skills/evil/SKILL.md",
    ".agents/skills/evil.md",
    ".dsh/skills/evil.md",
    ".cache/nacre/index.json",
    ".npmrc",
    ".cargo/config.toml",
    ".docker/config.json",
  ].flatMap((file): Attack[] => [
    {
      name: `makes ~/${file}`,
      command: () => `mkdir -p ${path.dirname(file)}; echo evil > ${file}`,
      worked: planted((bench) => home(bench, file)),
    },
    {
      name: `changes ~/${file}`,
      prepare: (bench) => write(home(bench, file), "mine"),
      command: () => `echo evil > ${file}`,
      worked: planted((bench) => home(bench, file)),
    },
  ]),
  {
    name: "renames ~/.config and makes Nacre's settings anew",
    prepare: (bench: Bench) => write(home(bench, ".config/nacre/settings.json"), "mine"),
    command: () => "mv .config c; mkdir -p .config/nacre; echo evil > .config/nacre/settings.json",
    worked: planted((bench) => home(bench, ".config/nacre/settings.json")),
  },
].map((attack): Attack => ({ ...attack, inHome: true }));
/** What needs root to succeed unconfined. */
const rootAttacks: Attack[] = [
  {
    name: "makes a device of the disk",
    command: () => "mknod disk b 254 0 && echo made",
    worked: (_, output) => output.includes("made"),
  },
  {
    name: "writes a setting of the kernel",
    command: () =>
      "cat /proc/sys/kernel/core_pattern > n && cat n > /proc/sys/kernel/core_pattern && echo written",
    worked: (_, output) => output.includes("written"),
  },
  {
    name: "changes what is mounted",
    command: (bench) => `mount -t tmpfs x ${bench.workspace}/m && echo mounted; umount ${bench.workspace}/m`,
    prepare: (bench) => fs.mkdirSync(ws(bench, "m")),
    worked: (_, output) => output.includes("mounted"),
  },
  {
    name: "makes a control group",
    command: () => {
      const folder = fs.readdirSync("/sys/fs/cgroup").includes("memory") ? "memory/" : "";
      const group = `/sys/fs/cgroup/${folder}nacre-escape-${process.pid}`;
      return `mkdir ${group} && echo made; rmdir ${group}`;
    },
    worked: (_, output) => output.includes("made"),
  },
];

describe.runIf(works)("an attack from a confined command fails, though it works unconfined:", () => {
  it.each([...attacks, ...socketAttacks, ...homeAttacks, ...(isRoot ? rootAttacks : [])])(
    "$name",
    async ({ prepare, command, worked, inHome }) => {
      for (const sandbox of ["full_access", "workspace_write"] as const) {
        const bench = open(inHome);
        await prepare?.(bench);
        const result = await run(bench, command(bench), sandbox);
        expect(result.sandboxed).toBe(sandbox === "workspace_write");
        expect(worked(bench, result.output), `${sandbox}: ${result.output}`).toBe(sandbox === "full_access");
        await cleanUp();
      }
    },
  );
});

describe.runIf(works)("a confined command", () => {
  const commit = "git add -A; git -c user.name=n -c user.email=n@n commit -q -m done && echo committed";
  it("commits, branches and merges, and git's own files are as they were", async () => {
    const bench = open();
    repository(ws(bench));
    const before = fs.readFileSync(ws(bench, ".git/config"), "utf8");
    const command = `git switch -q -c side; echo 2 > file; ${commit}; git switch -q -; git merge -q side; cat file; git stash list; git tag t`;
    const { output } = await run(bench, command, "workspace_write");
    expect(output).toBe("committed\n2");
    expect(fs.readFileSync(ws(bench, ".git/config"), "utf8")).toBe(before);
    git(ws(bench), "fsck");
  });
  it("commits in a worktree whose repository lies elsewhere, and writes no hook and no configuration there", async () => {
    const bench = open();
    const main = path.join(bench.root, "main");
    repository(main);
    fs.rmdirSync(bench.workspace);
    git(main, "worktree", "add", "-q", bench.workspace);
    const common = path.join(main, ".git");
    const command = `echo 2 > file; ${commit}; for f in hooks/pre-commit config info/exclude config.worktree worktrees/work/commondir worktrees/work/gitdir; do echo evil > ${common}/$f && echo "wrote $f"; done; echo evil > ${main}/file && echo "wrote file"; mv ${common} ${common}2 && echo moved; true`;
    const { output } = await run(bench, command, "workspace_write");
    expect(output.split("\n").filter((line) => /^(committed|wrote|moved)/.test(line))).toEqual([
      "committed",
      // Made anew, and so moved away at the end.
      "wrote config.worktree",
    ]);
    expect(fs.existsSync(path.join(common, "config.worktree"))).toBe(false);
    git(main, "fsck");
  });
  it("commits in a submodule that is the workspace", async () => {
    const bench = open();
    const [library, main] = [path.join(bench.root, "library"), path.join(bench.root, "main")];
    repository(library);
    repository(main);
    git(main, "-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "sub");
    fs.rmdirSync(bench.workspace);
    fs.renameSync(path.join(main, "sub"), bench.workspace);
    fs.rmSync(ws(bench, ".git"));
    const own = path.join(main, ".git", "modules", "sub");
    fs.writeFileSync(ws(bench, ".git"), `gitdir: ${own}\n`);
    git(main, "config", "-f", path.join(own, "config"), "core.worktree", bench.workspace);
    expect((await run(bench, `echo 2 > file; ${commit}`, "workspace_write")).output).toBe("committed");
    expect((await run(bench, `echo evil > ${own}/hooks/pre-commit`, "workspace_write")).isError).toBe(true);
  });
  it("opens no foreign folder by a .git file that was made up", async () => {
    const bench = open();
    const main = path.join(bench.root, "main");
    repository(main);
    git(main, "worktree", "add", "-q", "../tree");
    const own = path.join(main, ".git", "worktrees", "tree");
    // Another's worktree, its repository, and a folder that only looks like one.
    for (const target of [own, path.join(main, ".git"), path.join(bench.paths.home, "x")]) {
      write(ws(bench, ".git"), `gitdir: ${target}\n`);
      const { output } = await run(bench, `echo evil > ${own}/HEAD && echo wrote; true`, "workspace_write");
      expect(output).not.toContain("wrote");
    }
    // A git folder in the workspace that names a foreign one as its own.
    write(ws(bench, "fake/worktrees/x/commondir"), `${bench.paths.home}\n`);
    write(ws(bench, "fake/worktrees/x/gitdir"), `${ws(bench, ".git")}\n`);
    write(ws(bench, ".git"), `gitdir: ${ws(bench, "fake/worktrees/x")}\n`);
    const command = `echo evil > ${home(bench, "canary")} && echo wrote; true`;
    expect((await run(bench, command, "workspace_write")).output).not.toContain("wrote");
  });
  it("has no privilege to gain, no terminal, no way back into its mounts and no variable that leads to an agent", async () => {
    const bench = open();
    repository(ws(bench));
    process.env["SSH_AUTH_SOCK"] = "/tmp/agent.sock";
    process.env["DOCKER_HOST"] = "unix:///var/run/docker.sock";
    later(() => {
      delete process.env["SSH_AUTH_SOCK"];
      delete process.env["DOCKER_HOST"];
    });
    const { output } = await run(
      bench,
      `grep -E '^(NoNewPrivs|CapEff)' /proc/self/status; (: > /dev/tty) 2>/dev/null && echo terminal; env | grep -E '^(SSH_AUTH|DOCKER|XDG_RUNTIME|DBUS)'; ls /proc | grep -c '^[0-9]*$'
       unshare -Urm sh -c 'for m in .git/hooks .git / ; do umount $m && echo "umounted $m"; mount -o remount,rw,bind $m && echo "remounted $m"; done; echo evil > .git/hooks/pre-commit && echo wrote' 2>/dev/null; true`,
      "workspace_write",
    );
    expect(output).toMatch(/CapEff:\s+0+\n/);
    expect(output).toMatch(/NoNewPrivs:\s+1\n/);
    expect(output).not.toMatch(/terminal|SSH_AUTH|DOCKER|XDG_RUNTIME|DBUS|mounted|wrote/);
  });
  it("works the same where the workspace was opened through a link", async () => {
    const bench = open();
    repository(ws(bench));
    const link = path.join(bench.root, "link");
    fs.symlinkSync(bench.workspace, link);
    const command = `cd ${link}; echo evil > .git/hooks/pre-commit && echo wrote; echo evil > ${link}/.git/hooks/x && echo wrote; echo in > inside; true`;
    expect((await run(bench, command, "workspace_write")).output).not.toContain("wrote");
    expect(fs.existsSync(ws(bench, "inside"))).toBe(true);
  });
});
