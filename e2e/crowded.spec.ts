import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Locator } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { openApp, type OpenApp } from "./support/shells.ts";
import { violations } from "./support/violations.ts";
import { createWorld, root, type World } from "./support/world.ts";

const shots = path.join(root, "test-results/screenshots");
let world: World;
let app: OpenApp;
test.afterEach(async () => {
  await app.close();
  await expect.poll(() => leftovers(world)).toEqual([]);
  await world.stop();
});
const count = 300;
function crowd(): void {
  rmSync(path.join(world.workspace, ".agent"), { recursive: true });
  const servers = Array.from({ length: count }, (_one, index) => [
    `server-${index}-${"long".repeat(10)}`,
    { command: "node", args: ["-e", `setTimeout(() => {}, 1e6) // ${"x".repeat(2_000)}`, "--port", "1"] },
  ]);
  writeFileSync(
    path.join(world.workspace, ".mcp.json"),
    JSON.stringify({ mcpServers: Object.fromEntries(servers) as unknown }),
  );
  for (let index = 0; index < count; index += 1) {
    const folder = path.join(world.workspace, ".agent/plugins", `plugin-${index}`);
    mkdirSync(folder, { recursive: true });
    const tool = { name: `tool_${index}`, description: "x", command: ["node", "tool.mjs"] };
    writeFileSync(
      path.join(folder, "plugin.json"),
      JSON.stringify({ name: `plugin-${index}`, version: "1.0.0", description: "x", tools: [tool] }),
    );
  }
}
const inside = async (part: Locator, width: number, height: number): Promise<void> => {
  const box = await part.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
};

test("a folder that declares 300 servers and 300 plugins leaves the window whole", async ({ browser }) => {
  test.setTimeout(120_000);
  world = await createWorld({ steps: [] });
  crowd();
  app = await openApp("browser", world, browser);
  const { page } = app;
  const banner = page.getByRole("banner", { name: "Untrusted workspace" });
  const trust = banner.getByRole("button", { name: "Trust this workspace" });
  await expect(banner.getByRole("list", { name: "What would start" })).toContainText("plugin-100", {
    timeout: 15_000,
  });
  const dots = page.getByRole("list", { name: "MCP servers" });
  await expect(dots.getByRole("listitem")).toHaveCount(24);
  await expect(page.getByRole("link", { name: "276 more servers" })).toBeInViewport({ ratio: 1 });
  for (const [width, height] of [
    [900, 700],
    [1280, 800],
    [640, 480],
  ] as const) {
    await page.setViewportSize({ width, height });
    await inside(trust, width, height);
    await inside(page.getByRole("textbox", { name: "Message" }), width, height);
    await inside(page.getByRole("status", { name: "Extensions" }), width, height);
    await inside(page.getByRole("link", { name: "276 more servers" }), width, height);
    await inside(banner.getByRole("button", { name: "and 596 more" }), width, height);
    if (width >= 900) await expect(dots.getByRole("listitem").last()).toBeInViewport({ ratio: 1 });
    expect((await page.locator("footer.status").boundingBox())?.height).toBeLessThanOrEqual(32);
    expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(230);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await expect(trust).toBeEnabled();
      await page.screenshot({ path: `${shots}/crowded-${width}-${scheme}.png` });
    }
    expect(await violations(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 900, height: 700 });
  await banner.getByRole("button", { name: "and 596 more" }).click();
  const review = page.getByRole("dialog");
  await inside(review, 900, 700);
  await inside(review.getByRole("button", { name: "Trust this workspace" }), 900, 700);
  await page.screenshot({ path: `${shots}/crowded-review.png` });
  await review.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "276 more servers" }).click();
  await expect(page.getByRole("button", { name: "Add server" })).toBeInViewport();
  await page.screenshot({ path: `${shots}/crowded-servers.png` });
  await page.getByRole("tab", { name: "Plugins" }).click();
  await page.screenshot({ path: `${shots}/crowded-plugins.png` });
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
  expect(app.errors).toEqual([]);
});
test("the banner in Chinese and in a narrow window", async ({ browser }) => {
  world = await createWorld({ steps: [] }, { settings: { appearance: { locale: "zh" } } });
  app = await openApp("browser", world, browser);
  const { page } = app;
  await expect(page.getByRole("list", { name: "将会启动" })).toContainText("server-everything");
  for (const [width, height] of [
    [1280, 800],
    [480, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await inside(page.getByRole("button", { name: "信任此工作区" }), width, height);
    await page.screenshot({ path: `${shots}/trust-zh-${width}.png` });
  }
  expect(await violations(page)).toEqual([]);
});
