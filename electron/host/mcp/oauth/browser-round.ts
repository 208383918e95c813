import { randomBytes } from "node:crypto";
import { NacreError } from "../../../../shared/errors.ts";
import { untilAborted } from "../../kit/abort.ts";
import { describe } from "../call-errors.ts";
import { Loopback } from "./loopback.ts";
import type { Challenge, OAuthLibrary } from "./library.ts";
import type { OAuthProvider, ProviderOptions } from "./provider.ts";

/** How long a person may take to sign in, ms. */
const patience = 300_000;

export interface BrowserRound {
  readonly server: string;
  readonly url: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly library: Pick<OAuthLibrary, "authorize">;
  /** What the server asked for. */
  readonly challenge: Challenge;
  /** The port to come back to: `exact` where the app is registered with it by hand. */
  readonly port: { readonly number: number; readonly exact: boolean };
  readonly openBrowser: (url: URL, server: string, signal: AbortSignal) => Promise<void>;
  readonly provider: (browser: ProviderOptions["browser"]) => OAuthProvider;
}

/**
 * Lets the person sign in at the browser and takes the token. The address to come back to is open for that time alone.
 * @throws NacreError `denied`, `timeout`, `needs_setup`; the signal's reason
 */
export async function signInWithBrowser(round: BrowserRound, stop: AbortSignal): Promise<void> {
  const { server, url, fetch, library, challenge, openBrowser } = round;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(patience)]);
  signal.throwIfAborted();
  const state = randomBytes(32).toString("base64url");
  const loopback = await Loopback.open(state, round.port.number, round.port.exact);
  const abandon = (): void => void loopback.close(signal.reason);
  signal.addEventListener("abort", abandon, { once: true });
  try {
    signal.throwIfAborted();
    const provider = round.provider({
      redirectUrl: loopback.url,
      state,
      open: (page) => untilAborted(openBrowser(page, server, signal), signal),
    });
    const { scope, resourceMetadataUrl } = challenge;
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
    await library.authorize(provider, { ...options, authorizationCode, ...(iss === null ? {} : { iss }) });
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof NacreError) throw error;
    if (signal.aborted)
      throw new NacreError("timeout", `nobody signed in to "${server}" within ${patience / 60_000} minutes`);
    throw new NacreError("needs_setup", `signing in to "${server}" failed: ${describe(error)}`, {
      cause: error,
    });
  } finally {
    signal.removeEventListener("abort", abandon);
    await loopback.close(new NacreError("stopped", "the sign-in is over"));
  }
}
