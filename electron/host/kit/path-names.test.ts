import { expect, test } from "vitest";
import { comparableName, isDoubtfulOnWindows, isSecretName } from "./path-names.ts";

test.each([
  [".git", ".git"],
  [".GIT", ".git"],
  [".git.", ".git"],
  [".git ", ".git"],
  [".git. . ", ".git"],
  [".git::$INDEX_ALLOCATION", ".git"],
  [".git:stream", ".git"],
  [".g\u200cit", ".git"],
  ["\ufeff.git", ".git"],
  [".gi\u200dt", ".git"],
  [".git\u202e", ".git"],
  [".\u212aairox", ".kairox"],
  [".agent\u017f", ".agents"],
  [".ｇｉｔ", ".git"],
  [".gitignore", ".gitignore"],
  ["git", "git"],
  ["..", ""],
])("%j compares as %j", (name, comparable) => {
  expect(comparableName(name)).toBe(comparable);
});

test.each([
  "C:foo",
  "C:",
  "c:.git\\config",
  "\\\\?\\C:\\Users\\u\\x",
  "\\\\.\\C:\\x",
  "//?/C:/x",
  "\\\\server\\share\\x",
  "//server/share/x",
  "\\\\localhost\\c$\\x",
  "file.txt:stream",
  "a\\file.txt::$DATA",
  ".git::$INDEX_ALLOCATION\\config",
  "C:\\x\\y.txt:z",
  "GIT~1",
  "GIT~1\\config",
  "a/PROGRA~2/x",
  "con",
  "NUL",
  "nul.txt",
  "a\\AUX.c",
  "COM1",
  "com9.log",
  "LPT¹",
  "CONIN$",
  "PRN .txt",
  "a.\\b",
  "a \\b",
  "x.txt.",
  "x.txt ",
  ".git.\\config",
])("Windows reads %j in a way of its own", (file) => {
  expect(isDoubtfulOnWindows(file)).toBe(true);
});
test.each([
  "a.txt",
  "C:\\Users\\u\\a.txt",
  "C:/Users/u/a.txt",
  "..\\a.txt",
  "./a/../b",
  "~/notes.txt",
  "~\\notes.txt",
  "console.ts",
  "null.txt",
  "com10.txt",
  "community",
  "auxiliary.c",
  "a b.txt",
  ".hidden",
  "v1.2.3",
  "backup~",
  "名前.txt",
])("%j says what Windows opens", (file) => {
  expect(isDoubtfulOnWindows(file)).toBe(false);
});

test.each([
  [".env", true],
  [".ENV.Local", true],
  [".env.", true],
  [".env::$DATA", true],
  [".e\u200bnv", true],
  ["server.PEM ", true],
  [".env.example", false],
  ["env", false],
])("%j is secret: %s", (name, secret) => {
  expect(isSecretName(name)).toBe(secret);
});
