import { setTimeout as pause } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { describe, isServerAnswer } from "./call-errors.ts";

/** For the server's word that it tells of changes, ms; one that gives none is used without. */
const acknowledgeLimit = 10_000;
/** Between two streams, ms; doubled each time up to the longest. */
const firstDelay = 1000;
const longestDelay = 60_000;
/** A stream that held so long was well, ms. */
const wellAfter = 30_000;

/** What is listened for (MCP 2026-07-28, `subscriptions/listen`). */
interface Filter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
}
interface Subscription {
  /** `local`: by `close`. */
  readonly closed: Promise<"local" | "graceful" | "remote">;
  close(): Promise<void>;
}
export interface ListeningPorts {
  /** What comes goes to the client's own handlers. */
  listen(
    filter: Filter,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<Subscription>;
  /** A stream is open again after one broke off: what was told meanwhile is lost. */
  onGap(): void;
  onNote(text: string): void;
}

/**
 * Hears of changes from a server of the modern era: such a server tells them on a stream that the client holds open, and
 * opens again where it breaks off. Nothing waits for it: a server that takes no such request is used without.
 */
export class Listening {
  readonly #ports: ListeningPorts;
  readonly #lists: Filter;
  readonly #uris = new Set<string>();
  readonly #end = new AbortController();
  readonly #delay: number;
  #running = false;
  #current: Subscription | undefined;

  /** @param capabilities as the server told them @param delayMs before a stream that broke off is opened again */
  constructor(capabilities: JsonObject, ports: ListeningPorts, delayMs: number = firstDelay) {
    this.#ports = ports;
    this.#delay = delayMs;
    const tells = (list: string): boolean => {
      const capability = capabilities[list];
      return isObject(capability) && capability["listChanged"] === true;
    };
    this.#lists = {
      ...(tells("tools") ? { toolsListChanged: true } : {}),
      ...(tells("prompts") ? { promptsListChanged: true } : {}),
      ...(tells("resources") ? { resourcesListChanged: true } : {}),
    };
    this.#begin();
  }
  /** Hears of changes of a resource too, or not any longer. */
  watch(uri: string, isWanted: boolean): void {
    if (this.#uris.has(uri) === isWanted) return;
    if (isWanted) this.#uris.add(uri);
    else this.#uris.delete(uri);
    // The stream that is open listens for something else; the next one has the new filter.
    void this.#current?.close();
    this.#begin();
  }
  close(): void {
    this.#end.abort();
  }
  #filter(): Filter {
    return { ...this.#lists, ...(this.#uris.size > 0 ? { resourceSubscriptions: [...this.#uris] } : {}) };
  }
  #begin(): void {
    if (this.#running || this.#end.signal.aborted || Object.keys(this.#filter()).length === 0) return;
    this.#running = true;
    void this.#run();
  }
  async #run(): Promise<void> {
    try {
      await this.#listen();
    } finally {
      this.#running = false;
    }
  }
  async #listen(): Promise<void> {
    let delay = this.#delay;
    for (let broke = false; ;) {
      const filter = this.#filter();
      if (Object.keys(filter).length === 0) return;
      try {
        const opened = performance.now();
        const signal = this.#end.signal;
        this.#current = await this.#ports.listen(filter, { signal, timeout: acknowledgeLimit });
        if (broke) this.#ports.onGap();
        broke = (await this.#current.closed) !== "local";
        if (performance.now() - opened > wellAfter) delay = this.#delay;
      } catch (error) {
        if (this.#end.signal.aborted) return;
        if (isServerAnswer(error) || isTimeout(error)) {
          this.#ports.onNote(`the server tells of no changes: ${describe(error)}`);
          return;
        }
        broke = true;
      } finally {
        this.#current = undefined;
      }
      if (this.#end.signal.aborted) return;
      if (!broke) continue;
      try {
        await pause(delay, undefined, { signal: this.#end.signal });
      } catch {
        // It was closed: that ends the wait.
        return;
      }
      delay = Math.min(delay * 2, longestDelay);
    }
  }
}
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "REQUEST_TIMEOUT";
