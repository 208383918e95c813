import { EventEmitter } from "node:events";
import { homedir } from "node:os";
import path from "node:path";
import type { App } from "electron";
import { Preventable } from "./contents.ts";
import { record } from "./record.ts";

type Surface = Pick<
  App,
  | "isPackaged"
  | "getVersion"
  | "getAppPath"
  | "getLocale"
  | "getPath"
  | "setPath"
  | "isReady"
  | "whenReady"
  | "requestSingleInstanceLock"
  | "enableSandbox"
  | "quit"
  | "exit"
>;
/** What the app needs of its windows and of Chromium; set at boot. */
interface Ports {
  closeWindows(): void;
  openWindows(): number;
  closeChromium(): Promise<void>;
}

/** `app`: the order of Electron's start and end, with its errors. */
class StandInApp extends EventEmitter implements Surface {
  readonly isPackaged = false;
  readonly #paths = new Map<string, string>([["home", homedir()]]);
  #version = "";
  #appPath = "";
  #ports: Ports | undefined;
  #ready = false;
  #quitting = false;
  #exiting = false;

  prepare(appPath: string, version: string, ports: Ports): void {
    this.#appPath = appPath;
    this.#version = version;
    this.#ports = ports;
  }
  /** @throws before `ready`, as Electron does */
  needReady(what: string): void {
    if (!this.#ready) throw new Error(`${what} before app is ready`);
  }
  becomeReady(): void {
    this.#ready = true;
    this.emit("ready", {}, {});
  }
  getVersion(): string {
    return this.#version;
  }
  getAppPath(): string {
    return this.#appPath;
  }
  getLocale(): string {
    return process.env["STAND_IN_LOCALE"] ?? "en-US";
  }
  getPath(name: string): string {
    const known = this.#paths.get(name);
    if (known === undefined) throw new Error(`Failed to get '${name}' path`);
    return known;
  }
  setPath(name: string, folder: string): void {
    if (!path.isAbsolute(folder)) throw new Error("Path must be absolute");
    this.#paths.set(name, folder);
  }
  isReady(): boolean {
    return this.#ready;
  }
  whenReady(): Promise<void> {
    return this.#ready ? Promise.resolve() : new Promise((resolve) => this.once("ready", () => resolve()));
  }
  requestSingleInstanceLock(): boolean {
    return process.env["STAND_IN_SECOND_INSTANCE"] !== "1";
  }
  enableSandbox(): void {
    if (this.#ready) throw new Error("app.enableSandbox() can only be called before app is ready");
    record("app.enableSandbox");
  }
  lastWindowClosed(): void {
    if (!this.#quitting && !this.emit("window-all-closed")) this.quit();
  }
  quit(): void {
    if (this.#quitting) return;
    const before = new Preventable();
    this.emit("before-quit", before);
    if (before.defaultPrevented) return;
    this.#quitting = true;
    this.#ports?.closeWindows();
    const will = new Preventable();
    const refused = (this.#ports?.openWindows() ?? 0) > 0;
    if (!refused) this.emit("will-quit", will);
    if (refused || will.defaultPrevented) {
      this.#quitting = false;
      return;
    }
    this.emit("quit", {}, 0);
    this.exit(0);
  }
  exit(code = 0): void {
    if (this.#exiting) return;
    this.#exiting = true;
    const end = (): never => process.exit(code);
    (this.#ports?.closeChromium() ?? Promise.resolve()).then(end, end);
  }
}
export const app = new StandInApp();
