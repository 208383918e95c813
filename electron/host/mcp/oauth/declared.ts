import type { McpIdpConfig, McpOAuthConfig } from "../../config/types.ts";
import type { Expansion } from "../variables.ts";

/** Every text of a declared `oauth` that may name variables. */
export function oauthTexts(oauth: McpOAuthConfig | undefined): string[] {
  const members: unknown[] = [...Object.values(oauth ?? {}), ...Object.values(oauth?.idp ?? {})];
  return [...members, ...(oauth?.scopes ?? [])].filter((member) => typeof member === "string");
}

/** The same with every variable resolved; what is secret in it is noted, to be masked. */
export function expandOAuth(
  oauth: McpOAuthConfig,
  text: (value: string) => string,
  expansion: Pick<Expansion, "secrets">,
): McpOAuthConfig {
  const secret = (value: string): string => {
    const expanded = text(value);
    expansion.secrets.push(expanded);
    return expanded;
  };
  const { grant, scopes, callbackPort, signingAlgorithm, idp } = oauth;
  return {
    grant,
    ...(callbackPort === undefined ? {} : { callbackPort }),
    ...(signingAlgorithm === undefined ? {} : { signingAlgorithm }),
    ...(scopes === undefined ? {} : { scopes: scopes.map(text) }),
    ...each(oauth, ["clientId", "issuer"], text),
    ...each(oauth, ["clientSecret", "privateKey", "assertion"], secret),
    ...(idp === undefined ? {} : { idp: expandIdp(idp, text, secret) }),
  };
}
const expandIdp = (
  idp: McpIdpConfig,
  text: (value: string) => string,
  secret: (value: string) => string,
): McpIdpConfig => ({
  ...each(idp, ["issuer", "tokenEndpoint", "clientId"], text),
  ...each(idp, ["clientSecret", "idToken"], secret),
});
/** The members of these names that are written, each through `change`. */
function each<K extends string>(
  from: { readonly [Key in K]?: string },
  names: readonly K[],
  change: (value: string) => string,
): { [Key in K]?: string } {
  const changed: { [Key in K]?: string } = {};
  for (const name of names) {
    const value = from[name];
    if (value !== undefined) changed[name] = change(value);
  }
  return changed;
}
