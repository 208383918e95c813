import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";

const { win32 } = path;

/** What Windows is asked to start. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are one command line already (`windowsVerbatimArguments`). */
  readonly verbatim: boolean;
}
export interface WindowsRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}
/** cross-spawn's escaping for cmd.exe. */
export interface CmdEscape {
  command(text: string): string;
  argument(text: string, twice: boolean): string;
}
/** The files that are looked at. */
export interface WindowsFiles {
  isFile(file: string): boolean;
  /** @throws where it cannot be read */
  read(file: string): string;
}
const realFiles: WindowsFiles = {
  isFile: (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  read: (file) => fs.readFileSync(file, "latin1"),
};

/**
 * How a command is started on Windows, without a shell wherever it goes: an executable as it is; a shim that npm made, as
 * `npx.cmd`, as Node with its script; any other `.cmd` or `.bat` by cmd.exe, every character escaped. What is not found
 * stays as it is, for the system to say so.
 * @throws NacreError `invalid_input` for a line break in an argument that only cmd.exe could pass on: it would end there
 */
export function windowsCommand(
  request: WindowsRequest,
  escape: CmdEscape,
  files: WindowsFiles = realFiles,
): WindowsCommand {
  const { args } = request;
  const file = findProgram(request, files);
  if (file === undefined) return { command: request.command, args, verbatim: false };
  if (!/\.(cmd|bat)$/i.test(file)) return { command: file, args, verbatim: false };
  const shim = parseNodeShim(files.read(file));
  const script = shim && win32.join(win32.dirname(file), shim.script);
  const node = shim && nodeFor(file, request, files);
  if (shim && script !== undefined && node !== undefined && files.isFile(script))
    return { command: node, args: [...shim.flags, script, ...args], verbatim: false };
  return throughCmd(file, request, escape);
}

/** A batch file reads its arguments a second time, so each is escaped twice. */
function throughCmd(file: string, { args, env }: WindowsRequest, escape: CmdEscape): WindowsCommand {
  if ([file, ...args].some((text) => /[\r\n]/.test(text)))
    throw new NacreError(
      "invalid_input",
      `cannot start ${file}: no line break reaches a .cmd or .bat file; give the program that it runs instead`,
    );
  const line = [escape.command(file), ...args.map((text) => escape.argument(text, true))].join(" ");
  const command = variable(env, "COMSPEC") ?? "cmd.exe";
  return { command, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/** The file that a name means: as Windows looks for it, by PATH and PATHEXT, but never in the current folder. */
export function findProgram(
  { command, cwd, env }: Omit<WindowsRequest, "args">,
  files: WindowsFiles,
): string | undefined {
  const endings = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD")
    .split(";")
    .map((ending) => ending.trim())
    .filter((ending) => ending.startsWith("."));
  const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
  const names = [...(hasEnding ? [command] : []), ...endings.map((ending) => command + ending.toLowerCase())];
  const folders = /[/\\]/.test(command)
    ? [""]
    : (variable(env, "PATH") ?? "")
        .split(";")
        .map((folder) => folder.replace(/^"(.*)"$/, "$1"))
        .filter((folder) => win32.isAbsolute(folder));
  for (const folder of folders)
    for (const name of names) {
      const file = win32.resolve(cwd, folder, name);
      if (files.isFile(file)) return file;
    }
  return undefined;
}
/** Windows knows a variable by its name in any case. */
function variable(env: Readonly<NodeJS.ProcessEnv>, name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}
/** The Node beside the shim, as the shim itself prefers, or the one on PATH. */
function nodeFor(shim: string, request: WindowsRequest, files: WindowsFiles): string | undefined {
  const beside = win32.join(win32.dirname(shim), "node.exe");
  return files.isFile(beside) ? beside : findProgram({ ...request, command: "node" }, files);
}

/** What an npm shim runs: Node with flags and a script, its path from the shim's folder. */
export interface NodeShim {
  readonly flags: readonly string[];
  readonly script: string;
}
/**
 * Reads a shim that npm's cmd-shim wrote, old and new form, or one of npm's own (`npm.cmd`, `npx.cmd`). Undefined for
 * every other batch file, and for one that sets variables for its program (as pnpm's do).
 */
export function parseNodeShim(text: string): NodeShim | undefined {
  if (/\bNODE_PATH\b/i.test(text)) return undefined;
  // npm's own: SET "NPX_CLI_JS=%~dp0\node_modules\npm\bin\npx-cli.js" … "%NODE_EXE%" "%NPX_CLI_JS%" %*
  const own = /^\s*"%NODE_EXE%"\s+"%(NP[MX]_CLI_JS)%"\s+%\*\s*$/im.exec(text)?.[1];
  if (own !== undefined) {
    const script = new RegExp(`^\\s*SET\\s+"${own}=%~dp0\\\\?([^"%]+)"`, "im").exec(text)?.[1];
    return script === undefined ? undefined : { flags: [], script };
  }
  const run =
    /(?:"%_prog%"|"%~dp0\\node\.exe"|\bnode)\s+((?:-[^\s"]+\s+)*)"%(?:~dp0|dp0%)\\?([^"%]+)"\s+%\*\s*$/im.exec(
      text,
    );
  if (!run || !/_prog=node\b|node\.exe|\bnode\s/i.test(text)) return undefined;
  const [, flags = "", script = ""] = run;
  return { flags: flags.split(/\s+/).filter((flag) => flag !== ""), script };
}
