import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixtureServer, World } from "../mcp.testkit.ts";
import { appOf, isForApps } from "./declared-app.ts";
import { readAppPage } from "./app-page.ts";

const uri = "ui://good/view.html";
const type = "text/html;profile=mcp-app";
const server = { name: "apps", id: "mcp:user/apps" };

describe("what a tool declares of its app", () => {
  it("is read in both spellings, and only a ui:// address counts", () => {
    const ref = { server: "apps", serverId: "mcp:user/apps", uri };
    expect(appOf(server, { meta: { ui: { resourceUri: uri } } })).toEqual(ref);
    expect(appOf(server, { meta: { "ui/resourceUri": uri } })).toEqual(ref);
    for (const resourceUri of ["https://evil.example/", "file:///etc/passwd", "", 7, null])
      expect(appOf(server, { meta: { ui: { resourceUri } } })).toBeUndefined();
    expect(appOf(server, {})).toBeUndefined();
  });
  it("says who may call it; both where it says nothing", () => {
    expect([{}, { meta: { ui: { visibility: ["app"] } } }].map(isForApps)).toEqual([true, true]);
    expect(isForApps({ meta: { ui: { visibility: ["model"] } } })).toBe(false);
  });
});

describe("a page", () => {
  it("comes with what it may reach, as text or as base64", () => {
    const csp = { connectDomains: ["https://a.example.com", "*"] };
    const content = { uri, mimeType: type, _meta: { ui: { csp, prefersBorder: false } } };
    const page = readAppPage({ contents: [{ ...content, text: "<p>" }] }, uri);
    expect(page).toMatchObject({ html: "<p>", bordered: false, csp: { connect: ["https://a.example.com"] } });
    expect(readAppPage({ contents: [{ ...content, blob: "PHA+" }] }, uri).html).toBe("<p>");
  });
  it.each([
    [{ uri, mimeType: "text/html", text: "" }, "its type is"],
    [{ uri, text: "" }, "its type is missing"],
    [{ uri: "ui://other", mimeType: type, text: "" }, "no content of this address"],
    [{ uri, mimeType: type }, "it holds no text"],
    [{ uri, mimeType: type, text: "x".repeat(16 * 1024 * 1024 + 1) }, "characters long"],
  ])("that is none is refused with what it is instead: %#", (content, why) => {
    expect(() => readAppPage({ contents: [content] }, uri)).toThrow(why);
  });
});

describe("an app of a server", () => {
  const world = new World([fixtureServer("apps", ["apps.mjs"])]);
  const ref = { server: "apps", serverId: "mcp:user/apps", uri };
  const never = new AbortController().signal;
  beforeAll(() => world.start(), 60_000);
  afterAll(() => world.end());

  it("has its page and its own tools, and nothing where another server has the name, or it is stopped", async () => {
    expect((await world.mcp.apps.page(ref, never)).html).toContain("<!doctype html>");
    expect(world.mcp.apps.toolTitle(ref, "count")).toBe("mcp.apps.count");
    expect(() => world.mcp.apps.toolTitle(ref, "model_only")).toThrow("is not for apps");
    expect(() => world.mcp.apps.toolTitle(ref, "nothing")).toThrow("has no tool");
    const other = { ...ref, serverId: "mcp:workspace/apps" };
    await expect(world.mcp.apps.page(other, never)).rejects.toThrow("another has its name");
    await world.mcp.stopServer("apps");
    await expect(world.mcp.apps.page(ref, never)).rejects.toThrow("is stopped");
  });
});
