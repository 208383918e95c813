import { expect, test } from "vitest";
import { openExternally, opener } from "./open-externally.ts";

const link = "https://example.com/?a=1&b=2";

test("each system has its program, and the link is one argument", () => {
  expect(opener(link, {}, "darwin")).toEqual({ command: "open", args: [link] });
  expect(opener(link, {}, "win32")?.args).toEqual(["url.dll,FileProtocolHandler", link]);
  expect(opener(link, { DISPLAY: ":0" }, "linux")).toEqual({ command: "xdg-open", args: [link] });
  expect(opener(link, { WAYLAND_DISPLAY: "wayland-0" }, "linux")?.command).toBe("xdg-open");
});
test.each([
  ["no display", {}, "linux"],
  ["CI", { CI: "1", DISPLAY: ":0" }, "linux"],
  ["ssh", { SSH_CONNECTION: "1 2 3 4", DISPLAY: ":0" }, "linux"],
  ["CI on a Mac", { CI: "true" }, "darwin"],
] as const)("nothing is opened with %s", async (_name, env, platform) => {
  expect(opener(link, env, platform)).toBeUndefined();
  expect(await openExternally(link, env, platform)).toBe(false);
});
test("other schemes are refused before anything is looked for", async () => {
  await expect(openExternally("file:///etc/passwd", { CI: "1" })).rejects.toMatchObject({ code: "denied" });
});
test("a missing program is no failure", async () => {
  expect(await openExternally(link, { DISPLAY: ":0", PATH: "/nonexistent" }, "linux")).toBe(false);
});
