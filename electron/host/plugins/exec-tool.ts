import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { leavesNoTraces } from "../kit/environment.ts";
import { isInside, lookAt, realPath } from "../kit/files.ts";
import { run as runProcess, type SpawnSpec } from "../kit/process.ts";
import { isDestructive } from "../policy/destructive.ts";
import type { GuardedConfinement, Sandbox } from "../policy/sandbox.ts";
import { outputLimitBytes, processOutput } from "../tools/process-output.ts";
import type { Tool } from "../tools/types.ts";
import type { ExecToolDeclaration } from "./exec-tool-declaration.ts";
import { pluginVariables, withPluginVariables } from "./variables.ts";

export interface ExecToolOptions {
  readonly plugin: string;
  /** The plugin's folder. */
  readonly folder: string;
  readonly declaration: ExecToolDeclaration;
  /** A child's environment, without the model's keys; asked at each call. */
  readonly environment: () => NodeJS.ProcessEnv;
  readonly sandbox: Sandbox;
  /** Looks once more, right before a start, that what runs is what was approved. @throws NacreError `not_trusted` */
  readonly assertApproved: () => void;
  readonly platform?: NodeJS.Platform;
}

/**
 * A plugin's program as a tool (spec 5, Exec tools): the arguments as one JSON object on standard input, the workspace as
 * folder, standard output and error together as the result.
 */
export function createExecTool(options: ExecToolOptions): Tool {
  const { plugin, folder, declaration, environment, sandbox } = options;
  const { name, description, perm, timeout, inputSchema } = declaration;
  const platform = options.platform ?? process.platform;
  const argv = argumentVector(declaration.command, folder);
  return {
    name,
    title: name,
    description,
    perm,
    origin: { kind: "plugin", owner: plugin },
    inputSchema,
    confinable: perm === "shell",
    keepsNetwork: true,
    touches: () => ({ argv, destructive: perm === "shell" && isDestructive(argv.join(" ")) }),
    async run(input, run) {
      if (typeof declaration.command === "string" && platform === "win32")
        throw new NacreError(
          "unavailable",
          `${name} of the plugin ${plugin} is a shell command and needs a POSIX shell; its author can give the command as a list`,
        );
      const [command = "", ...args] = argv;
      const variables = {
        PLUGIN_DIR: folder,
        WORKSPACE: run.workspace,
        TOOL: name,
      };
      const spec: SpawnSpec = {
        command,
        args,
        cwd: run.workspace,
        env: {
          ...environment(),
          ...leavesNoTraces,
          ...pluginVariables(folder),
          ...prefixed("NACRE_", variables),
          ...prefixed("CST_", variables),
        },
      };
      const confinement: GuardedConfinement | null = run.confinement && {
        ...run.confinement,
        // A plugin of the user's lies under `<config>`, which is empty in a sandbox.
        readableRoots: [...(run.confinement.readableRoots ?? []), realPath(folder)],
      };
      const started = confinement ? await sandbox.wrap(spec, confinement) : spec;
      // Nothing is awaited between this look and the start of what was looked at.
      options.assertApproved();
      const result = await runProcess(
        started,
        {
          input: JSON.stringify(input),
          limitBytes: outputLimitBytes,
          timeoutMs: timeout * 1000,
          onOutput: (text) => run.onOutput(text),
        },
        run.signal,
      );
      return processOutput(result, timeout, confinement !== null);
    },
  };
}

/** A list runs directly, its relative paths that exist in the plugin made absolute; a text goes to `sh`. */
export function argumentVector(command: readonly string[] | string, folder: string): string[] {
  if (typeof command === "string") return ["sh", "-c", command];
  const root = realPath(folder);
  return command.map((word) => {
    const text = withPluginVariables(word, folder);
    // `.` and `..` are found in every folder: who writes them means the workspace, where the program runs.
    if (/^(?:-.*|\.{0,2}[/\\]?)$/s.test(text) || path.isAbsolute(text) || text.includes("\0")) return text;
    const file = path.join(folder, text);
    return lookAt(file) !== undefined && isInside(root, realPath(file)) ? file : text;
  });
}
const prefixed = (prefix: string, variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([key, value]) => [prefix + key, value]));
