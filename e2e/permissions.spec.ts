import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { openApp, type OpenApp } from "./support/shells.ts";
import { violations } from "./support/violations.ts";
import { createWorld, type World } from "./support/world.ts";

let world: World;
let app: OpenApp;
test.afterEach(async () => {
  await app.close();
  await expect.poll(() => leftovers(world)).toEqual([]);
  await world.stop();
});

const settingsOf = (): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(path.join(world.config, "settings.json"), "utf8")) as never;
async function openPermissions(page: Page): Promise<Locator> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("tab", { name: "Permissions" }).click();
  const panel = page.getByRole("tabpanel", { name: "Permissions" });
  await expect(panel.getByRole("table")).toBeVisible();
  return panel;
}
/** Answers the approval that stands, past the guard against stray keys. */
async function answer(page: Page, name: string): Promise<void> {
  const approval = page.getByRole("dialog", { name: "Approval" });
  await expect(approval).toBeVisible();
  await page.waitForTimeout(400);
  await approval.getByRole("button", { name }).click();
  await expect(approval).toBeHidden();
}

test("what widens the policy is asked about first; the table and the file follow the answer", async ({
  browser,
}) => {
  world = await createWorld({ steps: [] }, { settings: { policy: { sandbox: "read_only" } } });
  app = await openApp("browser", world, browser);
  const { page } = app;
  const panel = await openPermissions(page);
  const write = panel.getByRole("row", { name: /^Write files/ });
  await expect(write).toHaveText(/anywhere\s*denied/);
  const choice = panel.getByRole("radio", { name: /^Workspace write/ });
  await choice.click();
  await expect(page.getByRole("dialog", { name: "Approval" })).toContainText("workspace_write");
  await expect(choice).toContainText("waits for your answer");
  await expect(choice).toHaveAttribute("aria-checked", "false");
  expect(await violations(page)).toEqual([]);
  await answer(page, "Deny");
  await expect(choice).not.toContainText("waits for your answer");
  expect(settingsOf()["policy"]).toEqual({ sandbox: "read_only" });

  await choice.click();
  await answer(page, "Allow once");
  await expect(choice).toHaveAttribute("aria-checked", "true");
  await expect(write.first()).toHaveText(/inside this folder\s*allowed/);
  expect(settingsOf()["policy"]).toEqual({ sandbox: "workspace_write" });
  // What denies more, or asks more, asks nobody.
  await panel.getByRole("radio", { name: /^Never ask/ }).click();
  await expect(panel.getByRole("row", { name: /destroy data/ })).toHaveText(/denied/);
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("radio", { name: /^Ask always/ }).click();
  await expect(write.first()).toHaveText(/asks you/);
  expect(await violations(page)).toEqual([]);
  expect(app.errors).toEqual([]);
});

test("a writable folder is added by its path and removed; one that is not there is refused at the field", async ({
  browser,
}) => {
  world = await createWorld({ steps: [] });
  const folder = path.join(world.folder, "notes");
  app = await openApp("browser", world, browser);
  const { page } = app;
  const panel = await openPermissions(page);
  const field = panel.getByRole("textbox", { name: "Folder to add" });
  await field.fill(folder);
  await field.press("Enter");
  await expect(panel.getByRole("alert")).toContainText(`there is no folder ${folder}`);
  expect(await violations(page)).toEqual([]);
  mkdirSync(folder);
  await field.press("Enter");
  await answer(page, "Allow once");
  const folders = panel.getByRole("list", { name: "Writable folders" });
  await expect(folders.getByRole("listitem")).toHaveText([folder]);
  expect(settingsOf()["policy"]).toEqual({ writable_roots: [folder] });
  await folders.getByRole("button", { name: `Remove the folder ${folder}` }).click();
  await expect(folders).toBeHidden();
  expect(settingsOf()["policy"]).toEqual({ writable_roots: [] });
  expect(app.errors).toEqual([]);
});

