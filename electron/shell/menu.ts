import type { MenuItemConstructorOptions } from "electron";

/** Texts of the menu bar that Electron's roles do not bring. */
const labels = {
  en: { file: "File", open: "Open Folder…", edit: "Edit", view: "View", window: "Window" },
  zh: { file: "文件", open: "打开文件夹…", edit: "编辑", view: "视图", window: "窗口" },
} as const;

export interface MenuOptions {
  readonly platform: NodeJS.Platform;
  /** As `app.getLocale()` gives it: `zh-CN`. */
  readonly locale: string;
  readonly onOpenFolder: () => void;
}

/** The menu bar: what every editor has, by Electron's own roles, and Open Folder. */
export function menuTemplate({ platform, locale, onOpenFolder }: MenuOptions): MenuItemConstructorOptions[] {
  const words = labels[locale.startsWith("zh") ? "zh" : "en"];
  const isMac = platform === "darwin";
  return [
    ...(isMac ? [{ role: "appMenu" } as const] : []),
    {
      label: words.file,
      submenu: [
        { label: words.open, accelerator: "CmdOrCtrl+O", click: onOpenFolder },
        { type: "separator" },
        { role: isMac ? "close" : "quit" },
      ],
    },
    { label: words.edit, role: "editMenu" },
    {
      label: words.view,
      submenu: [
        { role: "reload" },
        { role: "toggleDevTools" },
        { type: "separator" },
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        { type: "separator" },
        { role: "togglefullscreen" },
      ],
    },
    { label: words.window, role: "windowMenu" },
  ];
}
