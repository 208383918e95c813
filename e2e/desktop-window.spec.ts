import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { launch, type AppUnderTest } from "./electron-stand-in/launch.ts";
import type { Recorded } from "./electron-stand-in/record.ts";
import { createWorld, type World } from "./support/world.ts";

let world: World;
let app: AppUnderTest;
let page: Page;
test.beforeAll(async () => {
  world = await createWorld({ steps: [] });
  app = await launch({ args: [world.workspace], env: world.env });
  page = await app.firstWindow();
});
test.afterAll(async () => {
  await app.close();
  await world.stop();
});

/** All windows but the first. */
async function closeOthers(): Promise<void> {
  for (const other of app.windows().filter((one) => one !== page)) await other.close();
  await expect.poll(() => app.windows()).toEqual([page]);
}

interface Answer {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly error?: { readonly code: string };
}
/** Calls the host as any script in the page could. */
const call = (method: string, input: object): Promise<Answer> =>
  page.evaluate(
    ([name, value]) =>
      new Promise<Answer>((resolve) => {
        interface Bridge {
          send(message: unknown): void;
          onMessage(listener: (message: unknown) => void): () => void;
        }
        const bridge = Reflect.get(window, "nacre") as Bridge;
        const id = Math.random();
        const stop = bridge.onMessage((message) => {
          const answer = message as { id?: number; result: Answer };
          if (answer.id !== id) return;
          stop();
          resolve(answer.result);
        });
        bridge.send({ id, method: name, input: value });
      }),
    [method, input] as const,
  );
/** What the stand-in would have handed to the system; real Electron hands it over. */
const recorded = (): Promise<readonly Recorded[]> =>
  app.evaluate((electron) => (Reflect.get(electron, "standIn") as { calls(): readonly Recorded[] }).calls());

