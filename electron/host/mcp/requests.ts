import { NacreError } from "../../../shared/errors.ts";
import type { AskPerson, McpRequestAnswer, McpRequestView } from "../../../shared/mcp-request.ts";
import { abortError } from "../kit/abort.ts";
import type { Ids } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";

/** A server that asks without end fills no list: what is over this is declined. */
const mostOfOneServer = 8;

interface Open {
  readonly view: McpRequestView;
  readonly settle: (answer: McpRequestAnswer) => void;
}
/** What servers want of the person and have not been answered yet. The one writer of the slice `mcpRequests`. */
export class ServerRequests {
  readonly #open = new Map<string, Open>();
  readonly #ids: Ids;
  readonly #changed: Emitter<readonly McpRequestView[]>;
  readonly onChange: Listenable<readonly McpRequestView[]>;
  /** @param onError hears what listeners throw */
  constructor(ids: Ids, onError?: (error: unknown) => void) {
    this.#ids = ids;
    this.#changed = new Emitter(onError);
    this.onChange = this.#changed;
  }
  /** Oldest first. */
  open(): readonly McpRequestView[] {
    return [...this.#open.values()].map(({ view }) => view);
  }
  /** Waits for the answer; an abort takes the request back. */
  readonly ask: AskPerson = (request, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const ofServer = this.open().filter(({ server }) => server === request.server).length;
      if (ofServer >= mostOfOneServer) return resolve({ action: "decline" });
      const id = this.#ids.next();
      const close = (): void => {
        signal.removeEventListener("abort", abort);
        this.#open.delete(id);
        this.#changed.emit(this.open());
      };
      const abort = (): void => {
        close();
        reject(abortError(signal));
      };
      const settle = (answer: McpRequestAnswer): void => {
        close();
        resolve(answer);
      };
      this.#open.set(id, { view: { ...request, id }, settle });
      signal.addEventListener("abort", abort, { once: true });
      this.#changed.emit(this.open());
    });
  /** @throws NacreError `not_found` for a request that is gone */
  answer(id: string, answer: McpRequestAnswer): void {
    const open = this.#open.get(id);
    if (!open) throw new NacreError("not_found", "the server does not wait for this answer any longer");
    open.settle(answer);
  }
}
