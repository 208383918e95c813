/**
 * Runs the app's own, unchanged main.cjs on plain Node, with `electron` served over a Chromium page; the tests' side is
 * launch.ts. It cannot show Electron's own binary and versions, fuses, the real sandbox and window management, native
 * menus and dialogs, the literal `app:` origin or how fast ipc is.
 */
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";
import { chromium, type BrowserContext, type Frame, type Request, type Route } from "playwright-core";
import { app } from "./app.ts";
import { closePopup, setContext, Window, windowOf } from "./browser-window.ts";
import * as modules from "./modules.ts";
import { record, recorded } from "./record.ts";
import { fulfil, toApp } from "./schemes.ts";
import { utilityProcess } from "./utility-process.ts";

const appPath = path.resolve(process.argv[2] ?? ".");
const profile = process.env["STAND_IN_PROFILE"] ?? "";
const { main, version } = JSON.parse(readFileSync(path.join(appPath, "package.json"), "utf8")) as {
  main: string;
  version: string;
};
let context: BrowserContext | undefined;

const { askPermission, ...electronModules } = modules;
const members: Readonly<Record<string, unknown>> = {
  ...electronModules,
  app,
  BrowserWindow: Window,
  utilityProcess,
  standIn: { calls: recorded, askPermission },
};
/** What the app asks for and is not here is an error, never undefined. */
const electron = new Proxy(members, {
  get(target, key) {
    if (typeof key === "symbol" || key in target) return Reflect.get(target, key) as unknown;
    if (key === "__esModule" || key === "default" || key === "then") return undefined;
    throw new Error(`electron.${key} is not in the stand-in`);
  },
});

/** `require("electron")` gives the stand-in; the real package would start a download. */
function replaceElectron(): void {
  const load: unknown = Reflect.get(Module, "_load");
  if (typeof load !== "function") throw new Error("this Node has no Module._load");
  Reflect.set(Module, "_load", (request: string, ...rest: unknown[]): unknown =>
    /^electron(\/(main|common))?$/.test(request) ? electron : Reflect.apply(load, Module, [request, ...rest]),
  );
  Object.defineProperty(process, "type", { value: "browser" });
  Object.defineProperty(process.versions, "electron", { value: "0.0.0-stand-in", enumerable: true });
  // As Electron has it: [executable, app, ...arguments].
  process.argv.splice(1, 1);
}

async function openChromium(): Promise<BrowserContext> {
  const running = await chromium.launchPersistentContext(profile, {
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: process.env["HEADED"] !== "1",
    chromiumSandbox: false,
    args: [
      "--remote-debugging-port=0",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  await running.route("**/*", answer);
  running.on("page", (page) => void closePopup(page));
  return running;
}

/** The window whose top frame goes somewhere with this request. */
function navigating(request: Request): Window | undefined {
  if (!request.isNavigationRequest()) return undefined;
  let frame: Frame;
  try {
    frame = request.frame();
  } catch {
    // The first request of a popup has no frame yet.
    return undefined;
  }
  return frame.parentFrame() === null ? windowOf(frame.page()) : undefined;
}

/** Every request of every page: navigation is asked for, the app's scheme is answered, the network is refused. */
async function answer(route: Route): Promise<void> {
  const request = route.request();
  const url = toApp(request.url());
  const window = navigating(request);
  if (window && !window.webContents.mayNavigate(url)) return route.abort("aborted");
  if (await fulfil(route)) return;
  if (/^(data|blob):/.test(url)) return route.continue();
  record("network.refused", url);
  return route.abort("blockedbyclient");
}

interface Evaluation {
  readonly id: number;
  readonly source: string;
  readonly arg: unknown;
}
async function evaluate({ id, source, arg }: Evaluation): Promise<void> {
  try {
    const run: unknown = (0, eval)(`(${source})`);
    if (typeof run !== "function") throw new Error(`no function: ${source}`);
    process.send?.({ id, value: (await Reflect.apply(run, undefined, [electron, arg])) as unknown });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
  }
}

async function boot(): Promise<void> {
  app.prepare(appPath, version, {
    closeWindows: () => Window.getAllWindows().forEach((window) => window.close()),
    openWindows: () => Window.getAllWindows().length,
    closeChromium: async () => context?.close(),
  });
  replaceElectron();
  process.on("message", (message) => void evaluate(message as Evaluation));
  // The test is gone; nothing may stay behind.
  process.on("disconnect", () => app.exit(1));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
  createRequire(path.join(appPath, "package.json"))(path.join(appPath, main));
  context = await openChromium();
  setContext(context);
  const port = readFileSync(path.join(profile, "DevToolsActivePort"), "utf8").split("\n")[0];
  app.becomeReady();
  process.send?.({ port: Number(port) });
}
void boot().catch((error: unknown) => {
  console.error(error);
  app.exit(1);
});
