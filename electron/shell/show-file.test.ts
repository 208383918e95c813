import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showFile } from "./show-file.ts";

const calls = vi.hoisted(() => [] as string[][]);
// The package itself would fetch Electron's executable.
vi.mock("electron", () => ({
  shell: {
    openPath: (file: string) => {
      calls.push(["open", file]);
      return Promise.resolve(file.includes("refused") ? "no program for it" : "");
    },
    showItemInFolder: (file: string) => void calls.push(["show", file]),
  },
}));
let top: string;
beforeEach(() => {
  calls.splice(0);
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-show-")));
});
afterEach(() => fs.rmSync(top, { recursive: true }));
const write = (name: string, mode = 0o644): string => {
  const file = path.join(top, name);
  fs.writeFileSync(file, "text", { mode });
  return file;
};

test("a Markdown file is opened by its real path, its folder is shown", async () => {
  const file = write("SKILL.md");
  fs.symlinkSync(file, path.join(top, "link.md"));
  await showFile(file, "file");
  await showFile(path.join(top, "link.md"), "file");
  await showFile(file, "folder");
  expect(calls).toEqual([
    ["open", file],
    ["open", file],
    ["show", file],
  ]);
});
test.each(["run.exe", "run.bat", "page.html", "SKILL.md.command", "x.desktop"])(
  "what the system might run is not opened, also behind a link that looks like Markdown: %s",
  async (name) => {
    fs.symlinkSync(write(name), path.join(top, "SKILL.md"));
    await expect(showFile(path.join(top, "SKILL.md"), "file")).rejects.toMatchObject({ code: "denied" });
    expect(calls).toEqual([]);
  },
);
test("a folder of that name, and on macOS a file that is marked executable, is not opened", async () => {
  fs.mkdirSync(path.join(top, "App.md"));
  await expect(showFile(path.join(top, "App.md"), "file")).rejects.toMatchObject({ code: "denied" });
  const file = write("SKILL.md", 0o755);
  await expect(showFile(file, "file", "darwin")).rejects.toMatchObject({ code: "denied" });
  expect(calls).toEqual([]);
});
test("a system that opens nothing says why", async () => {
  await expect(showFile(write("refused.md"), "file")).rejects.toMatchObject({
    code: "io",
    message: expect.stringContaining("no program for it") as unknown,
  });
});
