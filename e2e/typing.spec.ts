import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { openApp, type OpenApp } from "./support/shells.ts";
import { createWorld, root, type World } from "./support/world.ts";

const shots = path.join(root, "test-results/screenshots");
let world: World;
let app: OpenApp;
test.afterEach(async () => {
  await app.close();
  await expect.poll(() => leftovers(world)).toEqual([]);
  await world.stop();
});
/** The model asks for a command `firstDelayMs` after it was spoken to. */
async function open(browser: Parameters<typeof openApp>[2], firstDelayMs: number): Promise<Page> {
  const call = { name: "run_shell", input: { command: "touch ran" } };
  world = await createWorld(
    {
      steps: [
        { toolCalls: [call], firstDelayMs },
        { text: "Done.", repeat: true },
      ],
    },
    { settings: { policy: { approval: "always" } } },
  );
  app = await openApp("browser", world, browser);
  const box = app.page.getByRole("textbox", { name: "Message" });
  await box.fill("go");
  await box.press("Enter");
  return app.page;
}
const ran = (): boolean => existsSync(path.join(world.workspace, "ran"));
const rules = (): unknown =>
  (JSON.parse(readFileSync(path.join(world.config, "settings.json"), "utf8")) as Record<string, unknown>)[
    "remembered"
  ];

test("who writes a message while the question comes goes on writing it, and answers nothing", async ({
  browser,
}) => {
  const page = await open(browser, 1_200);
  const card = page.getByRole("dialog", { name: "Approval" });
  const box = page.getByRole("textbox", { name: "Message" });
  const text = "hello world how do you say yes to all of a sudden";
  await box.pressSequentially(text.slice(0, 3));
  await page.keyboard.type(text.slice(3), { delay: 130 });
  await expect(card).toBeVisible();
  await expect(box).toHaveValue(text);
  await expect(box).toBeFocused();
  await page.screenshot({ path: `${shots}/approval-while-writing.png` });
  expect(ran()).toBe(false);
  await card.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("log")).toContainText("Done.");
  await expect(box).toHaveValue(text);
  expect(ran()).toBe(false);
});
for (const text of ["hello world how do", "ccccccccccaccccc"])
  test(`who starts to type ${text} as the question comes answers nothing, and a key after a pause does`, async ({
    browser,
  }) => {
    const page = await open(browser, 0);
    const card = page.getByRole("dialog", { name: "Approval" });
    await expect(card.getByRole("button", { name: "Allow once" })).toBeFocused();
    await page.keyboard.type(text, { delay: 130 });
    await expect(card).toBeVisible();
    expect(ran()).toBe(false);
    expect(rules()).toBeUndefined();
    await page.waitForTimeout(600);
    await page.keyboard.press("Space");
    await expect(page.getByRole("log")).toContainText("Done.");
    expect(ran()).toBe(true);
  });
