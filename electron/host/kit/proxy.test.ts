import { describe, expect, it } from "vitest";
import { hasProxy, proxyFor } from "./proxy.ts";

const through = (target: string, env: NodeJS.ProcessEnv): string | undefined =>
  proxyFor(new URL(target), env)?.href;

describe("proxyFor", () => {
  it("takes the variable of the scheme, the small one first, ALL_PROXY last", () => {
    const env = { HTTPS_PROXY: "http://s:1", HTTP_PROXY: "http://h:1", ALL_PROXY: "http://a:1" };
    expect(through("https://example.com", env)).toBe("http://s:1/");
    expect(through("http://example.com", env)).toBe("http://h:1/");
    expect(through("http://example.com", { all_proxy: "a:1" })).toBe("http://a:1/");
    expect(through("https://example.com", { HTTPS_PROXY: "http://s:1", https_proxy: "http://t:1" })).toBe(
      "http://t:1/",
    );
    expect(through("https://example.com", { HTTP_PROXY: "http://h:1" })).toBeUndefined();
    expect(through("https://example.com", { HTTPS_PROXY: "" })).toBeUndefined();
  });
  it.each([
    "http://localhost:8080",
    "http://127.0.0.1:1",
    "http://127.9.9.9",
    "http://[::1]:1",
    "http://a.localhost",
  ])("reaches %s directly", (target) => expect(through(target, { ALL_PROXY: "http://p:1" })).toBeUndefined());
  it.each([
    ["https://example.com", "example.com", true],
    ["https://a.example.com", "example.com", true],
    ["https://a.example.com", ".example.com", true],
    ["https://a.example.com", "*.example.com", true],
    ["https://notexample.com", "example.com", false],
    ["https://example.com", "other.com, example.com", true],
    ["https://example.com", "other.com EXAMPLE.com", true],
    ["https://example.com", "example.com:443", true],
    ["https://example.com", "example.com:8443", false],
    ["https://example.com", "*", true],
    ["https://example.com", "", false],
    ["http://10.0.0.5", "10.0.0.5", true],
    ["http://[fd00::1]", "fd00::1", true],
    ["http://[fd00::1]:81", "[fd00::1]:81", true],
    ["http://[fd00::1]:81", "[fd00::1]:82", false],
  ])("%s with NO_PROXY=%s is direct: %s", (target, list, direct) => {
    expect(through(target, { ALL_PROXY: "http://p:1", NO_PROXY: list }) === undefined).toBe(direct);
  });
  it("refuses what is no http proxy, without telling its password", () => {
    for (const value of ["socks5://user:hunter2@p:1", "http://user:hunter2@:bad"])
      try {
        through("https://example.com", { HTTPS_PROXY: value });
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: "configuration" });
        expect(String(error)).not.toContain("hunter2");
      }
  });
});
it("knows whether any proxy is set", () => {
  expect(hasProxy({})).toBe(false);
  expect(hasProxy({ NO_PROXY: "*" })).toBe(false);
  expect(hasProxy({ https_proxy: "p:1" })).toBe(true);
});
