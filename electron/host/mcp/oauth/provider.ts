import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { NacreError } from "../../../../shared/errors.ts";
import type { McpOAuthConfig } from "../../config/types.ts";
import type { BoundTokens } from "./bound-token.ts";
import { grantTypes, type Grant } from "./grants.ts";
import type { AddClientAuthentication, DpopSession } from "./library.ts";
import type { OAuthClient, OAuthRecord, OAuthTokens } from "./record.ts";

interface IssuerContext {
  readonly issuer: string;
}
/** A registered app comes back to this address where no sign-in is going on; its port is any (RFC 8252, section 7.3). */
const someLoopback = "http://127.0.0.1/callback";

export interface ProviderOptions {
  readonly record: OAuthRecord;
  /** The app's client id metadata document (CIMD), where one is published. */
  readonly clientMetadataUrl?: string | undefined;
  readonly now: () => number;
  /** What the server's declaration says of it. */
  readonly declared?: McpOAuthConfig | undefined;
  /** Gets a token without a person. */
  readonly grant?: Grant | undefined;
  readonly authenticate?: AddClientAuthentication | undefined;
  readonly bound?: BoundTokens | undefined;
  /** Absent: nothing may be asked of the person, and what needs them comes to nothing. */
  readonly browser?: {
    readonly redirectUrl: string;
    readonly state: string;
    readonly open: (url: URL) => Promise<void>;
  };
}
/**
 * What the client library asks of us in one round of OAuth. It is made anew for each round: what it finds out about the
 * authorization server is forgotten with it, so that a server that moved to another is noticed.
 */
export class OAuthProvider implements OAuthClientProvider {
  readonly #options: ProviderOptions;
  /** Undefined where nobody comes back: that is how the library knows a grant without a person. */
  readonly redirectUrl: string | undefined;
  readonly clientMetadataUrl?: string;
  readonly state?: () => string;
  readonly addClientAuthentication?: AddClientAuthentication;
  readonly prepareTokenRequest?: (scope?: string) => Promise<URLSearchParams>;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;
  #requestedScope: string | undefined;
  #authorizationServer: string | undefined;
  #resource: string | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
    const { browser, clientMetadataUrl, grant, authenticate } = options;
    this.redirectUrl = grant ? undefined : (browser?.redirectUrl ?? someLoopback);
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    if (browser) this.state = () => browser.state;
    if (authenticate) this.addClientAuthentication = authenticate;
    if (grant)
      this.prepareTokenRequest = (scope) => {
        this.#requestedScope = scope;
        return grant(scope, { authorizationServer: this.#authorizationServer, resource: this.#resource });
      };
  }
  get clientMetadata() {
    return {
      client_name: "Nacre",
      redirect_uris: this.redirectUrl === undefined ? [] : [this.redirectUrl],
      grant_types: grantTypes(this.#options.declared),
      response_types: this.redirectUrl === undefined ? [] : ["code"],
    };
  }
  async clientInformation(context?: IssuerContext): Promise<OAuthClient | undefined> {
    const { clients, preset } = await this.#options.record.read();
    const declared = this.#declaredClient(Object.keys(clients), context?.issuer);
    if (declared) return declared;
    const client =
      (context && clients[context.issuer]) ?? (Object.keys(clients).length === 0 ? preset : undefined);
    // Without a person nothing comes of a registration.
    if (!client && !this.#options.browser)
      throw new NacreError("needs_setup", "its authorization server does not know the app yet");
    // Many servers take a registered address literally, its port too: another port is registered anew.
    const registered = client?.redirect_uris;
    const back = this.#options.browser?.redirectUrl;
    return back === undefined || registered === undefined || registered.includes(back) ? client : undefined;
  }
  /** What was registered by hand: for the authorization server that it is declared for, or else the first that asked. */
  #declaredClient(known: readonly string[], asking: string | undefined): OAuthClient | undefined {
    const { clientId, clientSecret, issuer } = this.#options.declared ?? {};
    if (clientId === undefined) return undefined;
    const meant = issuer ?? known[0];
    if (asking !== undefined && meant !== undefined && bare(meant) !== bare(asking))
      throw new NacreError(
        "denied",
        `the server now names the authorization server ${asking}, and the client_id is for ${meant}; set oauth.issuer where that is right`,
      );
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(asking === undefined ? {} : { issuer: asking }),
    };
  }
  async saveClientInformation(client: OAuthClient, context?: IssuerContext): Promise<void> {
    const issuer = context?.issuer ?? client.issuer;
    if (issuer === undefined) return;
    const { clients } = await this.#options.record.read();
    await this.#options.record.change({ clients: { ...clients, [issuer]: client } });
  }
  async tokens(): Promise<OAuthTokens | undefined> {
    return (await this.#options.record.read()).tokens;
  }
  async saveTokens(tokens: OAuthTokens): Promise<void> {
    const { record, now, declared } = this.#options;
    const { tokens: before, clients } = await record.read();
    // A scope that is not told is the one that was asked for (RFC 6749, section 5.1), or had before a refresh.
    const scope = tokens.scope ?? this.#requestedScope ?? before?.scope;
    const { expires_in: seconds, issuer } = tokens;
    // What was registered by hand is from now on for this authorization server alone.
    const bind =
      declared?.clientId !== undefined && issuer !== undefined && Object.keys(clients).length === 0;
    await record.change({
      ...(bind ? { clients: { [issuer]: { client_id: declared.clientId } } } : {}),
      tokens: { ...tokens, ...(scope === undefined ? {} : { scope }) },
      expiresAt: seconds === undefined ? undefined : now() + seconds * 1000,
    });
  }
  async redirectToAuthorization(url: URL): Promise<void> {
    const { browser } = this.#options;
    if (!browser) return;
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
      throw new NacreError("denied", `the sign-in page ${url.origin} is not reached by https`);
    this.#requestedScope = url.searchParams.get("scope") ?? undefined;
    await browser.open(url);
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }
  saveAuthorizationServerUrl(url: string): void {
    this.#authorizationServer = url;
  }
  saveResourceUrl(url: string): void {
    this.#resource = url;
  }
  dpop(): Promise<DpopSession | undefined> {
    const { bound } = this.#options;
    return bound ? bound.for(this.#discovery?.authorizationServerMetadata) : Promise.resolve(undefined);
  }
  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    const { record } = this.#options;
    if (scope === "all" || scope === "client") await record.change({ clients: {} });
    if (scope === "all" || scope === "tokens")
      await record.change({ tokens: undefined, expiresAt: undefined });
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
  }
}
const bare = (issuer: string): string => issuer.replace(/\/$/, "");
const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
