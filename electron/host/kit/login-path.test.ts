import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  loginArguments,
  loginPath,
  pathBetween,
  startedByLauncher,
  type LoginPathOptions,
} from "./login-path.ts";
import { hostRunName, keepChildren, run, stopAllProcesses } from "./process.ts";
import { isRunning, processesWith } from "./process-table.ts";

let home: string;
let told: string[];
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-login-"));
  told = [];
});
afterEach(async () => {
  await stopAllProcesses();
  fs.rmSync(home, { recursive: true, force: true });
});
const own = "/usr/bin:/bin";
const rc = (name: string, text: string): void => {
  fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
  fs.writeFileSync(path.join(home, name), text);
};
const options = (shell: string, more: Partial<LoginPathOptions> = {}): LoginPathOptions => ({
  env: { SHELL: shell, HOME: home, PATH: own, NACRE_API_KEY: "secret" },
  home,
  cacheFolder: path.join(home, "cache"),
  now: () => 1_000,
  report: (text) => told.push(text),
  ...more,
});
const posix = 'PATH="/opt/mine/bin:$PATH"; export PATH\n';
/** Each real shell with the file that it reads for a login, and how that sets a PATH. */
const shells = [
  ["dash", ".profile", posix],
  ["bash", ".bash_profile", posix],
  ["zsh", ".zprofile", posix],
  ["zsh", ".zshrc", posix],
  ["fish", ".config/fish/config.fish", "set -gx PATH /opt/mine/bin $PATH\n"],
  ["nu", ".config/nushell/env.nu", '$env.PATH = ($env.PATH | prepend "/opt/mine/bin")\n'],
  ["tcsh", ".tcshrc", "setenv PATH /opt/mine/bin:$PATH\n"],
] as const;
const find = (name: string): string | undefined =>
  ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));

