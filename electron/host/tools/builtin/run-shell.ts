import { NacreError } from "../../../../shared/errors.ts";
import { isInside } from "../../kit/files.ts";
import { run as runProcess, type RunResult, type SpawnSpec } from "../../kit/process.ts";
import { isDestructive } from "../../policy/destructive.ts";
import type { Sandbox } from "../../policy/sandbox.ts";
import { outputLimitBytes, processOutput } from "../process-output.ts";
import type { Tool, ToolRun } from "../types.ts";
import { builtin, numberArgument, objectSchema, textArgument } from "./arguments.ts";
import { withFolder } from "./checked-files.ts";
import { decidedPath } from "./paths.ts";

const defaultSeconds = 120;
const mostSeconds = 600;

export interface ShellOptions {
  readonly environment: () => NodeJS.ProcessEnv;
  readonly sandbox: Sandbox;
  readonly platform?: NodeJS.Platform;
}

/** `run_shell`: one command in the platform's shell. Always of class `shell`: no look at the text makes it less. */
export const runShellTool = (options: ShellOptions): Tool => {
  const platform = options.platform ?? process.platform;
  return builtin({
    name: "run_shell",
    description:
      `Runs a command with ${platform === "win32" ? "PowerShell" : "sh"} and waits for its end. Output and errors come together; ` +
      `nothing can be typed into it. Each call starts anew in the workspace, nothing stays set from the call before.`,
    perm: "shell",
    confinable: true,
    keepsNetwork: false,
    inputSchema: objectSchema(
      {
        command: { type: "string", minLength: 1, description: "The command" },
        timeout: {
          type: "number",
          exclusiveMinimum: 0,
          description: `Seconds until it is ended; ${defaultSeconds} when absent, at most ${mostSeconds}`,
        },
        cwd: {
          type: "string",
          description: "The folder to run in, inside the workspace; absent: the workspace",
        },
      },
      ["command"],
    ),
    touches: (input) => {
      const command = textArgument(input, "command");
      return { command, destructive: isDestructive(command) };
    },
    run: async (input, run) => {
      const shown = textArgument(input, "cwd", ".") || ".";
      const cwd = decidedPath(run, shown);
      if (!isInside(run.workspace, cwd))
        throw new NacreError(
          "denied",
          `cwd ${shown} leads out of the workspace to ${cwd}; give a folder inside it`,
        );
      // Looked at once more, and named if it is not there: a failed start would not say which of the two is missing.
      await withFolder(cwd, { shown: `cwd ${shown}` }, () => Promise.resolve());
      const seconds = Math.min(numberArgument(input, "timeout", defaultSeconds), mostSeconds);
      const spec = {
        ...shellCommand(textArgument(input, "command"), platform),
        cwd,
        env: options.environment(),
      };
      return processOutput(
        await start(spec, seconds, options.sandbox, run),
        seconds,
        run.confinement !== null,
      );
    },
  });
};

const start = async (
  spec: SpawnSpec,
  seconds: number,
  sandbox: Sandbox,
  run: ToolRun,
): Promise<RunResult> =>
  runProcess(
    run.confinement === null ? spec : await sandbox.wrap(spec, run.confinement),
    { timeoutMs: seconds * 1_000, limitBytes: outputLimitBytes, onOutput: (text) => run.onOutput(text) },
    run.signal,
  );

/** PowerShell takes the command encoded, so that no quoting of ours can change it; it ends with the command's code. */
function shellCommand(command: string, platform: NodeJS.Platform): { command: string; args: string[] } {
  if (platform !== "win32") return { command: "sh", args: ["-c", command] };
  const script = `$ProgressPreference = 'SilentlyContinue'\n[Console]::OutputEncoding = [Text.Encoding]::UTF8\n${command}\nif ($LASTEXITCODE) { exit $LASTEXITCODE }`;
  const encoded = Buffer.from(script, "utf16le").toString("base64");
  return { command: "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-EncodedCommand", encoded] };
}
