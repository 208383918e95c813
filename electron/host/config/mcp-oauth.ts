import type { Fields } from "./fields.ts";
import type { McpOAuthConfig, McpOAuthGrant } from "./types.ts";

const grants: readonly McpOAuthGrant[] = [
  "authorization_code",
  "client_credentials",
  "jwt_bearer",
  "enterprise",
];
const grantOf = (word: string): McpOAuthGrant | undefined => grants.find((grant) => grant === word);
/** What `jose` signs with and authorization servers take for `private_key_jwt`. */
const algorithms = ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA"];

/**
 * Reads the `oauth` of a server: how the app makes itself known where the server wants a sign-in. A grant that lacks something
 * is reported here as an error, so that the server is failed with it and nothing is sent.
 */
export function readOAuth(server: Fields): McpOAuthConfig | undefined {
  if (server.find("oauth") === undefined) return undefined;
  const fields = server.object("oauth");
  const grant = fields.word(grantOf, grants, "grant") ?? "authorization_code";
  const texts = {
    clientId: fields.string("client_id"),
    clientSecret: fields.string("client_secret"),
    privateKey: fields.string("private_key"),
    signingAlgorithm: fields.word(
      (word) => (algorithms.includes(word) ? word : undefined),
      algorithms,
      "signing_algorithm",
    ),
    assertion: fields.string("assertion"),
    issuer: fields.string("issuer"),
    callbackPort: fields.number(1, "callback_port"),
  };
  const written = fields.find("idp") !== undefined;
  const idp = fields.object("idp");
  const given = {
    issuer: idp.string("issuer"),
    tokenEndpoint: idp.string("token_endpoint"),
    clientId: idp.string("client_id"),
    clientSecret: idp.string("client_secret"),
    idToken: idp.string("id_token"),
  };
  const need = (at: Fields, key: string, value: unknown): void => {
    if (value === undefined) at.report([], `needs ${key} for the grant ${grant}`, `add ${key}`);
  };
  if (grant !== "authorization_code") need(fields, "client_id", texts.clientId);
  if (grant === "client_credentials")
    need(fields, "client_secret or private_key", texts.clientSecret ?? texts.privateKey);
  if (grant === "jwt_bearer") need(fields, "assertion", texts.assertion);
  if (grant === "enterprise") {
    need(fields, "idp", written || undefined);
    need(idp, "issuer or token_endpoint", given.issuer ?? given.tokenEndpoint);
    need(idp, "client_id", given.clientId);
    need(idp, "id_token", given.idToken);
  }
  if ((texts.clientSecret ?? texts.privateKey) !== undefined && texts.clientId === undefined)
    fields.report([], "has a secret and no client_id", "add the client_id that it belongs to");
  if (
    texts.callbackPort !== undefined &&
    !(Number.isInteger(texts.callbackPort) && texts.callbackPort <= 65535)
  )
    fields.report(["callback_port"], "must be a port, 1 to 65535", "write the port that you registered");
  const scopes = fields.strings("scopes");
  return {
    grant,
    ...present(texts),
    ...(scopes === undefined ? {} : { scopes }),
    ...(written ? { idp: present(given) } : {}),
  };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const present = <T extends object>(value: T): Present<T> =>
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- exactly the members that are not undefined
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<T>;