describe.skipIf(process.platform === "win32")("the login shell's PATH", () => {
  for (const [name, file, text] of shells) {
    const shell = find(name);
    it.skipIf(shell === undefined)(`is asked of a real ${name}, by ${file}`, async () => {
      rc(file, text);
      expect(await loginPath(options(shell ?? ""))).toMatch(/^\/opt\/mine\/bin:/);
      expect(told).toEqual([]);
    });
  }
  it("is found among whatever the files print", async () => {
    rc(".bash_profile", `echo welcome; echo "/not/a/path"; printf 'no line end' >&2; ${posix}echo done\n`);
    expect(await loginPath(options("/bin/bash"))).toMatch(/^\/opt\/mine\/bin:/);
  });
  it("is not waited for where a file hangs: its whole group ends, and the app's own PATH is used", async () => {
    rc(
      ".bash_profile",
      `echo $$ > ${home}/pid; sleep 1000 & echo $! > ${home}/child; while :; do sleep 0.1; done\n`,
    );
    expect(await loginPath(options("/bin/bash", { limitMs: 700 }))).toBeUndefined();
    expect(told).toEqual([expect.stringContaining("no answer within 0.7 s")]);
    await stopAllProcesses();
    for (const file of ["pid", "child"])
      expect(isRunning(Number(fs.readFileSync(path.join(home, file), "utf8")))).toBe(false);
    expect(processesWith("NACRE_RUN_ID", hostRunName())).toEqual([]);
  });
  it("is said to be unknown where a file ends the shell, or there is no shell", async () => {
    rc(".bash_profile", "exit 3\n");
    expect(await loginPath(options("/bin/bash"))).toBeUndefined();
    expect(await loginPath(options("/no/such/shell"))).toBeUndefined();
    expect(await loginPath(options(""))).toBeUndefined();
    expect(told).toEqual([
      expect.stringContaining("it ended with 3"),
      expect.stringContaining("/no/such/shell"),
      expect.stringContaining("SHELL names no shell"),
    ]);
  });
  it("is asked where a file of the shell cannot be looked at, and told where it cannot be kept", async () => {
    // A file where a folder is looked into; a circle; a cache that no folder can be.
    rc(".config", "a file");
    fs.symlinkSync(".zshrc", path.join(home, ".zshrc"));
    rc(".profile", posix);
    const cacheFolder = path.join(home, ".config", "cache");
    expect(await loginPath(options("/bin/sh", { cacheFolder }))).toMatch(/^\/opt\/mine\/bin:/);
    expect(told).toEqual([expect.stringContaining("could not be kept")]);
  });
  it("is unknown, and nothing rejects, where asking fails in a way that nobody thought of", async () => {
    const now = (): number => {
      throw new Error("no clock");
    };
    rc(".profile", posix);
    expect(await loginPath(options("/bin/sh", { now }))).toBeUndefined();
    expect(told).toEqual([expect.stringContaining("no clock")]);
  });
  it("waits for no terminal: the shell has none, and its input is closed", async () => {
    rc(".bash_profile", `read -r line; tty > ${home}/tty; ${posix}`);
    expect(await loginPath(options("/bin/bash"))).toMatch(/^\/opt\/mine/);
    expect(fs.readFileSync(path.join(home, "tty"), "utf8")).toContain("not a tty");
  });
  it("is asked without Nacre's variables", async () => {
    rc(".bash_profile", `env > ${home}/env\n${posix}`);
    await loginPath(options("/bin/bash"));
    expect(fs.readFileSync(path.join(home, "env"), "utf8")).not.toContain("NACRE_API_KEY");
  });
  it("is kept for a day, until a file of the shell changes", async () => {
    rc(".bash_profile", `echo x >> ${home}/count; ${posix}`);
    const count = () => fs.readFileSync(path.join(home, "count"), "utf8").length / 2;
    const first = await loginPath(options("/bin/bash"));
    expect(await loginPath(options("/bin/bash"))).toBe(first);
    expect(count()).toBe(1);
    await loginPath(options("/bin/bash", { now: () => 1_000 + 24 * 3_600_000 }));
    expect(count()).toBe(2);
    rc(".bashrc", "# new\n");
    await loginPath(options("/bin/bash", { now: () => 1_001 + 24 * 3_600_000 }));
    expect(count()).toBe(3);
  });
  it("reaches every child that was meant to have the app's own PATH, also those that start while it is asked", async () => {
    let answer: (found: string) => void = () => undefined;
    const login = new Promise<string | undefined>((resolve) => (answer = resolve));
    const release = keepChildren({
      folder: path.join(home, "run"),
      env: { PATH: own },
      report: () => undefined,
      loginPath: login,
    });
    const echo = { command: "sh", args: ["-c", "echo $PATH"] };
    const early = run({ ...echo, env: { PATH: own } });
    const declared = run({ ...echo, env: { PATH: "/usr/bin:/bin:/declared" } });
    answer(`/opt/mine/bin:${own}`);
    expect((await early).output).toBe(`/opt/mine/bin:${own}\n`);
    expect((await declared).output).toBe("/usr/bin:/bin:/declared\n");
    await release();
    expect((await run({ ...echo, env: { PATH: own } })).output).toBe(`${own}\n`);
  });
});

test("a launcher is told from a terminal", () => {
  expect(startedByLauncher({}, "linux", false)).toBe(true);
  expect(startedByLauncher({}, "darwin", false)).toBe(true);
  expect(startedByLauncher({ TERM: "xterm" }, "linux", false)).toBe(false);
  expect(startedByLauncher({}, "linux", true)).toBe(false);
  expect(startedByLauncher({}, "win32", false)).toBe(false);
});
test("csh is not given -l, which it takes only alone", () => {
  expect(loginArguments("/bin/tcsh", "m").slice(0, 2)).toEqual(["-i", "-c"]);
  expect(loginArguments("/usr/bin/fish", "m").slice(0, 3)).toEqual(["-i", "-l", "-c"]);
});
test("only what stands between the last two markers is a PATH", () => {
  expect(pathBetween("m\n/first\nm\nm\n/a:/b\nm\nbye", "m")).toBe("/a:/b");
  expect(pathBetween("prompt> m\r\n/a\r\nm\r\n", "m")).toBe("/a");
  expect(pathBetween("m\n/a", "m")).toBeUndefined();
  expect(pathBetween("", "m")).toBeUndefined();
});
