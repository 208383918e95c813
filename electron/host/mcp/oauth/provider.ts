import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { NacreError } from "../../../../shared/errors.ts";
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
  readonly onTokens: (tokens: OAuthTokens) => void;
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
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly state?: () => string;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;
  #requestedScope: string | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
    const { browser, clientMetadataUrl } = options;
    this.redirectUrl = browser?.redirectUrl ?? someLoopback;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    if (browser) this.state = () => browser.state;
  }
  get clientMetadata() {
    return {
      client_name: "Nacre",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
  }
  async clientInformation(context?: IssuerContext): Promise<OAuthClient | undefined> {
    const { clients, preset } = await this.#options.record.read();
    const client =
      (context && clients[context.issuer]) ?? (Object.keys(clients).length === 0 ? preset : undefined);
    // Many servers take a registered address literally, its port too: another port is registered anew.
    const registered = client?.redirect_uris;
    const fits = !this.#options.browser || registered === undefined || registered.includes(this.redirectUrl);
    return fits ? client : undefined;
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
    const { record, now, onTokens } = this.#options;
    const before = (await record.read()).tokens;
    onTokens(tokens);
    // A scope that is not told is the one that was asked for (RFC 6749, section 5.1), or had before a refresh.
    const scope = tokens.scope ?? this.#requestedScope ?? before?.scope;
    const { expires_in: seconds } = tokens;
    await record.change({
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
  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    const { record } = this.#options;
    if (scope === "all" || scope === "client") await record.change({ clients: {} });
    if (scope === "all" || scope === "tokens")
      await record.change({ tokens: undefined, expiresAt: undefined });
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
  }
}
const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
