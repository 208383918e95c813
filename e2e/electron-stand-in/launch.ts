import { fork, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { _electron, chromium, type Browser, type ElectronApplication, type Page } from "@playwright/test";
import { electronBinary } from "../../scripts/electron-binary.mjs";

/** The app in a window, real or stood in for: one spec serves both. */
export type AppUnderTest = Pick<
  ElectronApplication,
  "evaluate" | "firstWindow" | "windows" | "close" | "process"
> & { readonly real: boolean };
export interface LaunchOptions {
  /** Arguments behind the app's own folder. */
  readonly args?: readonly string[];
  /** Comes on top of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}
const root = path.join(import.meta.dirname, "../..");

/** Starts the built app: in Electron where its executable is here, else in the stand-in. */
export async function launch({ args = [], env = {} }: LaunchOptions = {}): Promise<AppUnderTest> {
  const whole = { ...(process.env as Record<string, string>), ...env };
  const executablePath = electronBinary();
  if (executablePath === undefined) return startStandIn([root, ...args], whole);
  const app = await _electron.launch({
    executablePath,
    args: [root, ...args],
    env: whole,
    chromiumSandbox: false,
  });
  return Object.assign(app, { real: true });
}

async function startStandIn(args: string[], env: Record<string, string>): Promise<StandIn> {
  const profile = mkdtempSync(path.join(tmpdir(), "nacre-stand-in-"));
  const child = fork(path.join(root, "dist/stand-in/child.cjs"), args, {
    env: { ...env, STAND_IN_PROFILE: profile },
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => void rm(profile, { recursive: true, force: true, maxRetries: 5 }).then(resolve));
  });
  const app = new StandIn(child, exited);
  await app.connect();
  return app;
}

interface Answer {
  readonly port?: number;
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: string;
}
class StandIn implements AppUnderTest {
  readonly real = false;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #browser: Browser | undefined;
  #lastId = 0;

  constructor(child: ChildProcess, exited: Promise<void>) {
    this.#child = child;
    this.#exited = exited;
  }
  async connect(): Promise<void> {
    const port = await new Promise<number>((resolve, reject) => {
      this.#child.on("message", (answer: Answer) => {
        if (answer.port !== undefined) resolve(answer.port);
        else if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
      });
      this.#child.once("exit", (code) => reject(new Error(`the app ended with ${code} before it was ready`)));
    });
    this.#browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  }
  /** Runs a function in the main process, as Playwright's does: `evaluate(({ app }, arg) => …, arg)`. */
  evaluate: ElectronApplication["evaluate"] = (source: unknown, arg?: unknown) =>
    new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, ({ value, error }) => {
        this.#waiting.delete(id);
        if (error === undefined) resolve(value as never);
        else reject(new Error(error));
      });
      this.#child.send({ id, source: String(source), arg });
    });
  windows(): Page[] {
    return this.#browser?.contexts()[0]?.pages() ?? [];
  }
  async firstWindow(): Promise<Page> {
    const page = this.windows()[0] ?? (await this.#browser?.contexts()[0]?.waitForEvent("page"));
    if (!page) throw new Error("the app has no window");
    await page.waitForURL((url) => url.protocol !== "about:");
    return page;
  }
  process(): ChildProcess {
    return this.#child;
  }
  /** Quits the app as its menu does, and waits until it is gone. */
  async close(): Promise<void> {
    if (this.#child.connected) {
      // The answer may be lost with the process: its end is what counts.
      this.evaluate(({ app }) => app.quit()).catch(() => undefined);
    }
    await this.#exited;
    await this.#browser?.close();
  }
}
