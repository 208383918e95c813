import { describe, expect, it } from "vitest";
import { appFrameQuery, isAppMimeType, isAppUri, readAppCsp, readFrameQuery } from "./mcp-app.ts";

describe("what a server declares of its app", () => {
  it("keeps plain origins and drops what would widen or end the policy", () => {
    const kept = [
      "https://cdn.example.com",
      "https://*.tiles.example.com:8443",
      "wss://live.example.com/feed",
      "http://127.0.0.1:3000",
    ];
    const dropped = [
      "*",
      "https:",
      "https://*",
      "https://*.com",
      "http://example.com",
      "https://a.example.com; script-src *",
      "https://a.example.com 'unsafe-eval'",
      "https://a.example.com,https://b.example.com",
      "'self'",
      "data:",
      "blob:",
      "app://bundle",
      "https://a.example.com/\nx",
      "https://user:word@a.example.com",
      "",
      7,
      null,
    ];
    expect(readAppCsp({ connectDomains: [...kept, ...dropped] }).connect).toEqual(kept);
  });

  it("reaches nothing where it declares nothing, or nonsense", () => {
    const nothing = { connect: [], resource: [], frame: [], baseUri: [] };
    for (const value of [undefined, null, "x", [], { connectDomains: "https://a.example.com" }])
      expect(readAppCsp(value)).toEqual(nothing);
  });

  it("comes out of a query as it went in, and is nothing where the query is nobody's", () => {
    const csp = readAppCsp({
      connectDomains: ["https://a.example.com"],
      frameDomains: ["https://b.example.com"],
    });
    expect(readFrameQuery(appFrameQuery(csp))).toEqual(csp);
    expect(readFrameQuery("?csp={")).toEqual(readAppCsp({}));
    expect(readFrameQuery('?csp={"connectDomains":["*"]}')).toEqual(readAppCsp({}));
  });

  it("names a ui:// address and nothing else", () => {
    expect(
      [
        "ui://map/view.html",
        "ui:///x",
        "UI://x",
        "file:///etc/passwd",
        "ui://a b",
        `ui://${"x".repeat(3_000)}`,
        4,
      ].map(isAppUri),
    ).toEqual([true, true, false, false, false, false, false]);
  });

  it("is of one type, however that is spelt", () => {
    expect(
      [
        "text/html;profile=mcp-app",
        'TEXT/HTML; profile="mcp-app"',
        "text/html",
        "text/html+skybridge",
        "text/html;profile=mcp-app-x",
        undefined,
      ].map(isAppMimeType),
    ).toEqual([true, true, false, false, false, false]);
  });
});