test("a page has one object, and nothing of Node or Electron", async () => {
  const seen = await page.evaluate(() => ({
    bridge: Object.keys(Reflect.get(window, "nacre") as object).sort(),
    others: ["require", "process", "module", "global", "Buffer", "ipcRenderer"].filter(
      (name) => name in window,
    ),
  }));
  expect(seen).toEqual({ bridge: ["onMessage", "send"], others: [] });
  expect(await call("app.doctor", {})).toMatchObject({ ok: true });
  expect(await call("app.nothing", {})).toMatchObject({ ok: false, error: { code: "unknown_method" } });
});
test("text never becomes code, and nothing but the app is loaded", async () => {
  const result = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    document.body.append(script);
    const frame = document.createElement("iframe");
    frame.src = "https://example.com/frame";
    document.body.append(frame);
    const image = document.createElement("img");
    const imageFails = new Promise((resolve) => image.addEventListener("error", () => resolve("refused")));
    image.src = "https://example.com/leak?secret";
    document.body.append(image);
    return {
      injected: "injected" in window,
      fetched: await fetch("https://example.com/").then(
        () => "loaded",
        () => "refused",
      ),
      image: await imageFails,
    };
  });
  expect(result).toEqual({ injected: false, fetched: "refused", image: "refused" });
  if (!app.real) {
    const reached = (await recorded()).filter(({ api }) => api === "network.refused");
    expect(reached).toEqual([]);
  }
});
test("the window goes nowhere else and opens no other", async () => {
  const address = page.url();
  await page.evaluate(() => {
    window.open("https://example.com/window");
    for (const href of ["https://example.com/link", "calculator://x", "file:///etc/passwd"]) {
      const link = document.createElement("a");
      link.href = href;
      link.target = href.startsWith("https") ? "_blank" : "_self";
      document.body.append(link);
      link.click();
    }
    location.href = "https://example.com/navigation";
  });
  await page.waitForTimeout(300);
  expect(page.url()).toBe(address);
  const verdicts = async () =>
    (await recorded()).filter(({ api }) => api === "window.open").map(({ args }) => args[1]);
  // The stand-in asks the app about a window that is there, and closes it then: that takes its time.
  if (!app.real) await expect.poll(verdicts).toHaveLength(2);
  await expect.poll(() => app.windows().length).toBe(1);
  expect(await call("app.doctor", {})).toMatchObject({ ok: true });
  if (app.real) return;
  // The app's own handlers said no; the stand-in would not have let anything through either way.
  const calls = await recorded();
  expect(new Set(await verdicts())).toEqual(new Set(["deny"]));
  const asked = calls.filter(({ api }) => api === "network.refused").map(({ args }) => args[0]);
  expect(asked).not.toContain("https://example.com/navigation");
  expect(calls.filter(({ api }) => api === "shell.openExternal")).toEqual([]);
});
test("links leave the app by one door", async () => {
  for (const url of ["calculator:", "file:///etc/passwd", "javascript:alert(1)", " https://example.com"])
    expect(await call("app.openLink", { url })).toMatchObject({ ok: false, error: { code: "denied" } });
  test.skip(app.real, "would open the tester's browser");
  expect(await call("app.openLink", { url: "https://example.com/a" })).toMatchObject({ ok: true });
  expect((await recorded()).filter(({ api }) => api === "shell.openExternal")).toEqual([
    { api: "shell.openExternal", args: ["https://example.com/a"] },
  ]);
});
test("a listed skill's file is opened by the system, and nothing else that a page names", async () => {
  const file = path.join(world.workspace, ".agent/skills/release-notes/SKILL.md");
  for (const id of [file, "file:///etc/passwd", "skill:project-nacre/../../x"])
    expect(await call("skills.reveal", { id, what: "file" })).toMatchObject({
      ok: false,
      error: { code: "not_found" },
    });
  test.skip(app.real, "would open the tester's editor");
  const id = "skill:project-nacre/release-notes";
  for (const what of ["file", "folder"])
    expect(await call("skills.reveal", { id, what })).toMatchObject({ ok: true });
  const calls = await recorded();
  expect(calls.filter(({ api }) => ["shell.openPath", "shell.showItemInFolder"].includes(api))).toEqual([
    { api: "shell.openPath", args: [file] },
    { api: "shell.showItemInFolder", args: [file] },
  ]);
});
test("permissions are refused, all but writing the clipboard", async () => {
  test.skip(app.real, "asks the handlers themselves");
  const verdicts = await app.evaluate(async (electron) => {
    type Ask = (name: string, contents: unknown) => Promise<boolean>;
    const { askPermission } = Reflect.get(electron, "standIn") as { askPermission: Ask };
    const contents = electron.BrowserWindow.getAllWindows()[0]?.webContents;
    const names = ["media", "geolocation", "notifications", "openExternal", "clipboard-read", "hid"];
    const granted = await Promise.all(names.map((name) => askPermission(name, contents)));
    return { granted, copy: await askPermission("clipboard-sanitized-write", contents) };
  });
  expect(verdicts).toEqual({ granted: [false, false, false, false, false, false], copy: true });
});
test("another folder opens in a window of its own, the same folder in the one that has it", async () => {
  const other = path.join(world.folder, "other");
  mkdirSync(other);
  expect(await call("app.openFolder", { path: other })).toMatchObject({ ok: true, value: { reload: false } });
  await expect.poll(() => app.windows().length).toBe(2);
  expect(await call("app.openFolder", { path: world.workspace })).toMatchObject({ ok: true });
  expect(app.windows()).toHaveLength(2);
  expect(await call("app.openFolder", { path: path.join(world.folder, "none") })).toMatchObject({
    ok: false,
    error: { code: "not_found" },
  });
  await closeOthers();
});
test("the menu opens a folder, by the system's dialog", async () => {
  const other = path.join(world.folder, "chosen");
  mkdirSync(other);
  await app.evaluate(({ dialog, Menu }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] });
    const items = Menu.getApplicationMenu()?.items.flatMap((item) => {
      const { submenu } = item;
      return Array.isArray(submenu) ? (submenu as typeof submenu.items) : (submenu?.items ?? []);
    });
    items?.find(({ accelerator }) => accelerator === "CmdOrCtrl+O")?.click();
  }, other);
  await expect.poll(() => app.windows().length).toBe(2);
  await closeOthers();
});
test("a page that is loaded again speaks to the host again", async () => {
  await page.reload();
  expect(await call("app.doctor", {})).toMatchObject({ ok: true });
});
test("closing the last window ends the app", async () => {
  const ended = new Promise((resolve) => app.process().once("exit", resolve));
  await page.close();
  expect(await ended).toBe(0);
});
