import { NacreError } from "../../../../shared/errors.ts";
import type { McpOAuthConfig } from "../../config/types.ts";
import type { OAuthLibrary } from "./library.ts";

/** RFC 7523. */
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** What the round of OAuth found out before a token is asked for. */
interface GrantContext {
  /** The issuer of the server's authorization server. */
  readonly authorizationServer: string | undefined;
  readonly resource: string | undefined;
}
/** A declared grant that needs no person: the parameters of its request for a token. */
export type Grant = (scope: string | undefined, context: GrantContext) => Promise<URLSearchParams>;

/** The grant of a declaration that needs no person at the browser; undefined where one signs in. */
export function silentGrant(
  declared: McpOAuthConfig | undefined,
  server: string,
  library: Pick<OAuthLibrary, "exchangeIdToken">,
  fetchFn: typeof globalThis.fetch,
): Grant | undefined {
  const request = (type: string, more: Readonly<Record<string, string | undefined>>): URLSearchParams => {
    const given = Object.entries(more).filter((one): one is [string, string] => one[1] !== undefined);
    return new URLSearchParams([["grant_type", type], ...given]);
  };
  switch (declared?.grant) {
    case "client_credentials":
      return (scope) => Promise.resolve(request("client_credentials", { scope }));
    case "jwt_bearer":
      return (scope) => Promise.resolve(request(jwtBearer, { assertion: declared.assertion, scope }));
    case "enterprise":
      return async (scope, { authorizationServer, resource }) => {
        const { issuer, tokenEndpoint, clientId, clientSecret, idToken } = declared.idp ?? {};
        const idp = tokenEndpoint === undefined ? issuer && { issuer } : { tokenEndpoint };
        if (!idp || clientId === undefined || idToken === undefined)
          throw new NacreError("configuration", `oauth.idp of "${server}" lacks what the sign-in needs`);
        if (authorizationServer === undefined || resource === undefined)
          throw new NacreError("configuration", `"${server}" does not say which resource it is`);
        const assertion = await library.exchangeIdToken({
          idp,
          audience: authorizationServer,
          resource,
          idToken,
          clientId,
          ...(clientSecret === undefined ? {} : { clientSecret }),
          ...(scope === undefined ? {} : { scope }),
          fetchFn,
        });
        return request(jwtBearer, { assertion, scope });
      };
    case "authorization_code":
    case undefined:
      return undefined;
  }
}
/** What the app registers itself for, or would. */
export const grantTypes = (declared: McpOAuthConfig | undefined): string[] => {
  switch (declared?.grant) {
    case "client_credentials":
      return ["client_credentials"];
    case "jwt_bearer":
    case "enterprise":
      return [jwtBearer];
    case "authorization_code":
    case undefined:
      return ["authorization_code", "refresh_token"];
  }
};
