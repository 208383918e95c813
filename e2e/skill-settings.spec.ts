import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { openApp, type OpenApp } from "./support/shells.ts";
import { createSkillWorld, type SkillWorld } from "./support/skill-world.ts";
import { violations } from "./support/violations.ts";
import { root } from "./support/world.ts";

const shots = path.join(root, "test-results/screenshots");
let own: SkillWorld;
let app: OpenApp;
let page: Page;
test.beforeEach(async ({ browser }) => {
  own = await createSkillWorld({ steps: [{ text: "Done.", repeat: true }] });
  app = await openApp("browser", own.world, browser);
  page = app.page;
});
test.afterEach(async () => {
  await app.close();
  await expect.poll(() => leftovers(own.world)).toEqual([]);
  await own.world.stop();
});

const read = (file: string): string => readFileSync(own.at(file), "utf8");
const settings = (): Record<string, unknown> =>
  JSON.parse(read("config/settings.json")) as Record<string, unknown>;
const openSkills = async (): Promise<void> => {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("tab", { name: "Skills" }).click();
  await expect(page.getByRole("switch", { name: "regression-tests" })).toBeVisible();
};
/** The row of a name; of several the one whose description says `part`. */
const row = (name: string, part = ""): Locator =>
  page
    .locator(".skills .l li.pickable")
    .filter({ has: page.getByRole("button", { name, exact: true }), hasText: part });
const open = async (name: string, part = ""): Promise<Locator> => {
  await row(name, part).getByRole("button", { name, exact: true }).click();
  const pane = page.getByRole("complementary", { name, exact: true });
  await expect(pane).toHaveAttribute("aria-busy", "false");
  return pane;
};
const button = (name: string): Locator => page.getByRole("button", { name, exact: true });
const editor = (): Locator => page.getByRole("textbox", { name: "Text of the file" });
/** Says something in a new chat; answers the catalog that arrives at the model. */
const catalog = async (): Promise<string> => {
  const before = own.world.model.requests.length;
  await button("New chat").click();
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill("go");
  await box.press("Enter");
  await expect(page.getByRole("log", { name: "Conversation" })).toContainText("Done.");
  await own.world.model.arrived(before + 1);
  await openSkills();
  const { messages = [] } = own.world.model.requests[before] ?? {};
  return messages
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .join("\n");
};

test("a file that cannot be loaded is mended by what was shown, and what changed meanwhile is shown anew", async () => {
  await openSkills();
  const file = "harbor/.agent/skills/deploy-check/SKILL.md";
  const before = read(file);
  const pane = await open("deploy-check");
  await expect(pane.locator(".del").first()).toContainText("name: Deploy Check");
  await pane.getByRole("button", { name: "Repair" }).click();
  const dialog = page.getByRole("dialog", { name: "Repair deploy-check" });
  await expect(dialog).toContainText("name: deploy-check");
  expect(read(file)).toBe(before);
  appendFileSync(own.at(file), "\nA line of somebody else.\n");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(dialog).toContainText("The file has changed meanwhile");
  await page.screenshot({ path: `${shots}/settings-skills-repair.png` });
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(dialog).toBeHidden();
  expect(read(file)).toBe(
    `${before.replace("Deploy Check", "deploy-check").replace(/description: (.*)/, "description: '$1'")}\nA line of somebody else.\n`,
  );
  await expect(row("deploy-check")).toContainText("untrusted");
  expect(await catalog()).toContain("- deploy-check: Before a deploy: migrations, flags, error budget");
  expect(app.errors).toEqual([]);
});

