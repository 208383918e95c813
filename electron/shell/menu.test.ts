import { expect, test } from "vitest";
import { menuTemplate } from "./menu.ts";

const template = (platform: NodeJS.Platform, locale: string, onOpenFolder = (): void => undefined) =>
  menuTemplate({ platform, locale, onOpenFolder });
const labels = (platform: NodeJS.Platform, locale: string): (string | undefined)[] =>
  template(platform, locale).map(({ label, role }) => label ?? role);

test("the menu bar speaks the system's language, and a Mac has its own menu", () => {
  expect(labels("linux", "en-GB")).toEqual(["File", "Edit", "View", "Window"]);
  expect(labels("darwin", "en-US")).toEqual(["appMenu", "File", "Edit", "View", "Window"]);
  expect(labels("win32", "zh-CN")).toEqual(["文件", "编辑", "视图", "窗口"]);
  expect(labels("linux", "de")[0]).toBe("File");
});
test("Open Folder has its key and calls back", () => {
  let asked = 0;
  const [file] = template("linux", "en", () => (asked += 1));
  const items = Array.isArray(file?.submenu) ? file.submenu : [];
  const open = items.find(({ accelerator }) => accelerator === "CmdOrCtrl+O");
  expect(open?.label).toBe("Open Folder…");
  Reflect.apply(open?.click ?? (() => undefined), undefined, []);
  expect(asked).toBe(1);
});
