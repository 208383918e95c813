import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import type { McpOAuthConfig } from "../../config/types.ts";
import type { DpopKey } from "./library.ts";

/** Where secrets lie; without `set` what is kept is gone with the process. */
export interface OAuthStore {
  get(name: string): Promise<string | undefined>;
  set?(name: string, value: string): Promise<void>;
  remove?(name: string): Promise<void>;
}
/** The app as one authorization server knows it (RFC 7591). */
export interface OAuthClient extends JsonObject {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris?: string[];
  readonly issuer?: string;
}
export interface OAuthTokens extends JsonObject {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly scope?: string;
  readonly issuer?: string;
}
export interface OAuthKept {
  /** By issuer: what one authorization server gave is never shown to another (SEP-2352). */
  readonly clients: Readonly<Record<string, OAuthClient>>;
  /** Registered by hand: for the first authorization server that asks. */
  readonly preset?: OAuthClient;
  readonly tokens?: OAuthTokens;
  /** ms since the epoch; absent where the server did not say. */
  readonly expiresAt?: number;
  /** What tokens are bound to, where an authorization server binds them. */
  readonly dpopKey?: DpopKey;
}

/**
 * The name of a server's record in the secret store. It is made of the address and not of the server's name: another
 * declaration of that name must not get at these tokens, nor can `${secret:…}` reach them. Nor do two declarations of one
 * address that are known there as two apps.
 */
export const oauthRecordName = (url: URL, declared?: McpOAuthConfig): string => {
  const app = declared?.clientId === undefined ? "" : `\n${declared.grant}\n${declared.clientId}`;
  const hash = createHash("sha256").update(url.origin + url.pathname + app);
  return `mcp-oauth/${hash.digest("hex")}`;
};
/** What of a record is secret: masked wherever it might be shown. */
const recordSecrets = ({ tokens, clients, preset }: OAuthKept): string[] =>
  [
    tokens?.access_token,
    tokens?.refresh_token,
    ...[...Object.values(clients), preset].map((client) => client?.client_secret),
  ].filter((secret) => secret !== undefined);

/** What is secret in the text of a record, as it lies in the store. */
export function secretsInRecord(text: string): string[] {
  try {
    return recordSecrets(readKept(JSON.parse(text)));
  } catch {
    // What is no record holds no token of ours; whoever signs in is told so.
    return [];
  }
}

/** What is kept of the sign-ins to one server. */
export class OAuthRecord {
  readonly #name: string;
  readonly #store: OAuthStore;
  readonly #onProblem: (text: string) => void;
  readonly #onSecret: (value: string) => void;
  #kept: OAuthKept = { clients: {} };
  #loaded: Promise<void> | undefined;
  #isUnsaved = false;

  /** @param onSecret hears whatever of it must not be shown, before anybody else */
  constructor(
    name: string,
    store: OAuthStore,
    onProblem: (text: string) => void,
    onSecret: (value: string) => void,
  ) {
    this.#name = name;
    this.#store = store;
    this.#onProblem = onProblem;
    this.#onSecret = onSecret;
  }
  async read(): Promise<OAuthKept> {
    await (this.#loaded ??= this.#load());
    return this.#kept;
  }
  /** Looks again: another process of the app may have refreshed the tokens. */
  async readAgain(): Promise<OAuthKept> {
    await this.read();
    if (!this.#isUnsaved) await this.#load();
    return this.#kept;
  }
  /** Holds it from now on, and keeps it where the store can. */
  async change(change: Partial<{ [Key in keyof OAuthKept]: OAuthKept[Key] | undefined }>): Promise<void> {
    this.#hold(readKept({ ...(await this.read()), ...change }));
    try {
      if (!this.#store.set) throw new Error("there is no secret store");
      await this.#store.set(this.#name, JSON.stringify(this.#kept));
      this.#isUnsaved = false;
    } catch (error) {
      if (!this.#isUnsaved)
        this.#onProblem(
          `the sign-in lasts until Nacre is closed: ${error instanceof Error ? error.message : String(error)}`,
        );
      this.#isUnsaved = true;
    }
  }
  #hold(kept: OAuthKept): void {
    for (const secret of recordSecrets(kept)) this.#onSecret(secret);
    this.#kept = kept;
  }
  async #load(): Promise<void> {
    try {
      const text = await this.#store.get(this.#name);
      if (text !== undefined) this.#hold(readKept(JSON.parse(text)));
    } catch (error) {
      this.#onProblem(
        `the kept sign-in cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

/** What does not look like it was written by us is left out. */
function readKept(value: unknown): OAuthKept {
  if (!isObject(value)) return { clients: {} };
  const { clients, preset, tokens, expiresAt, dpopKey } = value;
  return {
    clients: isObject(clients)
      ? Object.fromEntries(
          Object.entries(clients).filter((entry): entry is [string, OAuthClient] => isClient(entry[1])),
        )
      : {},
    ...(isClient(preset) ? { preset } : {}),
    ...(isTokens(tokens) ? { tokens } : {}),
    ...(typeof expiresAt === "number" ? { expiresAt } : {}),
    ...(isKey(dpopKey) ? { dpopKey } : {}),
  };
}
const isClient = (value: unknown): value is OAuthClient =>
  isObject(value) && typeof value["client_id"] === "string";
const isTokens = (value: unknown): value is OAuthTokens =>
  isObject(value) && typeof value["access_token"] === "string" && typeof value["token_type"] === "string";
const isKey = (value: unknown): value is DpopKey =>
  isObject(value) &&
  isObject(value["privateJwk"]) &&
  isObject(value["publicJwk"]) &&
  typeof value["thumbprint"] === "string";
