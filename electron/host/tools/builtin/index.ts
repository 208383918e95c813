import type { AppPaths } from "../../config/types.ts";
import { keyFolders } from "../../config/user-folders.ts";
import { realPath } from "../../kit/files.ts";
import type { Sandbox } from "../../policy/sandbox.ts";
import type { BackgroundCommands } from "../background.ts";
import type { Tool } from "../types.ts";
import { type AskUser, askUserTool } from "./ask-user.ts";
import { editFileTool } from "./edit-file.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { listDirTool } from "./list-dir.ts";
import { readFileTool } from "./read-file.ts";
import { runShellTool } from "./run-shell.ts";
import { shellOutputTool } from "./shell-output.ts";
import { shellStopTool } from "./shell-stop.ts";
import { writeFileTool } from "./write-file.ts";

export interface BuiltinDeps {
  /** A child's environment (`childEnvironment`), without the model's keys; asked at each call. */
  environment(): NodeJS.ProcessEnv;
  readonly sandbox: Sandbox;
  readonly background: BackgroundCommands;
  /** The app's one fetch (kit/net.ts), made when first needed. */
  fetch(): typeof globalThis.fetch;
  /** Absent where nobody can answer: then `ask_user` is an error that says so. */
  readonly askUser?: AskUser;
  /** grep shows nothing of `<config>` and of key folders unless the search begins there. */
  readonly paths: Pick<AppPaths, "home" | "config">;
  /** `--tools minimal`: file and shell tools alone. */
  readonly minimal?: boolean;
}

/** The tools that the app brings itself (spec 4). `skill` and `task` belong to their rooms. */
export function builtinTools(deps: BuiltinDeps): Tool[] {
  const environment = (): NodeJS.ProcessEnv => deps.environment();
  const secretFolders = (): string[] =>
    [...keyFolders(deps.paths), deps.paths.config].map((folder) => realPath(folder));
  const own = [
    readFileTool(),
    listDirTool(),
    globTool(environment),
    grepTool({ environment, secretFolders }),
    writeFileTool(),
    editFileTool(),
    runShellTool({ environment, sandbox: deps.sandbox, background: deps.background }),
    shellOutputTool(deps.background),
    shellStopTool(deps.background),
  ];
  return deps.minimal === true ? own : [...own, fetchUrlTool(() => deps.fetch()), askUserTool(deps.askUser)];
}
