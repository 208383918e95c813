import { randomBytes } from "node:crypto";
import { NacreError } from "../../../../shared/errors.ts";
import { untilAborted } from "../../kit/abort.ts";
import { describe } from "../call-errors.ts";
import type { ConnectionEvents } from "../types.ts";
import { Loopback } from "./loopback.ts";
import { OAuthProvider } from "./provider.ts";
import { OAuthRecord, oauthRecordName, type OAuthStore } from "./record.ts";
import type { SignIn } from "./sign-in.ts";

/** How long a person may take to sign in, ms. */
const patience = 300_000;
/** A token that ends this soon is refreshed before it is used, ms. */
const margin = 30_000;

/** What the host lends for signing in to remote servers; without it none is offered. */
export interface OAuthPorts {
  /** Shows the sign-in page of a server to the person, who may be asked first. @throws NacreError `denied` */
  readonly openBrowser: (url: URL, server: string, signal: AbortSignal) => Promise<void>;
  readonly store: OAuthStore;
  /** https url of the app's client id metadata document. */
  readonly clientMetadataUrl?: string;
  readonly maskSecret: (value: string) => void;
}
/** What a 401 or 403 asks for (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly error?: string | undefined;
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
}
/** The client library's part: discovery, registration, PKCE and the checks of issuer and resource. */
export interface OAuthLibrary {
  readChallenge(response: Response): Challenge;
  authorize(
    provider: OAuthProvider,
    options: {
      readonly serverUrl: URL;
      readonly scope?: string;
      readonly resourceMetadataUrl?: URL;
      readonly authorizationCode?: string;
      /** The issuer that the answer names (RFC 9207). */
      readonly iss?: string;
      readonly forceReauthorization?: boolean;
      readonly fetchFn: typeof globalThis.fetch;
    },
  ): Promise<"AUTHORIZED" | "REDIRECT">;
}
export interface OAuthSessionOptions {
  readonly server: string;
  readonly url: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly ports: OAuthPorts;
  readonly library: OAuthLibrary;
  readonly events: Pick<ConnectionEvents, "onNote" | "onWait">;
  readonly now: () => number;
}

/**
 * One remote server's tokens. Its `fetch` sends them and refreshes them, once for all requests that need it; what needs the
 * person is only noted there and done by `signIn`, outside of every time limit of a request.
 */
export class OAuthSession implements SignIn {
  readonly #options: OAuthSessionOptions;
  readonly #record: OAuthRecord;
  #wanted: Challenge | undefined;
  #refreshing: Promise<boolean> | undefined;
  #signingIn: { readonly done: Promise<void>; readonly controller: AbortController } | undefined;
  #waiting = 0;

