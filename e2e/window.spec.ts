import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { mainJob } from "./support/main-job.ts";
import { openApp, shells, type OpenApp } from "./support/shells.ts";
import { violations } from "./support/violations.ts";
import { canaryOf, createWorld, writeNpx, type World } from "./support/world.ts";

const shots = path.join(import.meta.dirname, "../test-results/screenshots");
const send = async (page: Page, text: string): Promise<void> => {
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(text);
  await box.press("Enter");
};

for (const shell of shells)
  test.describe(shell, () => {
    let world: World;
    let app: OpenApp;
    test.afterEach(async () => {
      await app.close();
      await expect.poll(() => leftovers(world)).toEqual([]);
      await world.stop();
    });

    test("the main job: trust the folder, ask, see every call, read the answer", async ({ browser }) => {
      world = await createWorld(mainJob());
      app = await openApp(shell, world, browser);
      const { page } = app;
      await expect(page.getByRole("status", { name: "Extensions" })).toContainText("1 skill");
      const servers = page.getByRole("list", { name: "MCP servers" });
      await expect(servers.getByRole("listitem", { name: "everything: untrusted" })).toBeAttached();
      expect(canaryOf(world)).toBeUndefined();
      const banner = page.getByRole("banner", { name: "Untrusted workspace" });
      await banner.getByRole("button", { name: "See what would run" }).click();
      const review = page.getByRole("dialog");
      await expect(review).toContainText("server-everything");
      await page.screenshot({ path: `${shots}/${shell}-trust.png` });
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(canaryOf(world)).toBeUndefined();
      await banner.getByRole("button", { name: "Trust this workspace" }).click();
      await expect(servers.getByRole("listitem", { name: "everything: ready" })).toBeAttached({
        timeout: 30_000,
      });
      await expect(page.getByRole("status", { name: "Extensions" })).toContainText("1/1 MCP ready");
      await expect(page.getByRole("status", { name: "Extensions" })).toContainText(
        "2 skills · 1 plugin (1 tool) · 1 MCP server",
      );

      await send(page, "Write the notes");
      const log = page.getByRole("log", { name: "Conversation" });
      for (const name of ["skill", "count_words", "mcp.everything.echo", "task"])
        await expect(
          log.getByRole("group", { name: `Tool call ${name}` }).getByRole("img", { name: "done" }),
        ).toBeAttached({ timeout: 30_000 });
      await expect(log.getByRole("heading", { name: "Release notes" })).toBeVisible();
      await expect(log).toContainText("const answer = 42;");
      await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
      expect(canaryOf(world)).toContain("plugin");
      await page.screenshot({ path: `${shots}/${shell}-chat.png` });
      expect(await violations(page)).toEqual([]);
      expect(app.errors).toEqual([]);
    });

    test("an approval is answered by keyboard, and a denial reaches the model", async ({ browser }) => {
      const call = { name: "run_shell", input: { command: "printf pearl > made.txt" } };
      world = await createWorld(
        {
          steps: [
            {
              text: "First.",
              toolCalls: [{ name: "write_file", input: { path: ".agent/notes.md", content: "x\n" } }],
            },
            { when: { lastTool: "denied" }, text: "You said no.", toolCalls: [call] },
            { text: "Done." },
          ],
        },
        { settings: { policy: { approval: "always" } } },
      );
      app = await openApp(shell, world, browser);
      const { page } = app;
      await send(page, "go");
      const approval = page.getByRole("dialog", { name: "Approval" });
      await expect(approval).toContainText(".agent/notes.md");
      for (const name of ["Allow once", "Deny"])
        await expect(approval.getByRole("button", { name })).toBeVisible();
      await page.screenshot({ path: `${shots}/${shell}-approval.png` });
      expect(await violations(page)).toEqual([]);
      await page.waitForTimeout(600);
      await page.keyboard.press("n");
      await expect(page.getByRole("log")).toContainText("You said no.");
      await expect(approval).toContainText("printf pearl > made.txt");
      await page.waitForTimeout(600);
      await page.keyboard.press("y");
      await expect(page.getByRole("log")).toContainText("Done.");
      await expect(approval).toBeHidden();
      expect(readFileSync(path.join(world.workspace, "made.txt"), "utf8")).toBe("pearl");
      const denied = world.model.requests[1]?.messages.at(-1);
      expect(JSON.stringify(denied)).toContain("denied");
      expect(app.errors).toEqual([]);
    });

    test("Stop ends the turn at once and keeps what came; a queued message is answered next", async ({
      browser,
    }) => {
      world = await createWorld({
        steps: [
          { when: { lastUser: "begin" }, text: "Half of the ", hangAfter: 2 },
          { when: { lastUser: "second" }, text: "The second answer." },
        ],
      });
      app = await openApp(shell, world, browser);
      const { page } = app;
      await send(page, "begin");
      const log = page.getByRole("log", { name: "Conversation" });
      await expect(log).toContainText("Half of the");
      await send(page, "second");
      await page.getByRole("button", { name: "Stop" }).click();
      await expect(log).toContainText("The second answer.");
      await expect(log).toContainText("Half of the");
      expect(app.errors).toEqual([]);
    });

    test("an MCP server is installed from the marketplace after a review, and its dot turns green", async ({
      browser,
    }) => {
      world = await createWorld({ steps: [] });
      // The workspace's own server of that name is another test's; npx is answered from this project, without a network.
      rmSync(path.join(world.workspace, ".agent/mcp.json"));
      writeNpx(world);
      app = await openApp(shell, world, browser);
      const { page } = app;
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Marketplace" }).click();
      await page.getByRole("searchbox", { name: "Search marketplace" }).fill("everything");
      const item = page.getByRole("article", { name: "Everything" });
      await expect(item).toContainText("MCP server");
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: `${shots}/${shell}-market.png` });
      await item.getByRole("button", { name: "Install" }).click();
      const review = page.getByRole("dialog", { name: "Review install" });
      await expect(review).toContainText("mcp.json");
      await expect(review).toContainText("@modelcontextprotocol/server-everything@");
      expect(existsSync(path.join(world.config, "mcp.json"))).toBe(false);
      await page.screenshot({ path: `${shots}/${shell}-review.png` });
      expect(await violations(page)).toEqual([]);
      await review.getByRole("button", { name: "Install" }).click();
      const declared = (): { args: string[] } | undefined => {
        const file = path.join(world.config, "mcp.json");
        if (!existsSync(file)) return undefined;
        const servers = (
          JSON.parse(readFileSync(file, "utf8")) as { mcpServers: Record<string, { args: string[] }> }
        ).mcpServers;
        return Object.values(servers)[0];
      };
      await expect
        .poll(() => declared()?.args.join(" "))
        .toContain("@modelcontextprotocol/server-everything@");
      const dots = page.getByRole("list", { name: "MCP servers" });
      await expect(dots.getByRole("listitem", { name: /^everything: ready$/ })).toBeAttached({
        timeout: 40_000,
      });
      await expect.poll(() => readdirSync(path.join(world.folder, "data/receipts"))).toHaveLength(1);
    });

    test("every name of cli.md is there", async ({ browser }) => {
      world = await createWorld({ steps: [] });
      app = await openApp(shell, world, browser);
      const { page } = app;
      const main = page.getByRole("navigation", { name: "Main" });
      for (const name of ["Chat", "Marketplace", "Settings"])
        await expect(main.getByRole("link", { name })).toBeVisible();
      await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
      await expect(page.getByRole("list", { name: "MCP servers" })).toBeAttached();
      await main.getByRole("link", { name: "Settings" }).click();
      for (const name of [
        "General",
        "Models",
        "Skills",
        "Plugins",
        "MCP servers",
        "Agents",
        "Hooks",
        "Permissions",
        "Language servers",
        "Keys",
        "Sources",
      ]) {
        await page.getByRole("tab", { name }).click();
        await expect(page.getByRole("tab", { name })).toHaveAttribute("aria-selected", "true");
        await expect(page.getByRole("tabpanel")).not.toBeEmpty();
        expect(await violations(page), name).toEqual([]);
        await page.screenshot({
          path: `${shots}/${shell}-settings-${name.toLowerCase().replace(" ", "-")}.png`,
        });
      }
      await page.getByRole("tab", { name: "Skills" }).click();
      await expect(page.getByRole("switch", { name: "release-notes" })).toBeVisible();
      await page.getByRole("tab", { name: "MCP servers" }).click();
      await expect(page.getByRole("button", { name: "Add server" })).toBeVisible();
      expect(app.errors).toEqual([]);
    });
  });
