import * as crossSpawnEscape from "cross-spawn/lib/util/escape.js";
import { describe, expect, it, test } from "vitest";
import { findProgram, parseNodeShim, windowsCommand, type WindowsFiles } from "./windows-command.ts";

const newShim = String.raw`@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\mcp-remote\dist\proxy.js" %*
`;
const oldShim = String.raw`@IF EXIST "%~dp0\node.exe" (
  "%~dp0\node.exe"  --no-warnings "%~dp0\..\tool\cli.js" %*
) ELSE (
  @SETLOCAL
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  --no-warnings "%~dp0\..\tool\cli.js" %*
)`;
const npx = String.raw`:: Created by npm, please don't edit manually.
@ECHO OFF
SETLOCAL
SET "NODE_EXE=%~dp0\node.exe"
IF NOT EXIST "%NODE_EXE%" (
  SET "NODE_EXE=node"
)
SET "NPM_PREFIX_JS=%~dp0\node_modules\npm\bin\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\node_modules\npm\bin\npx-cli.js"
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (
  SET "NPM_PREFIX_NPX_CLI_JS=%%F\node_modules\npm\bin\npx-cli.js"
)
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (
  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"
)
"%NODE_EXE%" "%NPX_CLI_JS%" %*
`;
const contents: Record<string, string> = {
  "C:\\node\\node.exe": "",
  "C:\\node\\npx.cmd": npx,
  "C:\\node\\node_modules\\npm\\bin\\npx-cli.js": "",
  "C:\\npm\\mcp-remote.cmd": newShim,
  "C:\\npm\\node_modules\\mcp-remote\\dist\\proxy.js": "",
  "C:\\npm\\gone.cmd": newShim.replace("mcp-remote", "gone"),
  "C:\\bin\\own.cmd": "@echo off\r\necho %*\r\n",
  "C:\\bin\\own.bat": "@echo off\r\n",
  "C:\\bin\\tool.exe": "",
  "C:\\work\\here.exe": "",
};
const files: WindowsFiles = {
  isFile: (file) => Object.hasOwn(contents, file),
  read: (file) => contents[file] ?? "",
};
const env = {
  Path: 'C:\\node;"C:\\npm";C:\\bin;relative',
  PATHEXT: ".COM;.EXE;.BAT;.CMD",
  ComSpec: "C:\\cmd.exe",
};
const start = (command: string, ...args: string[]) =>
  windowsCommand({ command, args, cwd: "C:\\work", env }, crossSpawnEscape, files);
/** What reached cmd.exe or a URL handler in the cases FastMCP and mcp-remote, and every other character that cmd reads. */
const nasty = [
  "a & calc",
  "x | y > z < w",
  "^caret^",
  "%PATH%",
  "!bang!",
  'quo"te" & calc',
  '\\" & calc',
  "back\\slash\\",
  "(a) , ; = `",
  "",
  "with space",
  "中文",
];

test("FastMCP, mcp-remote: a shim of npm is run as Node with its script, every argument unchanged, no shell", () => {
  for (const text of [...nasty, "line\r\nbreak"]) {
    expect(start("mcp-remote", text)).toEqual({
      command: "C:\\node\\node.exe",
      args: ["C:\\npm\\node_modules\\mcp-remote\\dist\\proxy.js", text],
      verbatim: false,
    });
    expect(start("npx", "-y", text)).toEqual({
      command: "C:\\node\\node.exe",
      args: ["C:\\node\\node_modules\\npm\\bin\\npx-cli.js", "-y", text],
      verbatim: false,
    });
    expect(start("tool", text)).toEqual({ command: "C:\\bin\\tool.exe", args: [text], verbatim: false });
  }
});
test("FastMCP: what goes through cmd.exe is unchanged after both readings, and starts nothing else", () => {
  for (const one of nasty) {
    const { command, args, verbatim } = start("own.cmd", one, "last");
    expect([command, verbatim, args.slice(0, 3)]).toEqual(["C:\\cmd.exe", true, ["/d", "/s", "/c"]]);
    const line = (args[3] ?? "").slice(1, -1);
    const once = readByCmd(line);
    const [file = "", ...rest] = splitWords(once);
    expect(file).toBe("C:\\bin\\own.cmd");
    expect(splitArguments(readByCmd(rest.join(" ")))).toEqual([one, "last"]);
  }
});
test("a shim whose script is gone goes through cmd.exe, as does a batch file", () => {
  expect(start("gone", "a").args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
  expect(start("C:\\bin\\own.bat").command).toBe("C:\\cmd.exe");
});
test("a line break that only cmd.exe could pass on is refused in plain words", () => {
  expect(() => start("own.cmd", "a\nb")).toThrow(/own\.cmd: no line break reaches/);
});

describe("a program on Windows", () => {
  const find = (command: string) => findProgram({ command, cwd: "C:\\work", env }, files);
  it("is found by PATH and PATHEXT, whatever case their names have", () => {
    expect(find("node")).toBe("C:\\node\\node.exe");
    expect(find("own")).toBe("C:\\bin\\own.bat");
    expect(find("own.cmd")).toBe("C:\\bin\\own.cmd");
    expect(find(".\\here.exe")).toBe("C:\\work\\here.exe");
    expect(find("..\\bin\\tool")).toBe("C:\\bin\\tool.exe");
  });
  it("is never taken from the current folder by its bare name", () => {
    expect(find("here")).toBeUndefined();
  });
  it("that is not there stays as it is, for the system to say so", () => {
    expect(start("no-such", "a")).toEqual({ command: "no-such", args: ["a"], verbatim: false });
  });
});
describe("a shim", () => {
  it("of each form is read", () => {
    expect(parseNodeShim(newShim)).toEqual({ flags: [], script: "node_modules\\mcp-remote\\dist\\proxy.js" });
    expect(parseNodeShim(oldShim)).toEqual({ flags: ["--no-warnings"], script: "..\\tool\\cli.js" });
    expect(parseNodeShim(npx)).toEqual({ flags: [], script: "node_modules\\npm\\bin\\npx-cli.js" });
  });
  it("that runs something else, or sets variables, is none", () => {
    expect(
      parseNodeShim(newShim.replace('"_prog=node"', '"_prog=python"').replaceAll("node.exe", "python.exe")),
    ).toBeUndefined();
    expect(parseNodeShim(`@SET NODE_PATH=C:\\x\n${newShim}`)).toBeUndefined();
    expect(parseNodeShim("@echo off\necho %*")).toBeUndefined();
  });
});

/** One reading of a line by cmd.exe: a caret takes the next character as it is, quotes keep carets. Throws where something would run. */
function readByCmd(line: string): string {
  let out = "";
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === '"') quoted = !quoted;
    if (quoted || !"^&|<>".includes(character)) out += character;
    else if (character === "^") out += line[++at] ?? "";
    else throw new Error(`${character} is active in ${line}`);
  }
  return out;
}
/** The first word as cmd.exe cuts it, the rest as it stands. */
function splitWords(line: string): string[] {
  const space = line.indexOf(" ");
  return [line.slice(0, space), line.slice(space + 1)];
}
/** As CommandLineToArgvW does. */
function splitArguments(line: string): string[] {
  return [...line.matchAll(/"((?:\\.|[^"\\])*?(?:\\\\)*)"(?: |$)/g)].map(([, text = ""]) =>
    text.replace(/(\\*)(?="|$)/g, (slashes: string) => "\\".repeat(slashes.length >> 1)),
  );
}
