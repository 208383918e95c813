import type { BackgroundRow } from "../../../../shared/workspace.ts";
import type { BackgroundCommands, BackgroundOwner } from "../background.ts";
import { outputLimitBytes } from "../process-output.ts";
import type { Tool, ToolRun } from "../types.ts";
import { builtin, done, numberArgument, objectSchema, textArgument } from "./arguments.ts";

const mostSeconds = 600;

/** Whose background commands a call may see. */
export const ownerOf = ({ sessionId, caller }: Pick<ToolRun, "sessionId" | "caller">): BackgroundOwner => ({
  sessionId,
  agentRun: caller.agentRun ?? null,
});
/** One line on how a command stands: `shell-1 has run for 12 s`. */
export function stateLine({ id, state, exitCode }: BackgroundRow, runsMs: number): string {
  const seconds = `${Math.round(runsMs / 1_000)} s`;
  if (state === "running") return `${id} has run for ${seconds}`;
  if (state === "stopped") return `${id} was stopped after ${seconds}`;
  return `${id} ended after ${seconds} with exit code ${exitCode}`;
}

/** `shell_output({id, wait?})`: what a background command has written since it was last asked. Starts nothing. */
export const shellOutputTool = (background: BackgroundCommands): Tool =>
  builtin({
    name: "shell_output",
    description:
      "Gives what a command that run_shell started in the background has written since the last look, and whether it still runs.",
    perm: "read",
    partOf: "run_shell",
    inputSchema: objectSchema(
      {
        id: { type: "string", minLength: 1, description: "The id that run_shell gave" },
        wait: {
          type: "number",
          minimum: 0,
          description: `Seconds to wait for its end first; 0 when absent, at most ${mostSeconds}`,
        },
      },
      ["id"],
    ),
    touches: (input) => ({ names: [textArgument(input, "id")] }),
    async run(input, run) {
      const waitMs = Math.min(numberArgument(input, "wait", 0), mostSeconds) * 1_000;
      const { text, cut, row, runsMs } = await background.read(
        textArgument(input, "id"),
        ownerOf(run),
        waitMs,
        run.signal,
      );
      const lines = [
        stateLine(row, runsMs),
        ...(cut ? [`(what came before the last ${outputLimitBytes / 1024} KB was dropped)`] : []),
        text === "" ? "(nothing new)" : text.replace(/\n$/, ""),
      ];
      return done(lines.join("\n"), row.exitCode === undefined ? {} : { exitCode: row.exitCode });
    },
  });
