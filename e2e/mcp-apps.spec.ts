import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect as plain, test, type FrameLocator, type Locator, type Page } from "@playwright/test";
import { openApp, type OpenApp } from "./support/shells.ts";
import { createWorld, root, type World } from "./support/world.ts";

// Apps of MCP servers in the browser shell, in one real Chromium: a good one, and hostile ones.

/** An app is up after a server, two frames and a page have answered: a busy machine takes its time. */
const expect = plain.configure({ timeout: 20_000 });
let world: World;
let app: OpenApp;
let page: Page;
let probe: Server;
/** What of the network an app reached. */
const reached: string[] = [];
const apps = ["good", "hostile", "leave", "form", "flood", "huge", "plain"];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  probe = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*").end("");
  });
  probe.on("upgrade", (request, socket) => {
    reached.push(`socket ${request.url ?? ""}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const calls = ["heard", ...apps.map((name) => `show_${name}`)].flatMap((name) => [
    {
      when: { lastRole: "user" as const, lastUser: name },
      toolCalls: [{ name: `mcp__apps__${name}`, input: { asked: name } }],
    },
  ]);
  world = await createWorld(
    {
      steps: [...calls.map((step) => ({ ...step, repeat: true as const })), { text: "Done.", repeat: true }],
    },
    { trusted: true },
  );
  writeFileSync(
    path.join(world.config, "mcp.json"),
    JSON.stringify({
      mcpServers: {
        apps: {
          command: process.execPath,
          args: [path.join(root, "e2e/fixtures/mcp-servers/apps.mjs")],
          env: { PROBE: `http://127.0.0.1:${(probe.address() as AddressInfo).port}` },
          autoApprove: ["heard", ...apps.map((name) => `show_${name}`)],
        },
      },
    }),
  );
  app = await openApp("browser", world, browser);
  page = app.page;
  await expect(page.getByText("apps", { exact: true }).first()).toBeVisible();
});
test.afterAll(async () => {
  await app.close();
  await new Promise((resolve) => probe.close(resolve));
  await world.stop();
});

/** Has the model call a tool in a new turn; gives the call's card. */
async function call(tool: string): Promise<Locator> {
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(tool);
  await box.press("Enter");
  const card = page.getByRole("group", { name: `Tool call mcp.apps.${tool}` }).last();
  await expect(card).toBeVisible();
  return card;
}
const within = (card: Locator): FrameLocator => card.frameLocator("iframe").frameLocator("iframe");
const press = (card: Locator, name: string): Promise<void> =>
  within(card).getByRole("button", { name }).click();
/** What the server has heard so far. */
const heard = async (): Promise<string> => {
  const card = await call("heard");
  await card.getByRole("button").first().click();
  const output = card.locator("pre").last();
  await expect(output).not.toBeEmpty();
  return (await output.textContent()) ?? "";
};

test("an app is shown below its call, hears input and whole result, and calls what is its own after the person agreed", async () => {
  const card = await call("show_good");
  const view = within(card);
  await expect(view.locator("#out")).toContainText("ready en");
  await expect(view.locator("#out")).toContainText('input {"asked":"show_good"}');
  await expect(view.locator("#out")).toContainText(
    'result {"got":{"asked":"show_good"}} {"only":"for the app"}',
  );
  await press(card, "own");
  const asked = page.getByText("asked by the app of apps");
  await expect(asked).toBeVisible();
  // A press that comes at once with the card answers nothing.
  await expect(async () => {
    await page.getByRole("button", { name: /^Allow once/ }).click();
    await expect(asked).toBeHidden({ timeout: 300 });
  }).toPass();
  await expect(view.locator("#out")).toContainText('"structuredContent":{"counted":2}');
  await press(card, "model only");
  await expect(view.locator("#out")).toContainText("is not for apps");
  await press(card, "other");
  await expect(view.locator("#out")).toContainText('has no tool \\"echo\\" for its app');
  await press(card, "read");
  await expect(view.locator("#out")).toContainText("a note");
  await press(card, "grow");
  await expect(view.locator("#out")).toContainText("grow");
  await expect(card.locator("iframe")).toHaveCSS("height", "640px");
  const offered = world.model.requests.at(-1)?.tools?.map((tool) => tool.function.name);
  expect(offered).toContain("mcp__apps__show_good");
  expect(offered).not.toContain("mcp__apps__count");
});

