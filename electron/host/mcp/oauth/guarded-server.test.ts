import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { declare, World } from "../mcp.testkit.ts";
import type { McpOptions } from "../room.ts";

// The whole way, against a real authorization server: discovery, registration, sign-in, tokens, their renewal.
const program = path.join(import.meta.dirname, "../../../../e2e/fixtures/authorization-server.mjs");
interface Asked {
  readonly asked: string;
  readonly grant?: string;
  readonly server?: string;
  readonly client?: string;
  readonly scope?: string;
  readonly redirect?: string;
  readonly resource?: string;
}
let child: ChildProcess;
let url = "";
let issuer = "";
let asked: Asked[] = [];
let world: World | undefined;
/** What lies in the secret store, over starts. */
let kept = new Map<string, string>();
const pages: URL[] = [];

beforeAll(async () => {
  const started = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  child = started;
  await new Promise<void>((resolve) => {
    createInterface({ input: started.stdout }).on("line", (line) => {
      const told = JSON.parse(line);
      if (told.url === undefined) return void asked.push(told);
      ({ url, issuer } = told);
      resolve();
    });
  });
});
afterAll(async () => {
  const ended = once(child, "exit");
  child.kill();
  await ended;
});
beforeEach(async () => {
  kept = new Map();
  pages.length = 0;
  await control({
    expiresIn: 3600,
    refuseAll: false,
    iss: "",
    resource: "",
    authorizationEndpoint: "",
    server: "a",
    cimd: false,
    deny: false,
  });
  asked = [];
});
afterEach(async () => {
  expect(await world?.end()).toEqual([]);
  world = undefined;
});
const control = (change: object): Promise<Response> =>
  fetch(new URL("/control", url), { method: "POST", body: JSON.stringify(change) });
const count = (what: string, grant?: string): number =>
  asked.filter((one) => one.asked === what && one.grant === grant).length;
/** A person who agrees at once. */
const openBrowser = async (page: URL): Promise<void> => {
  pages.push(page);
  const { headers } = await fetch(page, { redirect: "manual" });
  await fetch(headers.get("location") ?? "");
};
async function start(
  options: Partial<McpOptions> = { openBrowser },
  config: Parameters<typeof declare>[1] = {},
): Promise<World> {
  await world?.end();
  world = new World([declare("far", { url, ...config })], {
    secrets: {
      get: (name) => Promise.resolve(kept.get(name)),
      set: (name, value) => Promise.resolve(void kept.set(name, value)),
      remove: (name) => Promise.resolve(void kept.delete(name)),
    },
    ...options,
  });
  await world.start();
  return world;
}
/** Whatever is kept of tokens. */
const tokens = (): string[] =>
  [...[...kept.values()].join().matchAll(/[ar]t-[\w-]+/g)].map(([token]) => token);

