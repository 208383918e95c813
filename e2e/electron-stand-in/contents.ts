import { EventEmitter } from "node:events";
import type { WebContents } from "electron";
import type { CDPSession, Page } from "playwright-core";
import { codec } from "./codec.ts";
import { record } from "./record.ts";
import { toApp, toWeb } from "./schemes.ts";

const { encode, decode } = codec();
type OpenHandler = Parameters<WebContents["setWindowOpenHandler"]>[0];

/** An event that its listeners may prevent. */
export class Preventable {
  defaultPrevented = false;
  readonly url: string;
  constructor(url = "") {
    this.url = url;
  }
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** The page of one window. */
export class Contents
  extends EventEmitter
  implements Pick<WebContents, "send" | "getURL" | "isDestroyed" | "setWindowOpenHandler">
{
  /** `webContents.ipc`: messages of this page alone. */
  readonly ipc = new EventEmitter();
  #page: Page | undefined;
  #session: CDPSession | undefined;
  #preloadContext: number | undefined;
  #expected = "";
  #openHandler: OpenHandler | undefined;
  #destroyed = false;

  /** Ties it to a page of Chromium; the session tells of contexts, messages and navigation in order. */
  async attach(page: Page, session: CDPSession): Promise<void> {
    this.#page = page;
    this.#session = session;
    const { frameTree } = await session.send("Page.getFrameTree");
    session.on("Runtime.executionContextCreated", ({ context }) => {
      // Frames inside the page have worlds of that name too.
      const { frameId } = context.auxData as { frameId?: string };
      if (context.name === "preload" && frameId === frameTree.frame.id) this.#preloadContext = context.id;
    });
    session.on("Runtime.bindingCalled", ({ name, payload, executionContextId }) => {
      if (name === "sendToMain" && executionContextId === this.#preloadContext) this.#receive(payload);
    });
    session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId === undefined) this.emit("did-navigate", {}, toApp(frame.url), 200, "OK");
    });
    session.on("Page.windowOpen", ({ url }) => this.#decideWindow(toApp(url)));
  }
  #receive(payload: string): void {
    const { channel, args } = decode(payload) as { channel: string; args: unknown[] };
    const senderFrame = { url: this.getURL(), parent: null };
    this.ipc.emit(channel, { sender: this, senderFrame }, ...args);
  }
  #decideWindow(url: string): void {
    const referrer = { url: "", policy: "default" } as const;
    const details = { url, frameName: "", features: "", disposition: "foreground-tab", referrer } as const;
    const { action } = this.#openHandler?.(details) ?? { action: "allow" };
    record("window.open", url, action);
  }
  /** Whether the page may go to `url`: what the app loads itself may always. */
  mayNavigate(url: string): boolean {
    if (toWeb(url) === this.#expected) return true;
    const event = new Preventable(url);
    this.emit("will-navigate", event, url);
    return !event.defaultPrevented;
  }
  async load(url: string): Promise<void> {
    this.#expected = toWeb(url);
    await this.#page?.goto(this.#expected, { waitUntil: "load" });
  }
  send(channel: string, ...args: unknown[]): void {
    // Throws here, as Electron does, on what cannot be cloned.
    const text = encode({ channel, args });
    if (this.#preloadContext === undefined || this.#destroyed) return;
    const expression = `deliver(${JSON.stringify(text)})`;
    void this.#session
      ?.send("Runtime.evaluate", { expression, contextId: this.#preloadContext })
      .catch(() => undefined); // The page has gone meanwhile; Electron drops the message too.
  }
  getURL(): string {
    return toApp(this.#page?.url() ?? "");
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }
  destroy(): void {
    this.#destroyed = true;
    this.emit("destroyed");
  }
}
