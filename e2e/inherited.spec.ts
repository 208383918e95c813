import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createWorld, root, type World } from "./support/world.ts";

let world: World;
test.afterEach(() => world.stop());

test("what a shell left open for Nacre goes on to no command, confined or not", async () => {
  test.skip(process.platform !== "linux", "only Linux hands it on");
  world = await createWorld({ steps: [] });
  const outside = path.join(world.folder, "outside");
  mkdirSync(outside);
  writeFileSync(path.join(outside, "log"), "");
  const open = 'exec 200>>"$0/log" 201<"$0"; "$@"';
  const write =
    "ls -d . ; echo evil >> /proc/self/fd/200; echo evil > /proc/self/fd/201/planted; ls /proc/self/fd";
  const shell = (...command: string[]) =>
    spawnSync("bash", ["-c", open, outside, ...command], {
      cwd: world.workspace,
      env: world.env,
      encoding: "utf8",
    });
  const nacre = [process.execPath, path.join(root, "bin/nacre.cjs"), "tools", "call", "run_shell"];
  for (const [sandbox, sandboxed] of [
    ["workspace_write", true],
    ["full_access", false],
  ] as const) {
    const call = JSON.stringify({ command: write });
    const { stdout, stderr } = shell(...nacre, call, "--allow", "run_shell", "--sandbox", sandbox, "--json");
    expect(stdout, stderr).not.toBe("");
    const document = JSON.parse(stdout) as { output: string; sandboxed: boolean };
    expect(document.output).toMatch(/^\.\n/);
    expect(document.output).not.toMatch(/^20[01]$/m);
    expect(document.sandboxed).toBe(sandboxed);
    expect(readFileSync(path.join(outside, "log"), "utf8")).toBe("");
    expect(existsSync(path.join(outside, "planted"))).toBe(false);
  }
  // The same without Nacre in between: the attack is one.
  shell("sh", "-c", write);
  expect(readFileSync(path.join(outside, "log"), "utf8")).toBe("evil\n");
  expect(existsSync(path.join(outside, "planted"))).toBe(true);
});