describe("a server that is guarded by an authorization server", () => {
  it("is signed in to once; later starts need nobody, a headless one neither", async () => {
    const far = await start();
    expect(far.row("far").state).toBe("ready");
    expect(await far.call("far", "ping")).toBe("pong");
    expect([count("register"), count("authorize"), count("token", "authorization_code")]).toEqual([1, 1, 1]);
    expect(asked.find((one) => one.asked === "token")?.resource).toBe(url);
    expect((await start({})).row("far").state).toBe("ready");
    expect(count("authorize")).toBe(1);
  });
  it("headless without a sign-in: says where one is made, and asks for nothing", async () => {
    const far = await start({});
    expect(far.row("far")).toMatchObject({
      state: "needs_setup",
      error: expect.stringContaining("nacre mcp login far"),
    });
    expect(count("register")).toBe(0);
    await expect(far.call("far", "ping")).rejects.toMatchObject({ code: "needs_setup" });
  });
  it("four calls that meet the end of a token at once: one refresh request, all four answered", async () => {
    const far = await start();
    await control({ endTokens: true });
    const calls = [1, 2, 3, 4].map(() => far.call("far", "ping"));
    expect(await Promise.all(calls)).toEqual(["pong", "pong", "pong", "pong"]);
    expect(count("token", "refresh_token")).toBe(1);
    // The family lives: a second use of a refresh token would have ended it.
    await control({ endTokens: true });
    expect(await far.call("far", "ping")).toBe("pong");
    expect(count("authorize")).toBe(1);
  });
  it("a token that is about to end is renewed before it is used: nothing is refused", async () => {
    await control({ expiresIn: 20 });
    const far = await start();
    asked = [];
    await far.call("far", "ping");
    expect(count("token", "refresh_token")).toBeGreaterThan(0);
    expect(asked.filter((one) => one.asked === "mcp")).toEqual([]);
  });
  it("every token refused, however new: ends with the one thing to do, and asks for no further tokens", async () => {
    const far = await start();
    await control({ refuseAll: true });
    asked = [];
    await expect(far.call("far", "ping")).rejects.toThrow(/sign in again/);
    expect([count("token", "refresh_token"), count("authorize")]).toEqual([1, 1]);
    const silent = await start({});
    asked = [];
    expect(silent.row("far").state).toBe("needs_setup");
    await expect(silent.call("far", "ping")).rejects.toMatchObject({ code: "needs_setup" });
    expect(count("token", "refresh_token")).toBeLessThanOrEqual(1);
  });
  it("another authorization server behind the resource is shown nothing of the first", async () => {
    const far = await start();
    const before = tokens();
    await control({ server: "b", endTokens: true });
    asked = [];
    expect(await far.call("far", "ping")).toBe("pong");
    expect(asked.filter(({ server }) => server === "a")).toEqual([]);
    expect([count("register"), count("authorize"), count("token", "refresh_token")]).toEqual([1, 1, 0]);
    expect(tokens().some((token) => before.includes(token))).toBe(false);
  });
  it("is told by a client id document where that is taken", async () => {
    await control({ cimd: true });
    const clientMetadataUrl = "https://nacre.example/client.json";
    const far = await start({ openBrowser, clientMetadataUrl });
    expect(far.row("far").state).toBe("ready");
    expect([count("register"), asked.find((one) => one.asked === "authorize")?.client]).toEqual([
      0,
      clientMetadataUrl,
    ]);
  });
  it.each([
    ["an answer of another issuer", { iss: "https://evil.example" }, /far/],
    ["another resource than the server", { resource: "https://evil.example/mcp" }, /resource/],
    [
      "a sign-in page that is no web page",
      { authorizationEndpoint: "file:///etc/passwd" },
      /far|https|valid/i,
    ],
    ["a sign-in page without TLS", { authorizationEndpoint: "http://evil.example/a" }, /https/],
    ["a person who says no", { deny: true }, /access_denied/],
  ])("%s: no token", async (_, change, reason) => {
    await control(change);
    const far = await start();
    expect(far.row("far").error).toMatch(reason);
    expect(count("token", "authorization_code")).toBe(0);
    expect(tokens()).toEqual([]);
    expect(pages.every((page) => page.origin === new URL(url).origin)).toBe(true);
  });
  it("the address to come back to is closed afterwards, and tokens are masked and nowhere but in the store", async () => {
    const far = await start();
    const back = asked.find((one) => one.asked === "authorize")?.redirect ?? "";
    await expect(fetch(back)).rejects.toThrow();
    expect(tokens()).toHaveLength(2);
    expect(far.masked).toEqual(expect.arrayContaining(tokens()));
    expect(tokens().some((token) => far.mcp.logs("far").join("\n").includes(token))).toBe(false);
    expect([...kept.keys()]).toEqual([expect.stringMatching(/^mcp-oauth\/[0-9a-f]{64}$/)]);
  });
  it("a start that loads kept tokens masks them, too", async () => {
    await start();
    expect((await start({})).masked).toEqual(expect.arrayContaining(tokens()));
  });
  it("is forgotten when signed out of", async () => {
    const far = await start();
    await far.mcp.signOut("far");
    expect([far.row("far").state, kept.size]).toEqual(["stopped", 0]);
    await far.mcp.startServer("far");
    expect(count("authorize")).toBe(2);
  });
  it("the app signs in by itself with what is declared, and its secret is masked", async () => {
    const oauth = { grant: "client_credentials", clientId: "machine", clientSecret: "${MACHINE}" } as const;
    world = undefined;
    const far = await start({ env: { ...process.env, MACHINE: "machine-s3cret" } }, { oauth });
    expect(far.row("far").state).toBe("ready");
    expect([count("register"), count("authorize"), count("token", "client_credentials")]).toEqual([0, 0, 1]);
    expect(far.masked).toContain("machine-s3cret");
    await control({ endTokens: true });
    expect(await far.call("far", "ping")).toBe("pong");
    expect(count("token", "client_credentials")).toBe(2);
    const wrong = await start({ env: { ...process.env, MACHINE: "guess" } }, { oauth: { ...oauth, issuer } });
    await control({ endTokens: true });
    await expect(wrong.call("far", "ping")).rejects.toThrow(/oauth settings.*invalid_client/);
  });
  it("what is declared for one authorization server goes to no other", async () => {
    const oauth = {
      grant: "client_credentials",
      clientId: "machine",
      clientSecret: "machine-s3cret",
      issuer: "https://other.example",
    } as const;
    const far = await start({}, { oauth });
    expect(far.row("far").error).toMatch(/oauth\.issuer/);
    expect(asked.filter((one) => one.asked === "token")).toEqual([]);
  });
});
