import { webcrypto } from "node:crypto";
import {
  auth,
  createPrivateKeyJwtAuth,
  discoverAndRequestJwtAuthGrant,
  DpopSession,
  extractWWWAuthenticateParams,
  generateDpopKeyPair,
  isDpopNonceChallenge,
  requestJwtAuthorizationGrant,
} from "@modelcontextprotocol/client";
import type { OAuthLibrary } from "./library.ts";

const { subtle } = webcrypto;
const curve = { name: "ECDSA", namedCurve: "P-256" };

/** The client library's part of OAuth. Loaded with it, by `connection.ts` alone. */
export const sdkLibrary: OAuthLibrary = {
  authorize: auth,
  readChallenge: extractWWWAuthenticateParams,
  signedAuthentication: ({ clientId, privateKey, algorithm: alg }) =>
    createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg }),
  async exchangeIdToken({ idp, ...request }) {
    const { jwtAuthGrant } = await ("issuer" in idp
      ? discoverAndRequestJwtAuthGrant({ ...request, idpUrl: idp.issuer })
      : requestJwtAuthorizationGrant({ ...request, tokenEndpoint: idp.tokenEndpoint }));
    return jwtAuthGrant;
  },
  async newDpopKey() {
    const { privateKey, publicJwk, thumbprint } = await generateDpopKeyPair({ extractable: true });
    const privateJwk = { ...(await subtle.exportKey("jwk", privateKey)) };
    return { privateJwk, publicJwk: { ...publicJwk }, thumbprint };
  },
  async dpopSession({ privateJwk, publicJwk, thumbprint }) {
    const [privateKey, publicKey] = await Promise.all([
      subtle.importKey("jwk", privateJwk, curve, false, ["sign"]),
      subtle.importKey("jwk", publicJwk, curve, true, ["verify"]),
    ]);
    return DpopSession.create({ keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: "ES256" } });
  },
  isDpopNonceChallenge,
};
