import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { electronBinary, fetchElectron } from "./electron-binary.mjs";

const name =
  { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" }[process.platform as string] ??
  "electron";
let folder: string;
const write = (file: string, text: string): string => {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
};
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "nacre-electron-"));
  write("package.json", '{"version":"45.5.0"}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("without an unpacked executable there is none", () => {
  expect(electronBinary({}, folder)).toBeUndefined();
});
test("the executable of the package's own version counts", () => {
  const file = write(`dist/${name}`, "");
  expect(electronBinary({}, folder)).toBeUndefined();
  write("dist/version", "v45.5.0\n");
  expect(electronBinary({}, folder)).toBe(file);
  write("dist/version", "44.0.0");
  expect(electronBinary({}, folder)).toBeUndefined();
});
test("ELECTRON_OVERRIDE_DIST_PATH decides alone", () => {
  write(`dist/${name}`, "");
  write("dist/version", "45.5.0");
  expect(electronBinary({ ELECTRON_OVERRIDE_DIST_PATH: path.join(folder, "none") }, folder)).toBeUndefined();
  const own = write(`own/${name}`, "");
  expect(electronBinary({ ELECTRON_OVERRIDE_DIST_PATH: path.join(folder, "own") }, folder)).toBe(own);
});
test("nothing is fetched with CI, and a mirror that refuses is named", async () => {
  expect(await fetchElectron({ CI: "1" })).toBe("CI is set");
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  expect(await fetchElectron({ ELECTRON_MIRROR: `http://127.0.0.1:${port}` })).toBe(
    `127.0.0.1:${port} does not answer (ECONNREFUSED)`,
  );
  expect(await fetchElectron({ ELECTRON_MIRROR: "nonsense" })).toBe("ELECTRON_MIRROR is no URL: nonsense");
});
