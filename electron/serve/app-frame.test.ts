import { expect, test } from "vitest";
import { appFramePath, appFrameQuery, readAppCsp } from "../../shared/mcp-app.ts";
import { contentSecurityPolicy, rendererFiles } from "./renderer-files.ts";

const read = rendererFiles("/nowhere");
const policyOf = async (search: string): Promise<string> =>
  (await read(appFramePath, search))?.headers["content-security-policy"] ?? "";

test("an app that declares nothing reaches nothing, is nobody's origin and is framed by the app's own page alone", async () => {
  const policy = await policyOf("");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).toContain("frame-src 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toContain("form-action 'none'");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toMatch(/sandbox allow-scripts allow-forms$/);
  expect(policy).not.toMatch(/https?:|\*|allow-same-origin|allow-top-navigation|allow-popups/);
});
test("what an app declares stands in its policy, and what is no origin does not", async () => {
  const csp = readAppCsp({
    connectDomains: ["https://api.example.com"],
    resourceDomains: ["https://cdn.example.com"],
  });
  const policy = await policyOf(appFrameQuery(csp));
  expect(policy).toContain("connect-src https://api.example.com;");
  expect(policy).toMatch(/script-src [^;]* https:\/\/cdn\.example\.com;/);
  const hostile = `?csp=${encodeURIComponent(JSON.stringify({ connectDomains: ["*", "https://a.example.com; sandbox allow-same-origin", "'self'"] }))}`;
  expect(await policyOf(hostile)).toBe(await policyOf(""));
});
test("the window holds frames of its own origin and no others", () => {
  expect(contentSecurityPolicy([])).toContain("frame-src 'self'");
});
