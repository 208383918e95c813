import { describe, expect, it } from "vitest";
import { OAuthRecord, oauthRecordName, type OAuthStore } from "./record.ts";

const name = oauthRecordName(new URL("https://a.example/mcp"));
const tokens = { access_token: "t1", token_type: "Bearer" };
/** A store, what it holds and what was told. */
function world(fault?: string) {
  const held = new Map<string, string>();
  const problems: string[] = [];
  const store: OAuthStore = {
    get: (key) => Promise.resolve(held.get(key)),
    set: (key, value) =>
      fault === undefined ? Promise.resolve(void held.set(key, value)) : Promise.reject(new Error(fault)),
  };
  const masked: string[] = [];
  const record = (): OAuthRecord =>
    new OAuthRecord(
      name,
      store,
      (text) => problems.push(text),
      (value) => masked.push(value),
    );
  return { held, problems, masked, store, record };
}

describe("what is kept of sign-ins", () => {
  it("is named by the address alone, where no declaration's secrets reach", () => {
    expect(name).toMatch(/^mcp-oauth\/[0-9a-f]{64}$/);
    expect(oauthRecordName(new URL("https://a.example/mcp?x=1#y"))).toBe(name);
    expect(oauthRecordName(new URL("https://b.example/mcp"))).not.toBe(name);
  });
  it("is another for an app that is declared as another", () => {
    const url = new URL("https://a.example/mcp");
    const as = (clientId: string): string => oauthRecordName(url, { grant: "client_credentials", clientId });
    expect(new Set([name, as("c1"), as("c2")]).size).toBe(3);
    expect(oauthRecordName(url, { grant: "authorization_code", scopes: ["a"] })).toBe(name);
  });
  it("is masked before it is used: what it gets, and what it was kept with", async () => {
    const { held, masked, record } = world();
    await record().change({ tokens: { ...tokens, refresh_token: "r1" } });
    expect(masked).toEqual(["t1", "r1"]);
    masked.length = 0;
    held.set(name, JSON.stringify({ clients: { i: { client_id: "c", client_secret: "s1" } }, tokens }));
    await record().read();
    expect(masked).toEqual(["t1", "s1"]);
  });
  it("is there in the next run", async () => {
    const { record } = world();
    await record().change({ tokens, expiresAt: 7 });
    expect(await record().read()).toEqual({ clients: {}, tokens, expiresAt: 7 });
  });
  it("is removed where it is set to undefined", async () => {
    const { record } = world();
    await record().change({ tokens });
    await record().change({ tokens: undefined });
    expect(await record().read()).toEqual({ clients: {} });
  });
  it("lasts until the end where the store refuses, and that is told once", async () => {
    const { record, problems } = world("there is no keyring");
    const one = record();
    await one.change({ tokens });
    await one.change({ expiresAt: 7 });
    expect(await one.readAgain()).toEqual({ clients: {}, tokens, expiresAt: 7 });
    expect(problems).toEqual([expect.stringMatching(/until Nacre is closed: there is no keyring/)]);
  });
  it("is looked at again: another process may have renewed it", async () => {
    const { record } = world();
    const [ours, theirs] = [record(), record()];
    await ours.read();
    await theirs.change({ tokens });
    expect((await ours.readAgain()).tokens).toEqual(tokens);
  });
  it.each([["no JSON"], ["[]"], ['{"clients":[],"tokens":{"access_token":7},"expiresAt":"x"}']])(
    "is nothing where it is %s",
    async (text) => {
      const { held, record } = world();
      held.set(name, text);
      expect(await record().read()).toEqual({ clients: {} });
    },
  );
});
