import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentSecurityPolicy, rendererFiles } from "./renderer-files.ts";

let folder: string;
let read: ReturnType<typeof rendererFiles>;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "nacre-files-"));
  mkdirSync(path.join(folder, "renderer/assets"), { recursive: true });
  mkdirSync(path.join(folder, "renderer-evil"));
  writeFileSync(path.join(folder, "secret.txt"), "secret");
  writeFileSync(path.join(folder, "renderer-evil/a.js"), "evil");
  for (const [name, text] of [
    ["index.html", "<p>"],
    ["favicon.svg", "<svg/>"],
    ["locale.json", "{}"],
    ["font.woff2", "x"],
    ["strange.exe", "x"],
    ["assets/app-1a2b.js", "js"],
    ["two words.txt", "words"],
  ] as const)
    writeFileSync(path.join(folder, "renderer", name), text);
  read = rendererFiles(path.join(folder, "renderer"), ["ws://127.0.0.1:1"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["/", "text/html; charset=utf-8", "no-cache"],
  ["/index.html", "text/html; charset=utf-8", "no-cache"],
  ["/favicon.svg", "image/svg+xml", "no-cache"],
  ["/locale.json", "application/json", "no-cache"],
  ["/font.woff2", "font/woff2", "no-cache"],
  ["/two%20words.txt", "text/plain; charset=utf-8", "no-cache"],
  ["/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
])("%s is %s, %s", async (pathname, type, cache) => {
  const file = await read(pathname);
  expect(file?.headers).toMatchObject({
    "content-type": type,
    "cache-control": cache,
    "content-length": String(file?.body.length),
    "x-content-type-options": "nosniff",
    "content-security-policy": contentSecurityPolicy(["ws://127.0.0.1:1"]),
  });
});
test.each([
  "/../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/assets/../../secret.txt",
  "/../renderer-evil/a.js",
  "/..\\secret.txt",
  "/%5c..%5csecret.txt",
  "/index.html%00.js",
  "/%",
  "/assets",
  "/assets/",
  "/index.html/x.js",
  "/nothing.js",
  "/strange.exe",
  "//etc/passwd",
])("%s is not served", async (pathname) => {
  expect(await read(pathname)).toBeUndefined();
});
test("the policy allows no unsafe source and no other origin", () => {
  const policy = contentSecurityPolicy([]);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
});