test("the editor writes the file, tells its faults and keeps what is not saved", async () => {
  await openSkills();
  const file = "harbor/.agent/skills/load-profile/SKILL.md";
  await open("load-profile");
  await button("Open at line 3").click();
  await editor().fill("---\nname: load-profile\ndescription: Names the slow step\n---\n\nRead the file.\n");
  await expect(row("load-profile")).toContainText("unsaved");
  await button("rotate-keys").click();
  await page.getByRole("dialog", { name: "Not saved" }).getByRole("button", { name: "Keep editing" }).click();
  await page.reload();
  await openSkills();
  await expect(editor()).toHaveValue(/Names the slow step/);
  expect(read(file)).toContain("Reads k6 output");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(page.getByText("No problems in the file as it is saved.")).toBeVisible();
  expect(read(file)).toBe(
    "---\nname: load-profile\ndescription: Names the slow step\n---\n\nRead the file.\n",
  );
  await editor().fill("---\nname: Load Profile\n---\nx\n");
  writeFileSync(own.at(file), "---\nname: load-profile\ndescription: Theirs\n---\nx\n");
  await expect(page.getByText("The file has changed on the disk")).toBeVisible();
  await page.screenshot({ path: `${shots}/settings-skills-conflict.png` });
  expect(await violations(page)).toEqual([]);
  await button("Save mine over it").click();
  await expect(page.locator(".editor .faults")).toContainText("no skill name");
  expect(read(file)).toBe("---\nname: Load Profile\n---\nx\n");
  await button("Close").click();
  await expect(row("load-profile")).toContainText("invalid");
  expect(app.errors).toEqual([]);
});

