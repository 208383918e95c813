import type { BackgroundCommands } from "../background.ts";
import type { Tool } from "../types.ts";
import { builtin, done, objectSchema, textArgument } from "./arguments.ts";
import { ownerOf } from "./shell-output.ts";

/**
 * `shell_stop({id})`: ends a background command of the same conversation. Its class is `read`: it starts nothing, and
 * reaches nothing that this conversation was not allowed to start.
 */
export const shellStopTool = (background: BackgroundCommands): Tool =>
  builtin({
    name: "shell_stop",
    description: "Ends a command that run_shell started in the background, with everything it started.",
    perm: "read",
    partOf: "run_shell",
    // What was asked of a command in the same step is answered before it ends.
    parallel: () => false,
    inputSchema: objectSchema(
      { id: { type: "string", minLength: 1, description: "The id that run_shell gave" } },
      ["id"],
    ),
    touches: (input) => ({ names: [textArgument(input, "id")] }),
    async run(input, run) {
      const id = textArgument(input, "id");
      const { state } = await background.stop(id, ownerOf(run));
      return done(state === "stopped" ? `${id} was stopped` : `${id} had ended by itself already`);
    },
  });
