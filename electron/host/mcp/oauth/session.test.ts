import { expect, describe, it } from "vitest";
import { NacreError } from "../../../../shared/errors.ts";
import type { OAuthProvider } from "./provider.ts";
import { oauthRecordName } from "./record.ts";
import type { Challenge } from "./library.ts";
import { OAuthSession, type OAuthPorts } from "./session.ts";
import { withSignIn } from "./sign-in.ts";

const url = new URL("https://a.example/mcp");
const { signal } = new AbortController();
const token = (name: string, more: object = {}) => ({ access_token: name, token_type: "Bearer", ...more });
interface Options {
  /** What the server takes. */
  readonly good: string[];
  readonly kept?: object;
  readonly challenge?: Challenge;
  readonly status?: number;
  /** What the browser brings back; absent: the state and a code. */
  readonly answer?: (state: string) => URLSearchParams;
  readonly openBrowser?: OAuthPorts["openBrowser"];
}
/** A session with a server that takes some tokens, and an authorization server that gives t2, t3, … */
function world({ good, kept, challenge = {}, status = 401, answer, openBrowser }: Options) {
  const seen = { tokens: [] as (string | null)[], rounds: [] as string[], waits: 0, now: 0 };
  const stored = new Map<string, string>();
  if (kept) stored.set(oauthRecordName(url), JSON.stringify({ clients: {}, ...kept }));
  let given = 1;
  const give = async (provider: OAuthProvider, scope?: string): Promise<"AUTHORIZED"> => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await provider.saveTokens(
      token(`t${++given}`, { refresh_token: `r${given}`, ...(scope ? { scope } : {}) }),
    );
    return "AUTHORIZED";
  };
  const session = new OAuthSession({
    server: "far",
    url,
    fetch: (_, init) => {
      const bearer = new Headers(init?.headers).get("authorization")?.replace("Bearer ", "") ?? null;
      seen.tokens.push(bearer);
      return Promise.resolve(new Response("", { status: good.includes(String(bearer)) ? 200 : status }));
    },
    ports: {
      store: {
        get: (name) => Promise.resolve(stored.get(name)),
        set: (name, value) => Promise.resolve(void stored.set(name, value)),
      },
      maskSecret: () => undefined,
      openBrowser:
        openBrowser ??
        (async (page) => {
          const state = page.searchParams.get("state") ?? "";
          const query = answer?.(state) ?? new URLSearchParams({ state, code: "c1" });
          await fetch(`${page.searchParams.get("back")}?${query.toString()}`);
        }),
    },
    library: {
      readChallenge: () => challenge,
      authorize: async (provider, options) => {
        seen.rounds.push(
          options.authorizationCode ??
            (options.forceReauthorization ? `ask ${options.scope ?? ""}`.trim() : "refresh"),
        );
        if (options.authorizationCode !== undefined) return give(provider, options.scope);
        if (!options.forceReauthorization) return give(provider);
        const page = new URL("https://as.example/authorize");
        page.searchParams.set("state", provider.state?.() ?? "");
        page.searchParams.set("back", provider.redirectUrl ?? "");
        await provider.redirectToAuthorization(page);
        return "REDIRECT";
      },
      signedAuthentication: () => () => undefined,
      exchangeIdToken: () => Promise.reject(new Error("not asked for")),
      newDpopKey: () => Promise.reject(new Error("not asked for")),
      dpopSession: () => Promise.reject(new Error("not asked for")),
      isDpopNonceChallenge: () => false,
    },
    events: {
      onNote: () => undefined,
      onWait: () => {
        seen.waits++;
        return () => void seen.waits--;
      },
    },
    now: () => seen.now,
  });
  /** One request as the room makes it. */
  const request = (): Promise<number> =>
    withSignIn(session, signal, async () => {
      const response = await session.fetch(url);
      if (!response.ok) throw Object.assign(new Error("refused"), { status: response.status });
      return response.status;
    });
  return { session, seen, stored, request };
}

describe("a server that wants its user signed in", () => {
  it("gets a token after the person signed in, and it is kept", async () => {
    const { request, seen, stored } = world({ good: ["t2"] });
    expect(await request()).toBe(200);
    expect(seen).toMatchObject({ tokens: [null, "t2"], rounds: ["ask", "c1"], waits: 0 });
    expect([...stored.values()].join()).toContain('"t2"');
  });
  it("asks once for all that need it", async () => {
    const { request, seen } = world({ good: ["t2"] });
    expect(await Promise.all([request(), request(), request()])).toEqual([200, 200, 200]);
    expect(seen.rounds).toEqual(["ask", "c1"]);
  });
  it("renews a token once for all that meet its end, without the person", async () => {
    const { request, seen } = world({ good: ["t2"], kept: { tokens: token("t1", { refresh_token: "r1" }) } });
    await Promise.all([request(), request(), request(), request()]);
    expect(seen.rounds).toEqual(["refresh"]);
  });
  it("renews a token that is about to end before it is used", async () => {
    const kept = { tokens: token("t1", { refresh_token: "r1" }), expiresAt: 40_000 };
    const { request, seen } = world({ good: ["t1", "t2"], kept });
    await request();
    seen.now = 11_000;
    await request();
    expect(seen).toMatchObject({ tokens: ["t1", "t2"], rounds: ["refresh"] });
  });
  it("ends where every new token is refused too", async () => {
    const { request, seen } = world({ good: [], kept: { tokens: token("t1", { refresh_token: "r1" }) } });
    await expect(request()).rejects.toThrow("sign in again");
    expect(seen.rounds.filter((round) => round === "c1").length).toBe(1);
    expect(seen.rounds.length).toBeLessThan(5);
  });
  it("asks for the scopes that were lacking beside those that it has", async () => {
    const { request, seen } = world({
      good: ["t2"],
      status: 403,
      challenge: { error: "insufficient_scope", scope: "write" },
      kept: { tokens: token("t1", { scope: "read" }) },
    });
    expect(await request()).toBe(200);
    expect(seen.rounds[0]).toBe("ask read write");
  });
  it("does not ask for scopes that the token has already, nor at another 403", async () => {
    for (const challenge of [{ error: "insufficient_scope", scope: "read" }, {}]) {
      const { request, seen } = world({
        good: [],
        status: 403,
        challenge,
        kept: { tokens: token("t1", { scope: "read" }) },
      });
      await expect(request()).rejects.toThrow("refused");
      expect(seen.rounds).toEqual([]);
    }
  });
  it("says that the person refused", async () => {
    const { request, seen } = world({
      good: ["t2"],
      answer: (state) => new URLSearchParams({ state, error: "access_denied" }),
    });
    await expect(request()).rejects.toMatchObject({
      code: "denied",
      message: expect.stringContaining("access_denied"),
    });
    expect(seen.waits).toBe(0);
  });
  it("passes on why no page was shown", async () => {
    const openBrowser = () => Promise.reject(new NacreError("denied", "not now"));
    const { request } = world({ good: ["t2"], openBrowser });
    await expect(request()).rejects.toMatchObject({ code: "denied", message: "not now" });
  });
  it("stops waiting when it is stopped, and leaves no address open", async () => {
    const pages: URL[] = [];
    const { request, session } = world({
      good: ["t2"],
      openBrowser: (page) => Promise.resolve(void pages.push(page)),
    });
    const asked = request();
    await expect.poll(() => pages.length).toBe(1);
    session.close();
    await expect(asked).rejects.toMatchObject({ code: "stopped" });
    await expect(fetch(String(pages[0]?.searchParams.get("back")))).rejects.toThrow();
  });
});