test("a file keeps its line ends, whatever the field makes of them", async () => {
  await openSkills();
  const file = "config/skills/rotate-keys/SKILL.md";
  const text = "---\r\nname: rotate-keys\r\ndescription: With line ends of Windows\r\n---\r\n\r\nOne.\r\n";
  writeFileSync(own.at(file), text);
  await expect(row("rotate-keys")).toContainText("With line ends of Windows");
  await open("rotate-keys");
  await button("Edit").click();
  await editor().press("ControlOrMeta+End");
  await page.keyboard.type("Two.\nThree.");
  await button("Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  expect(read(file)).toBe(`${text}Two.\r\nThree.`);
  expect(app.errors).toEqual([]);
});

test("a file that is no UTF-8 is not edited but deleted, and comes back as it was", async () => {
  const file = "harbor/.agent/skills/load-profile/SKILL.md";
  const bytes = Buffer.from("---\nname: load-profile\ndescription: Caf\xe9\n---\n", "latin1");
  writeFileSync(own.at(file), bytes);
  await openSkills();
  const pane = await open("load-profile");
  await expect(pane).toContainText("It cannot be edited here: its file is not UTF-8 text.");
  await expect(pane.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await page.screenshot({ path: `${shots}/settings-skills-no-text.png` });
  await pane.getByRole("button", { name: "Delete" }).click();
  await expect(row("load-profile")).toHaveCount(0);
  expect(existsSync(own.at(file))).toBe(false);
  await button("Undo").click();
  await expect(row("load-profile")).toHaveCount(1);
  expect(readFileSync(own.at(file))).toEqual(bytes);
  expect(app.errors).toEqual([]);
});

test("a conversation's skill is offered to it alone, and becomes a file where it is saved", async () => {
  await catalog();
  await button("New skill").click();
  await page.getByRole("textbox", { name: "Name" }).fill("scratch-notes");
  await page.getByRole("radio", { name: "This conversation" }).click();
  await button("Create").click();
  await editor().fill("---\nname: scratch-notes\ndescription: Only here\n---\n\nKeep it short.\n");
  await button("Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await button("Close").click();
  await expect(row("scratch-notes")).toContainText("Only here");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Chat" }).click();
  const box = page.getByRole("textbox", { name: "Message" });
  const before = own.world.model.requests.length;
  await box.fill("and now");
  await box.press("Enter");
  await own.world.model.arrived(before + 1);
  expect(JSON.stringify(own.world.model.requests[before]?.messages)).toContain("- scratch-notes: Only here");
  expect(await catalog()).not.toContain("scratch-notes");

  const pane = await open("scratch-notes");
  await pane.getByRole("button", { name: "Save to my skills" }).click();
  await expect(page.getByRole("complementary", { name: "scratch-notes" })).toContainText("user-nacre");
  await expect(row("scratch-notes")).toHaveCount(1);
  expect(read("config/skills/scratch-notes/SKILL.md")).toBe(
    "---\nname: scratch-notes\ndescription: Only here\n---\n\nKeep it short.\n",
  );
  expect(await catalog()).toContain("- scratch-notes: Only here");
  expect(app.errors).toEqual([]);
});

test("switches, pins and rules decide what the model is offered, and the files say so", async () => {
  await openSkills();
  expect(await catalog()).toContain("- regression-tests: A failing test first, then the smallest fix");
  await page.getByRole("switch", { name: "regression-tests" }).click();
  await expect(page.getByRole("switch", { name: "regression-tests" })).toHaveAttribute(
    "aria-checked",
    "false",
  );
  await page.getByRole("switch", { name: "meeting-notes" }).click();
  await expect(page.getByRole("switch", { name: "meeting-notes" })).toHaveAttribute("aria-checked", "true");
  let pane = await open("api-review", "Older copy");
  await pane.getByRole("button", { name: "Make this one win" }).click();
  await expect(row("api-review", "Older copy")).toContainText("pinned");
  const first = await catalog();
  expect(first).toContain("- api-review: Older copy of the same name");
  expect(first).toContain("- meeting-notes:");
  expect(first).not.toContain("regression-tests");
  expect(first).not.toContain("read-secrets");
  expect(settings()).toMatchObject({ switches: { "skill:user-nacre/regression-tests": false } });

  pane = await open("api-review", "Checks an OpenAPI change");
  await pane.locator(".others button").click();
  await page
    .getByRole("complementary", { name: "api-review" })
    .getByRole("button", { name: "Let the order decide again" })
    .click();
  await expect(row("api-review", "Older copy")).toContainText("shadowed");

  pane = await open("read-secrets");
  await expect(pane).toContainText("*-secrets: deny");
  await pane.getByRole("radio", { name: "Allow" }).click();
  await expect(pane).toContainText("waits for your answer");
  await expect(pane.getByRole("radio", { name: "No rule" })).toBeChecked();
  await page.screenshot({ path: `${shots}/settings-skills-approval.png` });
  expect(await violations(page)).toEqual([]);
  const approval = page.getByRole("dialog", { name: "Approval" });
  await expect(approval).toContainText("skill:read-secrets");
  await page.waitForTimeout(600);
  await approval.getByRole("button", { name: "Allow once" }).click();
  await expect(pane.getByRole("radio", { name: "Allow" })).toBeChecked();
  await expect(row("read-secrets")).not.toContainText("denied");
  expect(settings()).toMatchObject({
    permission: { skill: { "rotate-*": "ask", "*-secrets": "deny", "read-secrets": "allow" } },
  });
  pane = await open("release-notes");
  await pane.getByRole("radio", { name: "Deny" }).click();
  await expect(row("release-notes")).toContainText("denied");
  const second = await catalog();
  expect(second).toContain("- read-secrets: Reads what the vault holds");
  expect(second).toContain("- api-review: Checks an OpenAPI change for breaking fields");
  expect(second).not.toContain("release-notes");
  expect(app.errors).toEqual([]);
});

test("a new skill is a file that the model is offered; deleting it can be undone, byte for byte", async () => {
  await openSkills();
  await button("New skill").click();
  await page.getByRole("textbox", { name: "Name" }).fill("Tide Table");
  await button("Take tide-table").click();
  await page.getByRole("radio", { name: "All my workspaces" }).click();
  await page.screenshot({ path: `${shots}/settings-skills-new.png` });
  expect(await violations(page)).toEqual([]);
  await button("Create").click();
  const file = "config/skills/tide-table/SKILL.md";
  await expect(editor()).toHaveValue(/name: tide-table/);
  expect(existsSync(own.at(file))).toBe(true);
  await editor().fill(
    "---\nname: tide-table\ndescription: Tells when the water is high\n---\n\nLook it up.\n",
  );
  await button("Save").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await button("Close").click();
  expect(await catalog()).toContain("- tide-table: Tells when the water is high");
  const text = read(file);

  const pane = await open("tide-table");
  await pane.getByRole("button", { name: "Delete" }).click();
  const undo = page.getByRole("status").filter({ hasText: "tide-table is in the trash." });
  await expect(undo).toContainText(own.at("data/trash"));
  await expect(row("tide-table")).toHaveCount(0);
  expect(existsSync(own.at(file))).toBe(false);
  expect(readdirSync(own.at("data/trash"))).toHaveLength(1);
  await page.screenshot({ path: `${shots}/settings-skills-undo.png` });
  expect(await violations(page)).toEqual([]);
  await undo.getByRole("button", { name: "Undo" }).click();
  await expect(row("tide-table")).toHaveCount(1);
  expect(read(file)).toBe(text);
  expect(app.errors).toEqual([]);
});

test("a skill of every state at once, in both themes, in Chinese and in a narrow window", async () => {
  test.setTimeout(120_000);
  // A chat, so that a skill of its own can be made.
  await catalog();
  await button("New skill").click();
  await page.getByRole("textbox", { name: "Name" }).fill("scratch-notes");
  await page.getByRole("radio", { name: "This conversation" }).click();
  await button("Create").click();
  await expect(editor()).toHaveValue(/name: scratch-notes/);
  await button("Close").click();
  for (const [name, state] of [
    ["scratch-notes", ""],
    ["deploy-check", "invalid"],
    ["load-profile", "invalid"],
    ["release-notes", "untrusted"],
    ["meeting-notes", ""],
    ["read-secrets", "denied"],
    ["rotate-keys", "asks"],
    ["word-count:counting", "untrusted"],
    ["create-skill", ""],
  ] as const)
    await expect(row(name)).toContainText(state);
  await expect(row("api-review", "Older copy")).toContainText("shadowed by Workspace");
  const shoot = async (name: string): Promise<void> => {
    await page.screenshot({ path: `${shots}/settings-skills-${name}.png`, animations: "disabled" });
    expect(await violations(page)).toEqual([]);
  };
  await page.setViewportSize({ width: 1280, height: 1000 });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await open("deploy-check");
    await shoot(scheme);
    await open("regression-tests");
    await shoot(`facts-${scheme}`);
    await open("read-secrets");
    await shoot(`denied-${scheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByText("Where skills are looked for").click();
  await expect(page.getByRole("switch", { name: "user-claude" })).toBeVisible();
  await page.locator(".roots").evaluate((one) => one.scrollIntoView());
  await shoot("roots");
  await page.setViewportSize({ width: 900, height: 700 });
  await open("deploy-check");
  await shoot("narrow");
  for (const part of [button("New skill"), page.getByRole("complementary", { name: "deploy-check" })])
    await expect(part).toBeInViewport({ ratio: 1 });
  const why = page.locator("aside.r section").filter({ has: page.getByRole("heading", { name: "Why" }) });
  await expect(why).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await button("Edit").click();
  await expect(editor()).toBeInViewport({ ratio: 1 });
  await expect(button("Close")).toBeInViewport({ ratio: 1 });
  await shoot("editor-narrow");
  await button("Close").click();
  await page.setViewportSize({ width: 1280, height: 1000 });
  await button("Edit").click();
  await shoot("editor");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator(".roots").evaluate((one) => one.scrollIntoView());
  await shoot("editor-roots");
  for (const folder of await page.locator(".root-folders .path").all())
    expect((await folder.boundingBox())?.width).toBeGreaterThan(150);
  await button("Close").click();
  await page.setViewportSize({ width: 1280, height: 1000 });
  writeFileSync(
    own.at("config/settings.json"),
    JSON.stringify({ ...settings(), appearance: { locale: "zh" } }),
  );
  await expect(page.getByRole("tab", { name: "技能" })).toBeVisible();
  await page.locator(".skills .l").evaluate((one) => one.scrollTo(0, 0));
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await shoot(`zh-${scheme}`);
  }
  await page.setViewportSize({ width: 900, height: 700 });
  await shoot("zh-narrow");
  expect(app.errors).toEqual([]);
});
