import { beforeEach, expect, test, vi } from "vitest";
import { openLink } from "./open-link.ts";

const opened = vi.hoisted(() => [] as string[]);
// The package itself would fetch Electron's executable.
vi.mock("electron", () => ({
  shell: {
    openExternal: (url: string) => {
      opened.push(url);
      return Promise.resolve();
    },
  },
}));
beforeEach(() => opened.splice(0));

test.each([
  "file:///etc/passwd",
  "FiLe:///etc/passwd",
  "smb://host/share",
  "ms-msdt:/id",
  "javascript:alert(1)",
  "data:text/html,x",
  "\\\\host\\share",
  "vscode://x",
  "calculator:",
  " https://example.com",
  "\tcalculator:",
  "java\tscript:alert(1)",
])("%j is refused and nothing is opened", async (url) => {
  await expect(openLink(url)).rejects.toMatchObject({ code: "denied" });
  expect(opened).toEqual([]);
});
test("a web page and a mail address are opened", async () => {
  await openLink("https://example.com/a");
  await openLink("mailto:someone@example.com");
  expect(opened).toEqual(["https://example.com/a", "mailto:someone@example.com"]);
});