test("what an app wants said or opened is shown first, and done by a press alone", async () => {
  const card = page.getByRole("group", { name: "Tool call mcp.apps.show_good" }).last();
  const view = within(card);
  const box = page.getByRole("textbox", { name: "Message" });
  await press(card, "link");
  await expect(card.getByText("This is no address that is opened")).toBeVisible();
  await expect(card.getByRole("button", { name: "Open" })).toHaveCount(0);
  await card.getByRole("button", { name: "No, thanks" }).click();
  await expect(view.locator("#out")).toContainText(/link .*"isError":true/);
  await press(card, "message");
  await expect(box).toHaveValue("");
  await card.getByRole("button", { name: "Add to message" }).click();
  await expect(box).toHaveValue("Words of the app");
  await press(card, "tell");
  await card.getByRole("button", { name: "Add to message" }).click();
  await expect(box).toHaveValue("Words of the app\n\nFrom the app of apps:\nThe count is 2");
  await box.fill("");
});

test("a hostile app reads nothing of the window, reaches no network, goes nowhere and is heard through its frame alone", async () => {
  const card = await call("show_hostile");
  const out = within(card).locator("#out");
  await expect(out).toContainText("tried");
  const said = (await out.textContent()) ?? "";
  expect(said).not.toContain("GOT");
  for (const attempt of [
    "parent document",
    "top document",
    "storage",
    "cookies",
    "top location",
    "popup",
    "fetch",
  ])
    expect(said).toContain(`${attempt}: refused`);
  expect(page.url()).not.toContain("evil");
  expect(page.context().pages()).toHaveLength(1);
  // The questions that it forged past its frame were put to nobody.
  await expect(card.getByText("wants to open this address")).toHaveCount(0);
  await expect(page.getByText("asked by the app of apps")).toHaveCount(0);
});

test("an app that takes the focus by itself does not get what is typed", async () => {
  const witness = within(await call("show_good")).locator("#out");
  const thief = within(await call("show_hostile")).locator("#thief");
  await expect(thief).toBeVisible();
  const box = page.getByRole("textbox", { name: "Message" });
  await box.click();
  await box.pressSequentially("pass");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(witness).toContainText("theme dark");
  await expect(box).toBeFocused();
  await page.keyboard.type("word");
  await expect(box).toHaveValue("password");
  await expect(thief).toHaveValue("");
  await box.fill("");
  await page.emulateMedia({ colorScheme: "light" });
});

test("an app that leaves its page, floods, says too much or is none costs itself alone", async () => {
  const left = await call("show_leave");
  await expect(left.locator("iframe")).toBeVisible();
  await call("show_form");
  const flood = await call("show_flood");
  await expect(flood.getByText("too many messages and was ended")).toBeVisible();
  await expect(flood.locator("iframe")).toHaveCount(0);
  const huge = await call("show_huge");
  await expect(huge.getByText("a message that is too long and was ended")).toBeVisible();
  const plain = await call("show_plain");
  await expect(plain.getByText('its type is "text/html", not text/html;profile=mcp-app')).toBeVisible();
  await expect(plain.locator("iframe")).toHaveCount(0);
  const log = await heard();
  expect(log).toContain('"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}');
  expect(log.match(/call count/g)).toHaveLength(1);
  expect(log).not.toContain("call model_only");
  expect(reached).toEqual([]);
});

test("an app comes back with its session, and goes with its server", async () => {
  await page.reload();
  const card = page.getByRole("group", { name: "Tool call mcp.apps.show_good" }).last();
  // The log goes to its end once more while what stands above grows.
  await expect(async () => {
    await card.scrollIntoViewIfNeeded();
    await expect(within(card).locator("#out")).toContainText('result {"got":{"asked":"show_good"}}', {
      timeout: 1_000,
    });
  }).toPass();
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill("/mcp disable apps");
  await box.press("Enter");
  await card.scrollIntoViewIfNeeded();
  await expect(card.getByText("This app is shown while its server, apps, is ready.")).toBeVisible();
  await expect(card.locator("iframe")).toHaveCount(0);
  await box.fill("/mcp enable apps");
  await box.press("Enter");
  await expect(within(card).locator("#out")).toContainText("ready en");
});
