import path from "node:path";
import { expect, test } from "vitest";
import { requestedFolder, startFolder } from "./start-folder.ts";

const cwd = path.resolve("/somewhere");
const ask = (argv: string[], isPackaged = false, env = {}): string | undefined =>
  requestedFolder({ argv, isPackaged, cwd, env });

test("an argument names the folder, relative to where it was typed", () => {
  expect(ask(["/electron", "/project", "work"])).toBe(path.join(cwd, "work"));
  expect(ask(["/nacre", "work"], true)).toBe(path.join(cwd, "work"));
});
test("switches are no folders", () => {
  expect(ask(["/electron", "--inspect=0", "--remote-debugging-port=0", "/project", "--x", "work"])).toBe(
    path.join(cwd, "work"),
  );
  expect(ask(["/nacre", "--no-sandbox"], true)).toBeUndefined();
});
test("the environment comes behind the argument", () => {
  expect(ask(["/electron", "/project"], false, { NACRE_WORKSPACE: "/env" })).toBe(path.resolve("/env"));
  expect(ask(["/electron", "/project", "/arg"], false, { NACRE_WORKSPACE: "/env" })).toBe(
    path.resolve("/arg"),
  );
  expect(ask(["/electron", "/project"], false, { NACRE_WORKSPACE: "" })).toBeUndefined();
});
test("without a wish the last folder that is still there, else home", () => {
  const isFolder = (folder: string): boolean => folder === "/still";
  expect(startFolder("/asked", ["/still"], "/home", isFolder)).toBe("/asked");
  expect(startFolder(undefined, ["/gone", "/still"], "/home", isFolder)).toBe("/still");
  expect(startFolder(undefined, ["/gone"], "/home", isFolder)).toBe("/home");
});
