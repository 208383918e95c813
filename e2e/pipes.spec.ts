import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createWorld, root, type World } from "./support/world.ts";

let world: World;
test.beforeEach(async () => {
  world = await createWorld({ steps: [{ text: "The end.", repeat: true }] });
});
test.afterEach(() => world.stop());

/** Every file that somebody else's folder may hold and the app reads by itself, and the user's own. */
const workspaceFiles = [
  ".git",
  ".gitignore",
  "AGENTS.md",
  "CLAUDE.md",
  ".mcp.json",
  "dropstone.json",
  ".agent/mcp.json",
  ".agent/config.toml",
  ".codex/config.toml",
  ".agent/receipts/a.json",
  ".agent/agents/odd.md",
  ".agent/skills/odd/SKILL.md",
  ".agents/skills/odd/SKILL.md",
  ".claude/skills/odd/SKILL.md",
  ".agent/plugins/odd/plugin.json",
  ".agent/plugins/odd2/.claude-plugin/plugin.json",
  ".agent/sessions/made-up/meta.json",
  ".agent/sessions/made-up/lock",
  ".agent/sessions/made-up-too/main.jsonl",
  ".agent/sessions/.gitignore",
];
const userFiles = ["keybinds.json", "AGENTS.md", "mcp.json", "config.toml"];

const kinds: Record<string, (file: string) => void> = {
  "a pipe": (file) => void execFileSync("mkfifo", [file]),
  "a link to a device that never ends": (file) => symlinkSync("/dev/zero", file),
  "a link to a terminal": (file) => symlinkSync("/dev/tty", file),
  "a folder": (file) => mkdirSync(file),
};
const commands = [
  ["run", "hello"],
  ["mcp", "list"],
  ["market", "list"],
  ["skills", "list"],
  ["plugins", "list"],
  ["agents", "list"],
  ["sessions", "list"],
  ["doctor"],
];
/** Ends what hangs: then there is no exit code. */
function nacre(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), ...args], {
    cwd: world.workspace,
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 25_000,
    killSignal: "SIGKILL",
  });
  let stderr = "";
  child.stdout.resume();
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stderr })));
}

test.describe("a folder whose files are none holds up no command", () => {
  test.skip(process.platform === "win32", "Windows has no pipes and devices that lie in a folder");
  for (const [kind, put] of Object.entries(kinds))
    test(kind, async () => {
      test.setTimeout(240_000);
      mkdirSync(path.join(world.folder, "data/receipts"), { recursive: true });
      const all = [
        ...workspaceFiles.map((file) => path.join(world.workspace, file)),
        ...userFiles.map((file) => path.join(world.config, file)),
        path.join(world.folder, "data/receipts/a.json"),
      ];
      for (const file of all) {
        rmSync(file, { recursive: true, force: true });
        mkdirSync(path.dirname(file), { recursive: true });
        put(file);
      }
      const line = JSON.stringify({ v: 1, type: "user", id: "a", parent: null, t: 0, text: "hi" });
      writeFileSync(path.join(world.workspace, ".agent/sessions/made-up/main.jsonl"), `${line}\n`);
      for (const command of commands) {
        const { code, stderr } = await nacre(command);
        // Doctor counts what is wrong; nothing of it is a reason to fail for the others.
        expect([command, code, code === 0 ? "" : stderr]).toEqual([
          command,
          command[0] === "doctor" ? expect.any(Number) : 0,
          expect.any(String),
        ]);
      }
    });
});