test("an answer “always here” is a rule that is seen and removed, and then it asks again", async ({
  browser,
}) => {
  const call = { name: "run_shell", input: { command: "printf pearl" } };
  world = await createWorld(
    {
      steps: [
        { when: { lastRole: "user" }, toolCalls: [call], repeat: true },
        { text: "Done.", repeat: true },
      ],
    },
    { settings: { policy: { approval: "always" } } },
  );
  app = await openApp("browser", world, browser);
  const { page } = app;
  const send = async (): Promise<void> => {
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("go");
    await box.press("Enter");
  };
  await send();
  await answer(page, "Always allow here");
  await expect(page.getByRole("log")).toContainText("Done.");
  const panel = await openPermissions(page);
  const answers = panel.getByRole("list", { name: "Your answers “always here”, for this workspace" });
  await expect(answers.getByRole("listitem")).toHaveText([/allow\s*run_shell:printf pearl/]);
  expect(settingsOf()["remembered"]).toBeDefined();
  await answers.getByRole("button", { name: /^Remove the rule run_shell:printf/ }).click();
  await expect(panel.getByText(/^Removed the rule run_shell:printf/)).toBeVisible();
  await expect(answers).toBeHidden();
  expect(JSON.stringify(settingsOf()["remembered"])).not.toContain("printf");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Chat" }).click();
  await send();
  await answer(page, "Deny");
  expect(app.errors).toEqual([]);
});

test("which rule decides is told for ten calls, and nothing of them runs", async ({ browser }) => {
  world = await createWorld(
    { steps: [] },
    {
      settings: {
        permission: {
          run_shell: { "git status*": "allow", "npm publish*": "deny" },
          fetch_url: { "*.example.com": "allow" },
          write_file: { "*.lock": "ask" },
        },
      },
    },
  );
  symlinkSync("/etc", path.join(world.workspace, "elsewhere"));
  app = await openApp("browser", world, browser);
  const { page } = app;
  const panel = await openPermissions(page);
  const explain = panel.getByRole("region", { name: "Which rule decides" });
  const made = path.join(world.workspace, "made");
  const tool = explain.getByRole("combobox", { name: "Tool" });
  const confines = await panel.getByText("Commands run confined by").isVisible();
  const examples: readonly (readonly [
    tool: string,
    label: string,
    text: string,
    answers: readonly string[],
  ])[] = [
    [
      "run_shell",
      "Command",
      "git status --short",
      ["allowed", "the rule", "run_shell:git status*", "settings.json"],
    ],
    ["run_shell", "Command", `git status; rm -rf ${made}`, ["asks you", "it can destroy data", "rm -rf"]],
    ["run_shell", "Command", "npm publish --dry-run", ["denied", "run_shell:npm publish*"]],
    [
      "run_shell",
      "Command",
      `touch ${made}`,
      confines ? ["allowed", "confined"] : ["asks you", "not confined"],
    ],
    [
      "fetch_url",
      "Address",
      "https://docs.example.com/a",
      ["allowed", "fetch_url:*.example.com", "docs.example.com"],
    ],
    [
      "fetch_url",
      "Address",
      "https://other.net/",
      ["asks you", "the choices in force", "network access is off"],
    ],
    ["write_file", "Path", "src/new.ts", ["allowed", "the choices in force"]],
    ["write_file", "Path", "yarn.lock", ["asks you", "write_file:*.lock"]],
    [
      "write_file",
      "Path",
      ".git/hooks/pre-commit",
      ["asks you", "the protected folder", ".git is protected"],
    ],
    ["read_file", "Path", "elsewhere/hostname", ["asks you", "really leads to", "/etc/hostname"]],
  ];
  for (const [name, label, text, answers] of examples) {
    await tool.fill(name);
    await explain.getByRole("textbox", { name: label }).fill(text);
    for (const words of answers) await expect(explain, `${name} ${text}`).toContainText(words);
  }
  expect(await violations(page)).toEqual([]);
  await tool.fill("run_shel");
  await expect(explain).toContainText("did you mean run_shell?");
  await tool.fill("run_shell");
  await explain.getByRole("radio", { name: "JSON" }).click();
  const json = explain.getByRole("textbox", { name: "Arguments" });
  await json.fill('{"comand": "ls"}');
  await expect(explain).toContainText(/the arguments of run_shell are not valid/);
  await json.fill("{nothing");
  await expect(explain).toContainText("This is no JSON object");
  expect(existsSync(made)).toBe(false);
  expect(world.model.requests).toEqual([]);
  expect(await violations(page)).toEqual([]);
  expect(app.errors).toEqual([]);
});
