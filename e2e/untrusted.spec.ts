import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { writeHostile, type Hostile } from "./support/hostile-workspace.ts";
import { leftovers } from "./support/leftovers.ts";
import { openApp } from "./support/shells.ts";
import { canaryOf, createWorld, root, type World } from "./support/world.ts";

let world: World;
let sink: Server;
let asked: string[];
let hostile: Hostile;
test.beforeEach(async () => {
  asked = [];
  sink = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
  const at = sink.address();
  const names = ["hermit", "kairox", "codex", "claude"];
  const calls = [
    ...names.map((name) => ({ name: `${name}_tool`, input: {} })),
    ...names.map((name) => ({ name: `mcp__${name}-server__x`, input: {} })),
    { name: "mcp__project__x", input: {} },
  ];
  world = await createWorld({
    steps: [
      { when: { lastRole: "user" }, toolCalls: calls, repeat: true },
      { text: "The end.", repeat: true },
    ],
  });
  hostile = writeHostile(world, `http://127.0.0.1:${typeof at === "object" ? (at?.port ?? 0) : 0}`);
});
test.afterEach(async () => {
  await world.stop();
  await new Promise((resolve) => sink.close(resolve));
});

function nacre(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), ...args], {
    cwd: world.workspace,
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}
/** Programs of this world that are not the app itself. */
const strangers = (): string[] =>
  leftovers(world).filter((line) => !line.includes("nacre.cjs") && !line.includes(path.join(root, "dist")));
const lines = (): string[] => (canaryOf(world) ?? "").split("\n").filter((line) => line !== "");

test("a folder with everything that could run, untrusted, in the window for 5 s: no program, no request (hooks before trust, previews that spawn)", async ({
  browser,
}) => {
  const app = await openApp("browser", world, browser);
  const { page } = app;
  try {
    await expect(page.getByRole("banner", { name: "Untrusted workspace" })).toBeVisible();
    await page.getByRole("button", { name: "See what would run" }).click();
    const review = page.getByRole("dialog", { name: "What this folder would run" });
    await expect(review.getByText("hermit", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    const main = page.getByRole("navigation", { name: "Main" });
    await main.getByRole("link", { name: "Settings" }).click();
    const tabs = page.getByRole("tab");
    await expect(tabs.first()).toBeVisible();
    for (let index = 0; index < (await tabs.count()); index++) {
      await tabs.nth(index).click();
      await expect(tabs.nth(index)).toHaveAttribute("aria-selected", "true");
    }
    await main.getByRole("link", { name: "Marketplace" }).click();
    await main.getByRole("link", { name: "Chat" }).click();
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("go");
    await box.press("Enter");
    await expect(page.getByRole("log", { name: "Conversation" }).getByText("The end.")).toBeVisible();
    await page.waitForTimeout(5_000);
    expect([lines(), asked, strangers()]).toEqual([[], [], []]);
  } finally {
    await app.close();
  }
  expect([lines(), asked, strangers()]).toEqual([[], [], []]);
});

test("the same by the command line, and once it is trusted all of it starts: the canary can fail", async () => {
  for (const args of [
    ["run", "go", "--wait", "5", "--output", "json"],
    ["run", "go", "--agent", "eager", "--wait", "1"],
    ["plugins", "list", "--json", "--wait", "2"],
    ["mcp", "list", "--json", "--wait", "2"],
    ["tools", "list", "--json", "--wait", "2"],
    ["skills", "show", "helper"],
    ["doctor", "--json"],
  ]) {
    const { code, stderr } = await nacre(...args);
    expect(code, `${args.join(" ")}: ${stderr}`).toBe(0);
  }
  expect([lines(), asked, strangers()]).toEqual([[], [], []]);

  const trusted = await nacre("plugins", "trust", "--json");
  expect([trusted.code, lines(), asked]).toEqual([0, [], []]);
  expect(JSON.parse(trusted.stdout)).toEqual({ trusted: true, workspace: world.workspace });
  const { stdout } = await nacre("run", "go", "--wait", "10", "--output", "json");
  expect(JSON.parse(stdout)).toMatchObject({ text: "The end." });
  for (const mark of [...hostile.servers, ...hostile.tools.map((name) => name.replace("_", " "))])
    expect(lines(), mark).toContain(mark);
  for (const name of ["hermit", "kairox", "codex", "claude", "project", "own"])
    expect(
      asked.some((url) => url.startsWith(`/${name}`)),
      name,
    ).toBe(true);
  expect(asked.some((url) => url.startsWith("/agents"))).toBe(false);
  expect(lines().filter((line) => /moved|dropstone|role server|npm|agents/.test(line))).toEqual([]);
  await expect.poll(strangers).toEqual([]);
});

test("plugins trust again shows what has changed, and a settings file that cannot be used fails", async () => {
  expect((await nacre("plugins", "trust")).code).toBe(0);
  writeFileSync(
    path.join(world.workspace, ".mcp.json"),
    JSON.stringify({ mcpServers: { project: { command: "sh", args: ["-c", "evil\u202E"] } } }),
  );
  const again = await nacre("plugins", "trust");
  expect(again.code).toBe(0);
  expect(again.stderr).toContain("trusting mcp project");
  expect(again.stderr).toContain("changed: command");
  expect(again.stderr).toContain('+ ["-c","evil⟨U+202E⟩"]');
  expect(again.stderr).not.toContain("trusting plugin hermit");
  expect((await nacre("plugins", "untrust")).code).toBe(0);
  writeFileSync(path.join(world.config, "settings.json"), `{"x": "${"y".repeat(5 * 1024 * 1024)}"}`);
  const failed = await nacre("plugins", "trust", "--json");
  expect([failed.code, failed.stdout]).toEqual([1, ""]);
  expect(failed.stderr).toContain("settings.json");
});
