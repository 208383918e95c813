import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { openApp, shells, type OpenApp } from "./support/shells.ts";
import { violations } from "./support/violations.ts";
import { createWorld, root, type World } from "./support/world.ts";

const shots = path.join(import.meta.dirname, "../test-results/screenshots");
let world: World;
/** Ignores every polite request to end; `name` tells it in the process table. */
const stubborn = (name: string): string => `trap '' TERM; echo up; while :; do sleep 0.2; : ${name}; done`;
const shell = (command: string, background = false) => ({
  name: "run_shell",
  input: { command, ...(background ? { background } : {}) },
});
const runs = (name: string): boolean => leftovers(world).some((line) => line.includes(name));
const send = async (page: Page, text: string): Promise<void> => {
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill(text);
  await box.press("Enter");
};

for (const kind of shells)
  test.describe(kind, () => {
    let app: OpenApp;
    test.afterEach(async () => {
      await app.close();
      await expect.poll(() => leftovers(world)).toEqual([]);
      await world.stop();
    });

    test("a command in the background shows its output and ends by its button, with the chat going on", async ({
      browser,
    }) => {
      world = await createWorld(
        {
          steps: [
            { toolCalls: [shell("echo listening on 8080; while :; do sleep 0.2; : lighthouse; done", true)] },
            { text: "The service runs." },
          ],
        },
        { settings: { policy: { sandbox: "full_access" } } },
      );
      app = await openApp(kind, world, browser);
      const { page } = app;
      await send(page, "start the service");
      await expect(page.getByRole("log")).toContainText("The service runs.");
      const list = page.getByRole("list", { name: "Running in the background" });
      await expect(list.getByRole("listitem")).toContainText("listening on 8080");
      await list.getByRole("button", { name: "running" }).click();
      await expect(page.getByLabel("Output", { exact: true })).toHaveText("listening on 8080");
      await expect(page.getByRole("group", { name: "Tool call run_shell" })).toContainText(
        "in the background",
      );
      await page.screenshot({ path: `${shots}/${kind}-background.png` });
      expect(await violations(page)).toEqual([]);
      await list.getByRole("button", { name: "Stop" }).click();
      await expect.poll(() => runs("lighthouse")).toBe(false);
      await expect(page.getByRole("group", { name: "Tool call run_shell" })).not.toContainText(
        "in the background",
      );
      expect(app.errors).toEqual([]);
    });

    test("after Stop the next message waits until a command that ignores TERM is gone, and says so", async ({
      browser,
    }) => {
      world = await createWorld(
        { steps: [{ toolCalls: [shell(stubborn("anchor"))] }, { when: { lastUser: "next" }, text: "Now." }] },
        { settings: { policy: { sandbox: "full_access" } } },
      );
      app = await openApp(kind, world, browser);
      const { page } = app;
      await send(page, "go");
      await expect(page.getByRole("log")).toContainText("up");
      await page.getByRole("button", { name: "Stop" }).click();
      await expect(page.getByRole("log")).toContainText("Stopped");
      await send(page, "next");
      await expect(page.getByText("Waits until what was stopped has ended")).toBeVisible();
      await expect(page.getByRole("log")).toContainText("Now.");
      expect(runs("anchor")).toBe(false);
      expect(app.errors).toEqual([]);
    });
  });

test.describe("nacre run", () => {
  test.afterEach(() => world.stop());
  const start = () => {
    const args = ["run", "begin", "--output", "json", "--sandbox", "full_access"];
    const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), ...args], {
      cwd: world.workspace,
      env: world.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    const ended = new Promise<{ code: number | null; stdout: string }>((resolve) =>
      child.on("close", (code) => resolve({ code, stdout })),
    );
    return { child, ended };
  };

  test("an interrupt ends with 130 when what ignores TERM is gone, and a second one at once", async () => {
    world = await createWorld({ steps: [{ toolCalls: [shell(stubborn("anchor"))], repeat: true }] });
    const first = start();
    await expect.poll(() => runs("anchor")).toBe(true);
    first.child.kill("SIGINT");
    const { code, stdout } = await first.ended;
    expect([code, JSON.parse(stdout).stopReason]).toEqual([130, "stopped"]);
    expect(leftovers(world)).toEqual([]);

    const second = start();
    await expect.poll(() => runs("anchor")).toBe(true);
    second.child.kill("SIGINT");
    second.child.kill("SIGINT");
    expect((await second.ended).code).toBe(130);
    await expect.poll(() => leftovers(world)).toEqual([]);
  });

  test("what runs in the background ends with the run", async () => {
    world = await createWorld({
      steps: [{ toolCalls: [shell(stubborn("anchor"), true)] }, { text: "It runs." }],
    });
    const { code, stdout } = await start().ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ text: "It runs.", toolCalls: [{ isError: false }] });
    expect(leftovers(world)).toEqual([]);
  });
});
