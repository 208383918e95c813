import { describe, expect, it } from "vitest";
import { parseMcpServers } from "./mcp-declaration.ts";

const read = (oauth: unknown) => {
  const { declarations, diagnostics } = parseMcpServers(
    { mcpServers: { far: { url: "https://a.example/mcp", ...(oauth === undefined ? {} : { oauth }) } } },
    { owner: "user", scope: "user", file: "/c/mcp.json", base: "/ws" },
  );
  return {
    oauth: declarations[0]?.config.oauth,
    errors: diagnostics.map(({ severity, message }) => `${severity}: ${message}`),
  };
};
const at = "mcpServers.far.oauth";

describe("how a server's declaration says that the app is known", () => {
  it("a person signs in where nothing else is said; both spellings", () => {
    const { oauth, errors } = read({
      client_id: "c",
      clientSecret: "${S}",
      scopes: ["a"],
      callbackPort: 7777,
    });
    expect(errors).toEqual([]);
    expect(oauth).toEqual({
      grant: "authorization_code",
      clientId: "c",
      clientSecret: "${S}",
      scopes: ["a"],
      callbackPort: 7777,
    });
    expect(read(undefined).oauth).toBeUndefined();
  });
  it.each([
    [{ grant: "client_credentials", client_id: "c", private_key: "k", signing_algorithm: "RS256" }],
    [{ grant: "jwt_bearer", client_id: "c", assertion: "${JWT}" }],
    [{ grant: "enterprise", client_id: "c", idp: { issuer: "https://i", client_id: "i", id_token: "${T}" } }],
  ])("%j is whole", (written) => {
    expect(read(written)).toMatchObject({ errors: [], oauth: { grant: written.grant, clientId: "c" } });
  });
  it.each([
    [{ grant: "client_credentials", client_id: "c" }, `${at} needs client_secret or private_key`],
    [{ grant: "client_credentials", client_secret: "s" }, `${at} needs client_id`],
    [{ grant: "jwt_bearer", client_id: "c" }, `${at} needs assertion`],
    [{ grant: "enterprise", client_id: "c" }, `${at} needs idp`],
    [
      { grant: "enterprise", client_id: "c", idp: { client_id: "i", id_token: "t" } },
      "needs issuer or token_end",
    ],
    [{ grant: "password" }, `${at}.grant must be one of authorization_code, client_credentials`],
    [{ client_id: "c", callback_port: 70_000 }, `${at}.callback_port must be a port, 1 to 65535`],
    [{ client_secret: "s" }, `${at} has a secret and no client_id`],
    [{ client_id: "c", client_secrte: "s" }, "did you mean mcpServers.far.oauth.client_secret?"],
    ["yes", `${at} is no object`],
  ])("%j says what is wrong, where", (written, message) => {
    expect(read(written).errors.join("; ")).toContain(message);
  });
});
