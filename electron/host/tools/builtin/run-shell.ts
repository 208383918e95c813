import { NacreError } from "../../../../shared/errors.ts";
import { isInside } from "../../kit/files.ts";
import { run as runProcess, type SpawnSpec } from "../../kit/process.ts";
import { isDestructive } from "../../policy/destructive.ts";
import type { Sandbox } from "../../policy/sandbox.ts";
import type { BackgroundCommands } from "../background.ts";
import { outputLimitBytes, processOutput } from "../process-output.ts";
import type { Tool, ToolOutput, ToolRun } from "../types.ts";
import { builtin, flagArgument, numberArgument, objectSchema, textArgument } from "./arguments.ts";
import { withFolder } from "./checked-files.ts";
import { decidedPath } from "./paths.ts";
import { ownerOf, stateLine } from "./shell-output.ts";

const defaultSeconds = 120;
const mostSeconds = 600;
/** How long the answer waits for a background command's first output, ms: what fails at once is told at once. */
const firstLookMs = 500;

export interface ShellOptions {
  readonly environment: () => NodeJS.ProcessEnv;
  readonly sandbox: Sandbox;
  readonly background: BackgroundCommands;
  readonly platform?: NodeJS.Platform;
}

/** `run_shell`: one command in the platform's shell. Always of class `shell`: no look at the text makes it less. */
export const runShellTool = (options: ShellOptions): Tool => {
  const platform = options.platform ?? process.platform;
  return builtin({
    name: "run_shell",
    description:
      `Runs a command with ${platform === "win32" ? "PowerShell" : "sh"} and waits for its end. Output and errors come together; ` +
      `nothing can be typed into it. Each call starts anew in the workspace, nothing stays set from the call before. ` +
      `What goes on for long or never ends (a server, a watcher) is started with background: true, which answers at once with an id.`,
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
        background: {
          type: "boolean",
          description:
            "True: it goes on while you work, without a time limit; shell_output gives its output, shell_stop ends it",
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
      const commandIsOpaque = platform === "win32";
      const destructive = isDestructive(command, commandIsOpaque);
      return { command, commandIsOpaque, destructive, cwd: folderOf(input) };
    },
    run: async (input, run) => {
      const shown = folderOf(input);
      const cwd = decidedPath(run, shown);
      if (!isInside(run.workspace, cwd))
        throw new NacreError(
          "denied",
          `cwd ${shown} leads out of the workspace to ${cwd}; give a folder inside it`,
        );
      // Looked at once more, and named if it is not there: a failed start would not say which of the two is missing.
      await withFolder(cwd, { shown: `cwd ${shown}` }, () => Promise.resolve());
      const command = textArgument(input, "command");
      const spec = { ...shellCommand(command, platform), cwd, env: options.environment() };
      const placed = run.confinement === null ? spec : await options.sandbox.wrap(spec, run.confinement);
      if (flagArgument(input, "background")) return goOn(options.background, command, placed, run);
      const seconds = Math.min(numberArgument(input, "timeout", defaultSeconds), mostSeconds);
      const limits = {
        timeoutMs: seconds * 1_000,
        limitBytes: outputLimitBytes,
        onOutput: (text: string) => run.onOutput(text),
      };
      return processOutput(await runProcess(placed, limits, run.signal), seconds, run.confinement !== null);
    },
  });
};

/** As the arguments give it. */
const folderOf = (input: Readonly<Record<string, unknown>>): string => textArgument(input, "cwd", ".") || ".";

/** Starts a command that goes on after the call; one that has ended within the first look is told of as such. */
async function goOn(
  background: BackgroundCommands,
  command: string,
  spec: SpawnSpec,
  run: ToolRun,
): Promise<ToolOutput> {
  run.signal.throwIfAborted();
  const { callId, confinement } = run;
  const owner = ownerOf(run);
  const confined = confinement !== null;
  const keepWatch = () => run.keepWatch?.();
  const id = background.start({ spec, command, callId, ...owner, confined, keepWatch });
  try {
    const { text, row, runsMs } = await background.read(id, owner, firstLookMs, run.signal);
    run.onOutput(text);
    const how =
      row.state === "running"
        ? `${id} runs in the background: shell_output gives what it writes, shell_stop ends it`
        : stateLine(row, runsMs);
    return {
      output: [how, text.replace(/\n$/, "")].filter((part) => part !== "").join("\n"),
      isError: row.state !== "running" && row.exitCode !== 0,
      ...(row.exitCode === undefined ? {} : { exitCode: row.exitCode }),
      sandboxed: confined,
    };
  } catch (error) {
    // Nobody has heard of it yet: what was stopped before its id was told must not go on unseen.
    background.stop(id).catch(() => {
      // It is gone with its session.
    });
    throw error;
  }
}

/** PowerShell takes the command encoded, so that no quoting of ours can change it; it ends with the command's code. */
function shellCommand(command: string, platform: NodeJS.Platform): { command: string; args: string[] } {
  if (platform !== "win32") return { command: "sh", args: ["-c", command] };
  const script = `$ProgressPreference = 'SilentlyContinue'\n[Console]::OutputEncoding = [Text.Encoding]::UTF8\n${command}\nif ($LASTEXITCODE) { exit $LASTEXITCODE }`;
  const encoded = Buffer.from(script, "utf16le").toString("base64");
  return { command: "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-EncodedCommand", encoded] };
}