  constructor(options: OAuthSessionOptions) {
    this.#options = options;
    const { url, ports, events } = options;
    this.#record = new OAuthRecord(oauthRecordName(url), ports.store, (text) => events.onNote(text));
  }
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { library } = this.#options;
    await this.#refreshAhead();
    const used = await this.#token();
    let response = await this.#send(input, init, used);
    if (response.status === 401) {
      const challenge = library.readChallenge(response);
      if ((await this.#token()) !== used || (await this.#refresh(challenge))) {
        await response.body?.cancel();
        response = await this.#send(input, init, await this.#token());
      }
    }
    if (response.status === 401) this.#wanted = library.readChallenge(response);
    if (response.status === 403) await this.#noteScopes(library.readChallenge(response));
    return response;
  };
  isWanted(): boolean {
    return this.#wanted !== undefined || this.#signingIn !== undefined;
  }
  async signIn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#signingIn) {
      const controller = new AbortController();
      const done = this.#signIn(AbortSignal.any([controller.signal, AbortSignal.timeout(patience)])).finally(
        () => (this.#signingIn = undefined),
      );
      this.#signingIn = { controller, done };
    }
    const { done, controller } = this.#signingIn;
    this.#waiting++;
    const resume = this.#options.events.onWait();
    try {
      await untilAborted(done, signal);
    } finally {
      resume();
      // The page of a sign-in that nobody waits for any more leads nowhere.
      if (--this.#waiting === 0)
        controller.abort(new NacreError("stopped", "the sign-in is not needed any more"));
    }
  }
  close(): void {
    this.#signingIn?.controller.abort(new NacreError("stopped", "the server was stopped"));
  }

  async #token(): Promise<string | undefined> {
    return (await this.#record.read()).tokens?.access_token;
  }
  #send(
    input: string | URL | Request,
    init: RequestInit | undefined,
    token: string | undefined,
  ): Promise<Response> {
    if (token === undefined) return this.#options.fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${token}`);
    return this.#options.fetch(input, { ...init, headers });
  }
  async #refreshAhead(): Promise<void> {
    const { tokens, expiresAt } = await this.#record.read();
    if (tokens?.refresh_token === undefined || expiresAt === undefined) return;
    if (expiresAt - margin < this.#options.now()) await this.#refresh({});
  }
  /** True where there is another token now. Whoever comes meanwhile shares it: a refresh token may be good for one use. */
  #refresh(challenge: Challenge): Promise<boolean> {
    this.#refreshing ??= this.#refreshOnce(challenge).finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }
  async #refreshOnce({ resourceMetadataUrl }: Challenge): Promise<boolean> {
    const before = await this.#token();
    const { tokens } = await this.#record.readAgain();
    if (tokens?.access_token !== before) return true;
    if (tokens?.refresh_token === undefined) return false;
    try {
      const { url, fetch, library } = this.#options;
      const options = {
        serverUrl: url,
        fetchFn: fetch,
        ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
      };
      return (await library.authorize(this.#provider(), options)) === "AUTHORIZED";
    } catch (error) {
      this.#options.events.onNote(`the sign-in could not be renewed: ${describe(error)}`);
      return false;
    }
  }
  /** A sign-in helps only where it asks for more than the token has: else it would be asked for without end. */
  async #noteScopes(challenge: Challenge): Promise<void> {
    if (challenge.error !== "insufficient_scope") return;
    const had = scopes((await this.#record.read()).tokens?.scope);
    const asked = scopes(challenge.scope);
    if (asked.every((scope) => had.includes(scope))) return;
    this.#wanted = { ...challenge, scope: [...new Set([...had, ...asked])].join(" ") };
  }
  #provider(browser?: ConstructorParameters<typeof OAuthProvider>[0]["browser"]): OAuthProvider {
    const { now, ports } = this.#options;
    return new OAuthProvider({
      record: this.#record,
      clientMetadataUrl: ports.clientMetadataUrl,
      now,
      onTokens: ({ access_token, refresh_token }) => {
        ports.maskSecret(access_token);
        if (refresh_token !== undefined) ports.maskSecret(refresh_token);
      },
      ...(browser ? { browser } : {}),
    });
  }
  async #signIn(signal: AbortSignal): Promise<void> {
    const { url, fetch, library, server, ports } = this.#options;
    const { scope, resourceMetadataUrl } = this.#wanted ?? {};
    this.#wanted = undefined;
    const state = randomBytes(32).toString("base64url");
    const loopback = await Loopback.open(state, await this.#registeredPort());
    const abandon = (): void => void loopback.close(signal.reason);
    signal.addEventListener("abort", abandon, { once: true });
    try {
      signal.throwIfAborted();
      const provider = this.#provider({
        redirectUrl: loopback.url,
        state,
        open: (page) => untilAborted(ports.openBrowser(page, server, signal), signal),
      });
      const options = {
        serverUrl: url,
        fetchFn: fetch,
        ...(scope === undefined ? {} : { scope }),
        ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
      };
      const outcome = await library.authorize(provider, { ...options, forceReauthorization: true });
      if (outcome === "AUTHORIZED") return;
      const answer = await loopback.answer;
      const authorizationCode = answer.get("code");
      if (authorizationCode === null)
        throw new NacreError(
          "denied",
          `the sign-in to "${server}" was refused: ${answer.get("error_description") ?? answer.get("error") ?? "no reason was given"}`,
        );
      const iss = answer.get("iss");
      await library.authorize(provider, {
        ...options,
        authorizationCode,
        ...(iss === null ? {} : { iss }),
      });
    } catch (error) {
      if (error instanceof NacreError) throw error;
      if (signal.aborted)
        throw new NacreError(
          "timeout",
          `nobody signed in to "${server}" within ${patience / 60_000} minutes`,
        );
      throw new NacreError("needs_setup", `signing in to "${server}" failed: ${describe(error)}`, {
        cause: error,
      });
    } finally {
      signal.removeEventListener("abort", abandon);
      await loopback.close(new NacreError("stopped", "the sign-in is over"));
    }
  }
  /** The port that the app registered itself with; 0 where it did not. */
  async #registeredPort(): Promise<number> {
    const { clients } = await this.#record.read();
    const registered = Object.values(clients).flatMap(({ redirect_uris: uris }) => uris ?? []);
    const last = registered.at(-1);
    return last !== undefined && URL.canParse(last) ? Number(new URL(last).port) : 0;
  }
}
const scopes = (text: string | undefined): string[] =>
  (text ?? "").split(" ").filter((scope) => scope !== "");
