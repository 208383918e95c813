import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@playwright/test";
import { root, type World } from "./world.ts";

interface Ended {
  readonly code: number;
  readonly usual: boolean | null;
}
/** `nacre` at a real terminal. */
export interface Terminal {
  readonly pid: number;
  /** What the terminal got until now. */
  screen(): string;
  /** Waits until the screen shows `text` (again, behind what was waited for before). */
  shows(text: string): Promise<void>;
  /** Types, once the time in which keys answer nothing is over. */
  type(keys: string): Promise<void>;
  /** Types at once, and goes on after `ms`. */
  press(keys: string, ms: number): Promise<void>;
  /** The terminal goes away. */
  hangUp(): void;
  /** How it ended, and whether the terminal is in its usual mode again; null where it hung up. */
  readonly ended: Promise<Ended>;
}
/** Why there is no terminal to be had here; undefined where there is one. */
export const noTerminal = (): string | undefined =>
  process.platform !== "win32" && spawnSync("python3", ["-c", "import pty"]).status === 0
    ? undefined
    : "no pseudo-terminal here: python3 with its module pty is not installed";

/** `stdout`: a file that standard output goes to, instead of the terminal. */
export function atTerminal(
  world: World,
  args: readonly string[],
  { columns = 100, stdout = "-" }: { columns?: number; stdout?: string } = {},
): Promise<Terminal> {
  const helper = path.join(root, "e2e/fixtures/terminal.py");
  const cli = path.join(root, "bin/nacre.cjs");
  const child = spawn("python3", [helper, String(columns), stdout, process.execPath, cli, ...args], {
    cwd: world.workspace,
    env: { ...world.env, TERM: "xterm" },
  });
  let screen = "";
  let seen = 0;
  let told = "";
  child.stdout.on("data", (chunk) => (screen += String(chunk)));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("close", () => {
      try {
        resolve(JSON.parse(told.trim().split("\n").at(-1) ?? "") as Ended);
      } catch {
        reject(new Error(`the terminal ended: ${told}`));
      }
    });
  });
  return new Promise((resolve) => {
    child.stderr.on("data", (chunk) => {
      const first = told === "";
      told += String(chunk);
      if (!first) return;
      const { pid } = JSON.parse(told) as { pid: number };
      resolve({
        pid,
        ended,
        screen: () => screen,
        hangUp: () => void child.stdin.end(),
        async shows(text) {
          await expect
            .poll(() => screen.indexOf(text, seen), { message: `${text}\n${screen}`, timeout: 15_000 })
            .toBeGreaterThanOrEqual(0);
          seen = screen.indexOf(text, seen) + text.length;
        },
        async press(keys, ms) {
          child.stdin.write(keys);
          await sleep(ms);
        },
        async type(keys) {
          await sleep(650);
          child.stdin.write(keys);
        },
      });
    });
  });
}
