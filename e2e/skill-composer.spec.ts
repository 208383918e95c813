import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { openApp, type OpenApp } from "./support/shells.ts";
import { violations } from "./support/violations.ts";
import { createWorld, root, type World } from "./support/world.ts";

const shots = path.join(root, "test-results/screenshots");
// Every picture is judged by axe, in two themes and two sizes.
test.describe.configure({ timeout: 180_000 });
let world: World;
let app: OpenApp;
test.afterEach(async () => {
  await app.close();
  await expect.poll(() => leftovers(world)).toEqual([]);
  await world.stop();
});

const release = `---
name: release
description: Cuts a release, from the changes since the last tag to the notes that go out with it.
keywords: [release notes, changelog]
tools: [run_shell, gh_release]
allowed-tools: run_shell(git:*) write_file
model: openai-compatible/any
arguments:
  type: object
  required: [version, channel]
  properties:
    version: { type: string, title: Version, description: "As it will be tagged, without the v.", pattern: "^\\\\d+\\\\.\\\\d+\\\\.\\\\d+$", examples: ["2.4.0"] }
    channel: { title: Channel, oneOf: [{ const: stable, title: Stable }, { const: beta, title: Beta }, { const: nightly, title: Nightly }] }
    draft: { type: boolean, title: Draft, description: "Nothing goes out until somebody publishes it.", default: true }
    days: { type: integer, title: Days of support, minimum: 1, maximum: 365, default: 90 }
    day: { type: string, format: date, title: Day }
    audience: { type: array, title: Audience, items: { anyOf: [{ const: users, title: Users }, { const: operators, title: Operators }, { const: partners, title: Partners }] } }
    labels: { type: array, title: Labels, items: { type: string }, default: [search, api] }
    contact: { type: string, format: email, title: Contact }
    token: { type: string, format: password, title: Registry token }
    folder: { type: string, format: directory, title: Output folder }
    intro: { type: string, format: textarea, title: Introduction }
    mirror:
      type: object
      title: Mirror
      properties: { host: { type: string, title: Host }, port: { type: integer, title: Port } }
    extra: { type: object, title: Anything else }
---

Release {{version}} on the {{channel}} channel. Labels: $labels.
`;
const plain = (name: string, description: string, more = ""): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\nDo what ${name} says: $ARGUMENTS\n`;

function writeSkill(name: string, text: string): void {
  const folder = path.join(world.workspace, ".agents/skills", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "SKILL.md"), text);
}
function writeSkills(): void {
  // What would wait for trust is another spec's.
  for (const part of ["mcp.json", "plugins"])
    rmSync(path.join(world.workspace, ".agent", part), { recursive: true });
  writeSkill("release", release);
  writeSkill(
    "regression-tests",
    plain(
      "regression-tests",
      "Writes a test that fails before the fix and passes after it.",
      "keywords: [regression test]\n",
    ),
  );
  writeSkill(
    "review-openapi",
    plain("review-openapi", "Reads an OpenAPI file for names, errors and what breaks clients."),
  );
  writeSkill(
    "rename-safely",
    plain(
      "rename-safely",
      "Renames a thing everywhere, with its tests and documents.",
      "keywords: [rename]\n",
    ),
  );
  writeSkill("weekly-report", plain("weekly-report", "每周总结：本周的改动、风险和下周的计划。"));
  writeSkill("only-model", plain("only-model", "For the model alone.", "user-invocable: false\n"));
}
const box = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const panel = (page: Page) => page.getByRole("region", { name: "Run release" });
async function open(browser: Parameters<typeof openApp>[2]): Promise<Page> {
  writeSkills();
  app = await openApp("browser", world, browser);
  return app.page;
}
/** Light and dark, wide and narrow. */
async function picture(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 800],
    [900, 700],
  ] as const)
    for (const scheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.screenshot({ path: `${shots}/skills-${name}-${width}-${scheme}.png` });
      expect(await violations(page), `${name} ${width} ${scheme}`).toEqual([]);
    }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test("skills stand in the menus of / and @, each with its kind and what it is for", async ({ browser }) => {
  world = await createWorld({ steps: [] });
  const page = await open(browser);
  await expect(page.getByRole("status", { name: "Extensions" })).toContainText("skills");
  await box(page).fill("/re");
  const menu = page.getByRole("listbox", { name: "Commands and skills" });
  await expect(menu.getByRole("option", { name: /\/release skill/ })).toBeVisible();
  await expect(menu.getByRole("option", { name: /only-model/ })).toHaveCount(0);
  await picture(page, "slash");
  await box(page).fill("/s");
  await expect(menu.getByRole("option", { name: /^\/skills / })).toBeVisible();
  await picture(page, "commands");
  await box(page).fill("");
  await box(page).pressSequentially("Follow @re");
  await expect(page.getByRole("listbox", { name: "Skills" }).getByRole("option")).not.toHaveCount(0);
  await picture(page, "mention");
  await box(page).press("Enter");
  await expect(box(page)).toHaveValue(/^Follow @re\S+ $/);
  expect(app.errors).toEqual([]);
});

test("a skill is suggested by what is written, taken with Tab, and reaches the model with its body", async ({
  browser,
}) => {
  world = await createWorld({ steps: [{ text: "A test stands there now." }] }, { trusted: true });
  const page = await open(browser);
  await box(page).pressSequentially("Add a regression test and rename the helper");
  const suggestions = page.getByRole("list", { name: "Suggested skills" });
  await expect(suggestions.getByRole("listitem")).toHaveCount(2);
  await expect(box(page)).toBeFocused();
  await picture(page, "suggested");
  await suggestions.getByRole("button", { name: "Dismiss rename-safely" }).click();
  await expect(suggestions.getByRole("listitem")).toHaveCount(1);
  await expect(box(page)).toBeFocused();
  await box(page).press("Tab");
  await expect(box(page)).toHaveValue("/regression-tests Add a regression test and rename the helper");
  await box(page).press("Enter");
  await expect(page.getByRole("log")).toContainText("A test stands there now.");
  const sent = JSON.stringify(world.model.requests[0]?.messages.at(-1));
  expect(sent).toContain("Do what regression-tests says: Add a regression test and rename the helper");
  const used = page.getByRole("list", { name: "Skills used" });
  await expect(used.getByRole("listitem")).toHaveText(["regression-tests"]);
  await picture(page, "used");
  expect(app.errors).toEqual([]);
});

test("the form of a skill's arguments: every kind of field, errors by name, and the substituted body at the model", async ({
  browser,
}) => {
  world = await createWorld({ steps: [{ text: "Released." }] }, { trusted: true });
  const page = await open(browser);
  await box(page).fill("/release");
  await box(page).press("Enter");
  const form = panel(page);
  await expect(form.getByLabel("Version")).toBeFocused();
  await expect(form).toContainText("gh_release");
  await picture(page, "form");
  await form.getByLabel("Version").fill("2.4");
  await form.getByLabel("Contact").fill("nobody");
  await form.getByLabel("Days of support").fill("900");
  await form.getByLabel("Anything else").fill('{"a": ');
  await form.getByRole("button", { name: "Run" }).click();
  await expect(form.getByLabel("Version")).toBeFocused();
  await expect(form).toContainText("Give a number from 1 to 365.");
  await picture(page, "form-errors");
  await form.getByLabel("Version").fill("2.4.0");
  await form.getByLabel("Channel").selectOption("Beta");
  await form.getByLabel("Days of support").fill("30");
  await form.getByLabel("Contact").fill("");
  await form.getByLabel("Anything else").fill("");
  await form.getByLabel("Users").check();
  await form.getByRole("button", { name: "Add" }).click();
  await page.keyboard.type("docs");
  await form.getByLabel("Anything else").scrollIntoViewIfNeeded();
  await picture(page, "form-end");
  await form.getByLabel("Your message").fill("Tell the partners first");
  await form.getByLabel("Your message").press("Enter");
  const ask = page.getByRole("dialog", { name: "Approval" });
  await expect(ask).toContainText("Let this skill use these for one turn?");
  await expect(ask).toContainText("run_shell:git *");
  await picture(page, "allowed-tools");
  // Pressed too soon after the question came, an answer is none.
  await page.waitForTimeout(600);
  await ask.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByRole("log")).toContainText("Released.");
  const sent = JSON.stringify(world.model.requests[0]?.messages.at(-1));
  expect(sent).toContain("Release 2.4.0 on the beta channel. Labels: search, api, docs.");
  expect(sent).toContain("Tell the partners first");
  expect(app.errors).toEqual([]);
});

test("the form in Chinese", async ({ browser }) => {
  world = await createWorld({ steps: [] }, { settings: { appearance: { locale: "zh" } } });
  const page = await open(browser);
  await page.getByRole("textbox", { name: "消息", exact: true }).fill("/release");
  await page.getByRole("textbox", { name: "消息", exact: true }).press("Enter");
  const form = page.getByRole("region", { name: "运行 release" });
  await form.getByLabel("Days of support").fill("900");
  await form.getByRole("button", { name: "运行" }).click();
  await expect(form).toContainText("请填写 1 到 365 之间的数字。");
  await picture(page, "form-zh");
  expect(app.errors).toEqual([]);
});

test("a rule that asks about a skill: the card says which one would be loaded, and its call what it did", async ({
  browser,
}) => {
  world = await createWorld(
    {
      steps: [{ toolCalls: [{ name: "skill", input: { name: "rename-safely" } }] }, { text: "I follow it." }],
    },
    { settings: { permission: { skill: { "rename-*": "ask" } } } },
  );
  const page = await open(browser);
  await box(page).fill("Rename it");
  await box(page).press("Enter");
  const ask = page.getByRole("dialog", { name: "Approval" });
  await expect(ask.getByRole("heading")).toHaveText("Load this skill?");
  await expect(ask).toContainText("rename-safely");
  await picture(page, "approval");
  await page.waitForTimeout(600);
  await ask.getByRole("button", { name: "Allow once" }).click();
  await expect(page.getByRole("log")).toContainText("I follow it.");
  const card = page.getByRole("group", { name: "Tool call skill" });
  await expect(card).toContainText("Loaded skill");
  await expect(card).toContainText("rename-safely");
  expect(app.errors).toEqual([]);
});
