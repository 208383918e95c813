import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { BrowserWindow, BrowserWindowConstructorOptions, WebPreferences } from "electron";
import type { BrowserContext, Page } from "playwright-core";
import { app } from "./app.ts";
import { bridgeEnd } from "./bridge.ts";
import { codec } from "./codec.ts";
import { Contents, Preventable } from "./contents.ts";
import { preloadWorld } from "./preload-world.ts";
import { record } from "./record.ts";

let context: BrowserContext | undefined;
/** Chromium, once it runs. */
export function setContext(running: BrowserContext): void {
  context = running;
}
const windows: Window[] = [];
const byPage = new Map<Page, Window>();
export const windowOf = (page: Page): Window | undefined => byPage.get(page);
const opening = new Set<Promise<Page>>();
/** Closes a page that no window of the app has asked for: a popup that the app's handler has refused by now. */
export async function closePopup(page: Page): Promise<void> {
  await Promise.allSettled(opening);
  if (!byPage.has(page)) await page.close();
}

type Surface = Pick<
  BrowserWindow,
  "loadURL" | "close" | "destroy" | "isDestroyed" | "focus" | "show" | "isMinimized" | "restore" | "isVisible"
>;

/** `BrowserWindow`: a page of Chromium. Only sandboxed, isolated pages are made. */
export class Window extends EventEmitter implements Surface {
  static getAllWindows(): Window[] {
    return [...windows];
  }
  static getFocusedWindow(): Window | null {
    return windows.at(-1) ?? null;
  }
  readonly webContents = new Contents();
  readonly #opened: Promise<Page>;
  #visible: boolean;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    app.needReady("Cannot create BrowserWindow");
    const preferences = options.webPreferences ?? {};
    refuseUnsafe(preferences);
    this.#visible = options.show ?? true;
    record("new BrowserWindow", options);
    windows.push(this);
    this.#opened = this.#open(options.width ?? 800, options.height ?? 600, preferences.preload);
    opening.add(this.#opened);
    const settled = (): boolean => opening.delete(this.#opened);
    this.#opened.then(settled, settled);
    app.emit("web-contents-created", {}, this.webContents);
    app.emit("browser-window-created", {}, this);
  }
  async #open(width: number, height: number, preload: string | undefined): Promise<Page> {
    if (!context) throw new Error("Chromium does not run yet");
    const spare = context.pages().find((page) => !byPage.has(page) && page.url() === "about:blank");
    const page = spare ?? (await context.newPage());
    byPage.set(page, this);
    page.on("close", () => this.#closed());
    const session = await context.newCDPSession(page);
    await this.webContents.attach(page, session);
    await page.setViewportSize({ width, height });
    await session.send("Page.enable");
    await session.send("Runtime.enable");
    await session.send("Runtime.addBinding", { name: "sendToMain", executionContextName: "preload" });
    for (const script of preload === undefined ? [] : worlds(preload))
      await session.send("Page.addScriptToEvaluateOnNewDocument", script);
    page.on("load", () => {
      this.webContents.emit("did-finish-load");
      this.emit("ready-to-show");
    });
    page.on("crash", () => this.webContents.emit("render-process-gone", {}, { reason: "crashed" }));
    return page;
  }
  async loadURL(url: string): Promise<void> {
    await this.#opened;
    await this.webContents.load(url);
  }
  close(): void {
    const event = new Preventable();
    this.emit("close", event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy(): void {
    this.#closed();
    void this.#opened.then((page) => page.close()).catch(() => undefined); // Chromium may be gone already.
  }
  #closed(): void {
    if (this.webContents.isDestroyed()) return;
    windows.splice(windows.indexOf(this), 1);
    this.webContents.destroy();
    this.emit("closed");
    if (windows.length === 0) app.lastWindowClosed();
  }
  isDestroyed(): boolean {
    return this.webContents.isDestroyed();
  }
  focus(): void {
    record("window.focus");
  }
  show(): void {
    this.#visible = true;
  }
  isVisible(): boolean {
    return this.#visible;
  }
  isMinimized(): boolean {
    return false;
  }
  restore(): void {
    record("window.restore");
  }
}

function refuseUnsafe(preferences: WebPreferences): void {
  const { nodeIntegration, contextIsolation, sandbox, webSecurity, webviewTag } = preferences;
  if (
    nodeIntegration ||
    webviewTag ||
    contextIsolation === false ||
    sandbox === false ||
    webSecurity === false
  )
    throw new Error("the stand-in has sandboxed, isolated pages alone");
}

/** The scripts of both worlds of a page's top frame; the preload runs before anything of the page. */
function worlds(preload: string): { source: string; worldName?: string }[] {
  const only = 'if (window === window.top && location.protocol !== "about:")';
  return [
    { source: `${only} (${bridgeEnd.toString()})("to-preload", "to-page", (${codec.toString()})());` },
    {
      worldName: "preload",
      source: `${only} {
        const cloning = (${codec.toString()})();
        const { expose } = (${bridgeEnd.toString()})("to-page", "to-preload", cloning);
        const world = (${preloadWorld.toString()})(cloning, expose, (text) => sendToMain(text));
        globalThis.deliver = world.deliver;
        const module = { exports: {} };
        (function (require, module, exports) { ${readFileSync(preload, "utf8")}
        })(world.require, module, module.exports);
      }
      //# sourceURL=${pathToFileURL(preload).href}`,
    },
  ];
}
