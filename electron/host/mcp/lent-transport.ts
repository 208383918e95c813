import type { JsonObject } from "../../../shared/json.ts";
import type { StdioTransport } from "./stdio-transport.ts";

/**
 * A server's transport in the hands of one client, which closes what it was given when it cannot shake hands. Until it is
 * kept, that ends the client's use of it and not the server, so that another client can try in another way.
 */
export class LentTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonObject) => void) | undefined;
  readonly #transport: StdioTransport;
  #isKept = false;
  constructor(transport: StdioTransport) {
    this.#transport = transport;
    transport.onclose = () => this.onclose?.();
    transport.onerror = (error) => this.onerror?.(error);
    transport.onmessage = (message) => this.onmessage?.(message);
  }
  /** The client is the one: closing is closing from now on. */
  keep(): void {
    this.#isKept = true;
  }
  start(): Promise<void> {
    return this.#transport.start();
  }
  send(message: object): Promise<void> {
    return this.#transport.send(message);
  }
  async close(): Promise<void> {
    if (this.#isKept) return this.#transport.close();
    this.onclose?.();
  }
}
