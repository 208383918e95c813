import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { NacreError } from "../../../../shared/errors.ts";

const callbackPath = "/callback";
/** For the page that the browser is being shown, ms. */
const farewell = 1000;
const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Nacre</title><p style="font:16px sans-serif">${text}</p>`;

/**
 * The address that a browser comes back to after a sign-in (RFC 8252, section 7.3). It answers on 127.0.0.1 alone, and only
 * until the one answer that bears our `state` was taken.
 */
export class Loopback {
  readonly #server: Server;
  /** What the browser brought: `code`, `iss`, `error`. Rejects with the reason of `close`. */
  readonly answer: Promise<URLSearchParams>;
  #reject: (reason: unknown) => void = () => undefined;
  readonly url: string;

  private constructor(server: Server, state: string) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${callbackPath}`;
    this.answer = new Promise((resolve, reject) => {
      this.#reject = reject;
      server.on("request", (request, response) => {
        const path = request.url ?? "/";
        const asked = URL.canParse(path, this.url) ? new URL(path, this.url) : undefined;
        const headers = { "content-type": "text/html; charset=utf-8", connection: "close" };
        // Anybody on this machine can knock here: what lacks our state is not the answer.
        const isOurs = asked?.pathname === callbackPath && asked.searchParams.get("state") === state;
        if (request.method !== "GET" || !isOurs)
          return void response.writeHead(404, headers).end(page("There is nothing here."));
        response.writeHead(200, headers).end(page("You can close this page and go back to Nacre."));
        resolve(asked.searchParams);
      });
    });
    // Who closes it early need not have waited for it.
    this.answer.catch(() => undefined);
  }
  /**
   * On `port` where that is free, else on any: a registered address is used again where it can be. `exact`: no other will do.
   * @throws NacreError `unavailable` where it has to be that port and it is taken
   */
  static async open(state: string, port = 0, exact = false): Promise<Loopback> {
    const server = createServer();
    const listen = (wanted: number): Promise<void> =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(wanted, "127.0.0.1", () => {
          server.off("error", reject);
          resolve();
        });
      });
    await listen(port).catch((error: unknown) => {
      if (!exact) return listen(0);
      const reason = error instanceof Error ? error.message : String(error);
      throw new NacreError(
        "unavailable",
        `port ${port} of oauth.callback_port cannot be listened on: ${reason}; end what uses it`,
      );
    });
    return new Loopback(server, state);
  }
  /** Stops listening and ends `answer` with `reason`. */
  close(reason: unknown): Promise<void> {
    this.#reject(reason);
    return new Promise((resolve) => {
      // Whoever began to ask and does not go on is not waited for.
      const cut = setTimeout(() => this.#server.closeAllConnections(), farewell);
      this.#server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      this.#server.closeIdleConnections();
    });
  }
}
