import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Browser, Page } from "@playwright/test";
import { launch } from "../electron-stand-in/launch.ts";
import { root, type World } from "./world.ts";

/** The app in front of a person, whichever shell it runs in. */
export interface OpenApp {
  readonly page: Page;
  /** Errors that the page wrote to its console. */
  readonly errors: readonly string[];
  /** Ends the app; resolves when its process is gone. */
  close(): Promise<void>;
}
export type ShellName = "browser" | "desktop";
/** Every spec of the window runs in both: the browser shell, and the desktop (real, or stood in for). */
export const shells: readonly ShellName[] = ["browser", "desktop"];

const listen = (page: Page): string[] => {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
};

/** `nacre serve` as a process of its own. */
export async function startServe(
  world: World,
): Promise<{ url: string; pid: number; gone: Promise<unknown>; stop(): Promise<void> }> {
  const cli = path.join(root, "bin/nacre.cjs");
  const child = spawn(process.execPath, [cli, "serve", "--no-open", "--workspace", world.workspace], {
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const gone = once(child, "exit");
  const first = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const line = await Promise.race([
    first.then(([text]) => text),
    gone.then(([code]) => {
      throw new Error(`nacre serve ended with ${String(code)}: ${stderr}`);
    }),
  ]);
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    pid: child.pid ?? 0,
    gone,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await gone;
    },
  };
}

/** @param browser the fixture of Playwright, for the browser shell */
export async function openApp(shell: ShellName, world: World, browser: Browser): Promise<OpenApp> {
  if (shell === "desktop") {
    const app = await launch({ args: [world.workspace], env: world.env });
    const page = await app.firstWindow();
    return { page, errors: listen(page), close: () => app.close() };
  }
  const served = await startServe(world);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  const errors = listen(page);
  await page.goto(served.url);
  return {
    page,
    errors,
    async close() {
      await context.close();
      await served.stop();
    },
  };
}
