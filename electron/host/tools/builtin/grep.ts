import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../../shared/errors.ts";
import { isInside } from "../../kit/files.ts";
import { isSecretName } from "../../kit/path-names.ts";
import type { Tool, ToolRun } from "../types.ts";
import { builtin, done, flagArgument, numberArgument, objectSchema, textArgument } from "./arguments.ts";
import { openFile, withFolder } from "./checked-files.ts";
import { FoundLines } from "./found-lines.ts";
import { decidedPath, shownPath } from "./paths.ts";
import { ripgrep, visibleFiles, withoutPrefix } from "./ripgrep.ts";

const defaultMatches = 200;
const longestLine = 1_000;
type Input = Readonly<Record<string, unknown>>;

export interface GrepOptions {
  readonly environment: () => NodeJS.ProcessEnv;
  /** Real paths of folders that are never searched unless the search begins in them (`~/.ssh`, `<config>`). */
  readonly secretFolders: () => readonly string[];
}

/** `grep`: finds lines by a regular expression. */
export const grepTool = (options: GrepOptions): Tool =>
  builtin({
    name: "grep",
    description:
      "Finds lines in files by a regular expression (Rust syntax), grouped by file with line numbers. " +
      "Files that .gitignore hides and binary files are left out; so are .env and key files unless path names one.",
    perm: "read",
    inputSchema: objectSchema(
      {
        pattern: { type: "string", minLength: 1, description: "The regular expression" },
        path: { type: "string", description: "A file or folder to search; absent: the workspace" },
        glob: { type: "string", maxLength: 1_000, description: "Only files that fit, e.g. *.ts or src/**" },
        ignore_case: { type: "boolean", description: "Take capitals and small letters for the same" },
        context: {
          type: "integer",
          minimum: 0,
          maximum: 10,
          description: "Lines to show around each; 0 when absent",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 2_000,
          description: `How many matching lines; ${defaultMatches} when absent`,
        },
      },
      ["pattern"],
    ),
    touches: (input) => ({ reads: [rootOf(input)] }),
    async run(input, run) {
      const shown = rootOf(input);
      const real = decidedPath(run, shown);
      const found = (await isFolder(real))
        ? await withFolder(real, { shown }, (cwd) => inFolder(cwd, real, input, options, run))
        : await inFile(real, shown, input, options, run);
      return done(found.text(numberArgument(input, "limit", defaultMatches)));
    },
  });

const rootOf = (input: Input): string => textArgument(input, "path", ".") || ".";
const isFolder = async (real: string): Promise<boolean> =>
  (await fs.promises.lstat(real).catch(() => undefined))?.isDirectory() === true;

const argumentsFor = (input: Input): string[] => [
  "--null",
  "--with-filename",
  "--no-heading",
  "--line-number",
  `--max-columns=${longestLine}`,
  "--max-columns-preview",
  `--context=${numberArgument(input, "context", 0)}`,
  ...(flagArgument(input, "ignore_case") ? ["--ignore-case"] : []),
  `--regexp=${textArgument(input, "pattern")}`,
];

async function inFolder(
  cwd: string,
  real: string,
  input: Input,
  options: GrepOptions,
  run: ToolRun,
): Promise<FoundLines> {
  const glob = textArgument(input, "glob", "");
  const at = { cwd, env: options.environment() };
  // A glob brings ignored files back: the plain list says which ones may be shown.
  const visible = glob === "" ? undefined : visibleFiles(undefined, at, run.signal);
  const folders = options.secretFolders().filter((folder) => !isInside(folder, real));
  const isSecret = (file: string): boolean =>
    isSecretName(path.basename(file)) || folders.some((folder) => isInside(folder, path.join(real, file)));
  const found = new FoundLines((file) => shownPath(run.workspace, path.join(real, file)), isSecret);
  const globs = [...(glob === "" ? [] : [`--glob=${glob}`]), "--glob=!.git"];
  const [end, list] = await Promise.all([
    ripgrep([...argumentsFor(input), ...globs, "--", "."], at, (line) => found.take(line), run.signal),
    visible,
  ]);
  check(end, found);
  if (list) found.keepOnly(list);
  return found;
}

async function inFile(
  real: string,
  shown: string,
  input: Input,
  options: GrepOptions,
  run: ToolRun,
): Promise<FoundLines> {
  const file = await openFile(real, shown);
  try {
    const found = new FoundLines(
      () => shownPath(run.workspace, real),
      () => false,
    );
    const args = [...argumentsFor(input), "--", file.path];
    const at = { cwd: run.workspace, env: options.environment() };
    check(await ripgrep(args, at, (line) => found.take(line), run.signal), found);
    return found;
  } finally {
    await file.handle.close();
  }
}

/** Exit code 2 with results means that single files could not be read; without any, that the search itself failed. */
function check(end: { code: number | null; errorText: string }, found: FoundLines): void {
  if (end.code === 2 && found.isEmpty && end.errorText !== "")
    throw new NacreError("invalid_input", withoutPrefix(end.errorText));
}
