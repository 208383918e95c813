import { NacreError } from "../../../../shared/errors.ts";
import type { McpOAuthConfig } from "../../config/types.ts";
import { untilAborted } from "../../kit/abort.ts";
import { describe } from "../call-errors.ts";
import type { ConnectionEvents } from "../types.ts";
import { BoundTokens } from "./bound-token.ts";
import { signInWithBrowser } from "./browser-round.ts";
import { silentGrant, type Grant } from "./grants.ts";
import type { Challenge, OAuthLibrary } from "./library.ts";
import { OAuthProvider, type ProviderOptions } from "./provider.ts";
import { OAuthRecord, oauthRecordName, type OAuthStore } from "./record.ts";
import { SignInNeeded, type SignIn } from "./sign-in.ts";

/** A token that ends this soon is refreshed before it is used, ms. */
const margin = 30_000;

/** What the host lends for the tokens of remote servers. */
export interface OAuthPorts {
  /**
   * Shows the sign-in page of a server to the person, who may be asked first. Absent: kept tokens are used and renewed, and
   * what needs the person comes to nothing. @throws NacreError `denied`
   */
  readonly openBrowser?: ((url: URL, server: string, signal: AbortSignal) => Promise<void>) | undefined;
  readonly store: OAuthStore;
  /** https url of the app's client id metadata document. */
  readonly clientMetadataUrl?: string;
  readonly maskSecret: (value: string) => void;
}
export interface OAuthSessionOptions {
  readonly server: string;
  readonly url: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly ports: OAuthPorts;
  /** The server's `oauth`, its variables resolved. */
  readonly declared?: McpOAuthConfig | undefined;
  readonly library: OAuthLibrary;
  readonly events: Pick<ConnectionEvents, "onNote" | "onWait">;
  readonly now: () => number;
}

/**
 * One remote server's tokens. Its `fetch` sends them and renews them, once for all requests that need it; what needs the
 * person is only noted there and done by `signIn`, outside of every time limit of a request.
 */
export class OAuthSession implements SignIn {
  readonly #options: OAuthSessionOptions;
  readonly #record: OAuthRecord;
  readonly #bound: BoundTokens;
  readonly #grant: Grant | undefined;
  #wanted: Challenge | undefined;
  #renewing: Promise<boolean> | undefined;
  /** A new token that the server has not taken yet. Where it refuses it, another of its kind would be refused, too. */
  #unproven: string | undefined;
  /** Why no token could be had without the person. */
  #failure = "";
  #signingIn: { readonly done: Promise<void>; readonly controller: AbortController } | undefined;
  #waiting = 0;

