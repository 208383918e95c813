import type { DpopKey, DpopSession, OAuthLibrary } from "./library.ts";
import type { OAuthRecord } from "./record.ts";

/** What we sign proofs with. */
const algorithm = "ES256";

/**
 * Tokens that are bound to a key of ours (RFC 9449): used where the authorization server says that it can, so that a stolen
 * token is worth nothing. The key is kept beside the tokens, for a refresh token is bound to it too.
 */
export class BoundTokens {
  readonly #record: OAuthRecord;
  readonly #library: OAuthLibrary;
  #session: Promise<DpopSession> | undefined;

  constructor(record: OAuthRecord, library: OAuthLibrary) {
    this.#record = record;
    this.#library = library;
  }
  /** The session to ask for a token with; undefined where the authorization server binds none. @param metadata its own */
  async for(metadata: object | undefined): Promise<DpopSession | undefined> {
    const supported: unknown =
      metadata && "dpop_signing_alg_values_supported" in metadata
        ? metadata.dpop_signing_alg_values_supported
        : undefined;
    return Array.isArray(supported) && supported.includes(algorithm) ? this.#open() : undefined;
  }
  /** Sends a request with a bound token, once more where the server wants its nonce in the proof. */
  async send(
    fetch: typeof globalThis.fetch,
    input: string | URL | Request,
    init: RequestInit | undefined,
    token: string,
  ): Promise<Response> {
    const session = await this.#open();
    const url = new URL(input instanceof Request ? input.url : input);
    const attempt = async (): Promise<Response> => {
      const headers = new Headers(init?.headers);
      headers.set("Authorization", `DPoP ${token}`);
      headers.set(
        "DPoP",
        await session.buildProof({ htm: init?.method ?? "GET", htu: url, accessToken: token }),
      );
      const response = await fetch(input, { ...init, headers });
      session.observeNonce(response, url);
      return response;
    };
    const response = await attempt();
    if (!this.#library.isDpopNonceChallenge(response)) return response;
    await response.body?.cancel();
    return attempt();
  }
  #open(): Promise<DpopSession> {
    return (this.#session ??= this.#key().then((key) => this.#library.dpopSession(key)));
  }
  async #key(): Promise<DpopKey> {
    const { dpopKey } = await this.#record.read();
    if (dpopKey) return dpopKey;
    const key = await this.#library.newDpopKey();
    await this.#record.change({ dpopKey: key });
    return key;
  }
}
