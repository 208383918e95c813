import { describe, expect, it } from "vitest";
import { OAuthProvider, type ProviderOptions } from "./provider.ts";
import { OAuthRecord } from "./record.ts";

const open: URL[] = [];
const browser = {
  redirectUrl: "http://127.0.0.1:5000/callback",
  state: "s1",
  open: (url: URL) => Promise.resolve(void open.push(url)),
};
function provider(more: Partial<ProviderOptions> = {}) {
  const record = new OAuthRecord(
    "x",
    { get: () => Promise.resolve(undefined) },
    () => undefined,
    () => undefined,
  );
  return { record, made: new OAuthProvider({ record, now: () => 1000, ...more }) };
}
const issuer = "https://as.example";

describe("a round of OAuth", () => {
  it("shows one authorization server nothing that another gave, and registers nowhere without a person", async () => {
    const { made, record } = provider();
    await made.saveClientInformation({ client_id: "c1", issuer }, { issuer });
    expect(await made.clientInformation({ issuer })).toMatchObject({ client_id: "c1" });
    await expect(made.clientInformation({ issuer: "https://evil.example" })).rejects.toThrow("does not know");
    const asking = new OAuthProvider({ record, now: () => 1000, browser });
    expect(await asking.clientInformation({ issuer: "https://evil.example" })).toBeUndefined();
  });
  it("uses what was registered by hand until it is bound to an issuer", async () => {
    const { made, record } = provider({ browser });
    await record.change({ preset: { client_id: "p1" } });
    expect(await made.clientInformation({ issuer })).toEqual({ client_id: "p1" });
    await made.saveClientInformation({ client_id: "p1", issuer }, { issuer });
    expect(await made.clientInformation({ issuer: "https://evil.example" })).toBeUndefined();
  });
  it("registers anew where the address to come back to is another", async () => {
    const { made, record } = provider({ browser });
    const redirect_uris = ["http://127.0.0.1:4000/callback"];
    await record.change({ clients: { [issuer]: { client_id: "c1", redirect_uris } } });
    expect(await made.clientInformation({ issuer })).toBeUndefined();
    const silent = new OAuthProvider({ record, now: () => 0 });
    expect(await silent.clientInformation({ issuer })).toMatchObject({ client_id: "c1" });
  });
  it("notes when a token ends, and the scope that was asked for where none is told", async () => {
    const { made, record } = provider({ browser });
    await made.redirectToAuthorization(new URL("https://as.example/authorize?scope=a%20b"));
    await made.saveTokens({ access_token: "t1", token_type: "Bearer", expires_in: 60 });
    expect(await record.read()).toMatchObject({ tokens: { scope: "a b" }, expiresAt: 61_000 });
    await made.saveTokens({ access_token: "t2", token_type: "Bearer", scope: "a" });
    expect(await record.read()).toMatchObject({ tokens: { scope: "a" } });
    expect(await record.read()).not.toHaveProperty("expiresAt");
  });
  it.each(["file:///etc/passwd", "javascript:alert(1)", "http://as.example/authorize", "vscode://x"])(
    "opens no %s",
    async (url) => {
      const { made } = provider({ browser });
      open.length = 0;
      await expect(made.redirectToAuthorization(new URL(url))).rejects.toMatchObject({ code: "denied" });
      expect(open).toEqual([]);
    },
  );
  it("asks nobody without a browser", async () => {
    const { made } = provider();
    await expect(made.redirectToAuthorization(new URL("https://as.example/"))).resolves.toBeUndefined();
  });
});