  constructor(options: OAuthSessionOptions) {
    this.#options = options;
    const { url, ports, events, declared, library, server, fetch } = options;
    const note = (text: string): void => events.onNote(text);
    this.#record = new OAuthRecord(oauthRecordName(url, declared), ports.store, note, ports.maskSecret);
    this.#bound = new BoundTokens(this.#record, library);
    this.#grant = silentGrant(declared, server, library, fetch);
  }
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { library } = this.#options;
    await this.#renewAhead();
    const used = await this.#token();
    let response = await this.#send(input, init);
    if (response.status === 401) {
      const challenge = library.readChallenge(response);
      if ((await this.#token()) !== used || (await this.#renew(challenge))) {
        await response.body?.cancel();
        response = await this.#send(input, init);
      }
    }
    if (response.status === 401) this.#wanted = library.readChallenge(response);
    else this.#unproven = undefined;
    if (response.status === 403) await this.#noteScopes(library.readChallenge(response));
    return response;
  };
  isWanted(): boolean {
    return this.#wanted !== undefined || this.#signingIn !== undefined;
  }
  async signIn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#signingIn ??= this.#beginSignIn();
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
  async #send(input: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    const { fetch } = this.#options;
    const { tokens } = await this.#record.read();
    if (tokens === undefined) return fetch(input, init);
    if (tokens.token_type.toLowerCase() === "dpop")
      return this.#bound.send(fetch, input, init, tokens.access_token);
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${tokens.access_token}`);
    return fetch(input, { ...init, headers });
  }
  async #renewAhead(): Promise<void> {
    const { tokens, expiresAt } = await this.#record.read();
    if (expiresAt === undefined || (tokens?.refresh_token === undefined && !this.#grant)) return;
    if (expiresAt - margin < this.#options.now()) await this.#renew({});
  }
  /** True where there is another token now. Whoever comes meanwhile shares it: a refresh token may be good for one use. */
  #renew(challenge: Challenge): Promise<boolean> {
    this.#renewing ??= this.#renewOnce(challenge).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }
  async #renewOnce(challenge: Challenge): Promise<boolean> {
    const before = await this.#token();
    const { tokens, expiresAt = Infinity } = await this.#record.readAgain();
    if (tokens?.access_token !== before) return true;
    const isNew = before !== undefined && before === this.#unproven;
    if (isNew && expiresAt > this.#options.now()) return false;
    if (tokens?.refresh_token === undefined && !this.#grant) return false;
    try {
      if ((await this.#authorize(challenge)) !== "AUTHORIZED") return false;
      this.#unproven = await this.#token();
      return true;
    } catch (error) {
      this.#failure = describe(error);
      this.#options.events.onNote(`the sign-in could not be renewed: ${this.#failure}`);
      return false;
    }
  }
  #authorize(asked: Challenge): Promise<"AUTHORIZED" | "REDIRECT"> {
    const { url, fetch, library } = this.#options;
    const { scope, resourceMetadataUrl } = this.#withDeclaredScopes(asked);
    return library.authorize(this.#provider(), {
      serverUrl: url,
      fetchFn: fetch,
      ...(scope === undefined ? {} : { scope }),
      ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    });
  }
  #withDeclaredScopes(challenge: Challenge): Challenge {
    const { scopes } = this.#options.declared ?? {};
    return scopes === undefined ? challenge : { ...challenge, scope: union(scopes, words(challenge.scope)) };
  }
  /** A sign-in helps only where it asks for more than the token has: else it would be asked for without end. */
  async #noteScopes(challenge: Challenge): Promise<void> {
    if (challenge.error !== "insufficient_scope") return;
    const had = words((await this.#record.read()).tokens?.scope);
    const asked = words(challenge.scope);
    if (asked.every((scope) => had.includes(scope))) return;
    this.#wanted = { ...challenge, scope: union(had, asked) };
  }
  #provider(browser?: ProviderOptions["browser"]): OAuthProvider {
    const { now, ports, declared, library } = this.#options;
    const { clientId, privateKey, signingAlgorithm: algorithm = "ES256" } = declared ?? {};
    return new OAuthProvider({
      record: this.#record,
      clientMetadataUrl: ports.clientMetadataUrl,
      now,
      declared,
      grant: this.#grant,
      bound: this.#bound,
      ...(clientId === undefined || privateKey === undefined
        ? {}
        : { authenticate: library.signedAuthentication({ clientId, privateKey, algorithm }) }),
      ...(browser ? { browser } : {}),
    });
  }
  #beginSignIn(): { readonly done: Promise<void>; readonly controller: AbortController } {
    const controller = new AbortController();
    const challenge = this.#wanted ?? {};
    this.#wanted = undefined;
    const done = this.#signInOnce(challenge, controller.signal).finally(() => (this.#signingIn = undefined));
    return { controller, done };
  }
  async #signInOnce(challenge: Challenge, signal: AbortSignal): Promise<void> {
    const { server, ports, declared, url, fetch, library } = this.#options;
    if (this.#grant) return this.#grantAgain(challenge);
    if (!ports.openBrowser)
      throw new SignInNeeded(
        `"${server}" wants you signed in: sign in in the window, or with nacre mcp login ${server}; a key that it was given for good goes into api_key_env or headers`,
      );
    const { callbackPort } = declared ?? {};
    const port = callbackPort ?? (await this.#registeredPort());
    await signInWithBrowser(
      {
        server,
        url,
        fetch,
        library,
        challenge: this.#withDeclaredScopes(challenge),
        port: { number: port, exact: callbackPort !== undefined },
        openBrowser: ports.openBrowser,
        provider: (browser) => this.#provider(browser),
      },
      signal,
    );
    this.#unproven = await this.#token();
  }
  /** Nobody can be asked: only further scopes are a reason to ask for a token once more. */
  async #grantAgain(challenge: Challenge): Promise<void> {
    const { server } = this.#options;
    if (challenge.error === "insufficient_scope") {
      await this.#authorize(challenge);
      return;
    }
    const reason = this.#failure === "" ? "it refuses the token that it was given" : this.#failure;
    throw new SignInNeeded(`"${server}" cannot be signed in to with its oauth settings: ${reason}`);
  }
  /** The port that the app registered itself with; 0 where it did not. */
  async #registeredPort(): Promise<number> {
    const { clients } = await this.#record.read();
    const registered = Object.values(clients).flatMap(({ redirect_uris: uris }) => uris ?? []);
    const last = registered.at(-1);
    return last !== undefined && URL.canParse(last) ? Number(new URL(last).port) : 0;
  }
}
const words = (text: string | undefined): string[] => (text ?? "").split(" ").filter((word) => word !== "");
const union = (a: readonly string[], b: readonly string[]): string => [...new Set([...a, ...b])].join(" ");
