import type { AddClientAuthentication, DpopSession } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../../shared/json.ts";
import type { OAuthProvider } from "./provider.ts";

export type { AddClientAuthentication, DpopSession };
/** What a 401 or 403 asks for (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly error?: string | undefined;
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
}
/** A key that tokens are bound to (RFC 9449), as it is kept. */
export interface DpopKey extends JsonObject {
  readonly privateJwk: JsonObject;
  readonly publicJwk: JsonObject;
  /** RFC 7638. */
  readonly thumbprint: string;
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
  /** Signs who the app is (`private_key_jwt`). */
  signedAuthentication(options: {
    readonly clientId: string;
    readonly privateKey: string;
    readonly algorithm: string;
  }): AddClientAuthentication;
  /** Exchanges the person's id token for a grant that the server's authorization server takes (SEP-990). */
  exchangeIdToken(options: {
    readonly idp: { readonly issuer: string } | { readonly tokenEndpoint: string };
    readonly audience: string;
    readonly resource: string;
    readonly idToken: string;
    readonly clientId: string;
    readonly clientSecret?: string;
    readonly scope?: string;
    readonly fetchFn: typeof globalThis.fetch;
  }): Promise<string>;
  newDpopKey(): Promise<DpopKey>;
  dpopSession(key: DpopKey): Promise<DpopSession>;
  /** True where the server only wants its nonce in the proof. */
  isDpopNonceChallenge(response: Response): boolean;
}
