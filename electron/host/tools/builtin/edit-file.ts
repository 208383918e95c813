import { NacreError } from "../../../../shared/errors.ts";
import type { Tool, ToolRun } from "../types.ts";
import { builtin, done, flagArgument, objectSchema, textArgument } from "./arguments.ts";
import { readWhole, writeWhole } from "./checked-files.ts";
import { editText } from "./edit-text.ts";
import { decidedPath } from "./paths.ts";
import { counted } from "./text.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { textToEdit } from "./utf8.ts";

/** Larger files are for programs. */
const mostEditedBytes = 16 * 1024 * 1024;

/** `edit_file`: replaces exact text in a file. */
export const editFileTool = (): Tool =>
  builtin({
    name: "edit_file",
    description:
      "Replaces text in a file. old_text must stand in the file exactly once, blanks included; " +
      "with replace_all every place is replaced. Read the file first; leave out the line numbers.",
    perm: "write",
    inputSchema: objectSchema(
      {
        path: { type: "string", minLength: 1, description: "The file, relative to the workspace" },
        old_text: { type: "string", description: "The exact text to replace" },
        new_text: { type: "string", description: "What stands there afterwards" },
        replace_all: { type: "boolean", description: "Replace every place; false when absent" },
      },
      ["path", "old_text", "new_text"],
    ),
    touches: (input) => ({ writes: [textArgument(input, "path")] }),
    async facts(input, run) {
      const { before, after, shown } = await edited(input, run);
      const diff = await unifiedDiff(shown, before, after);
      return diff === undefined ? [] : [{ label: "diff", values: [diff] }];
    },
    async run(input, run) {
      const { before, after, shown, lines } = await edited(input, run);
      await writeWhole(decidedPath(run, shown), shown, after);
      const diff = await unifiedDiff(shown, before, after);
      const where = lines.length === 1 ? `at line ${lines[0]}` : `in ${counted(lines.length, "place")}`;
      return done(`edited ${shown} ${where}`, diff === undefined ? {} : { diff });
    },
  });

async function edited(
  input: Readonly<Record<string, unknown>>,
  run: Pick<ToolRun, "workspace" | "realPaths">,
): Promise<{ shown: string; before: string; after: string; lines: number[] }> {
  const shown = textArgument(input, "path");
  const before = textToEdit(await readForEdit(decidedPath(run, shown), shown), shown);
  const { text: after, lines } = editText(shown, before, {
    oldText: textArgument(input, "old_text"),
    newText: textArgument(input, "new_text"),
    replaceAll: flagArgument(input, "replace_all"),
  });
  return { shown, before, after, lines };
}
async function readForEdit(real: string, shown: string): Promise<Buffer> {
  try {
    return await readWhole(real, shown, mostEditedBytes);
  } catch (error) {
    if (error instanceof NacreError && error.code === "not_found")
      throw new NacreError("not_found", `${shown} does not exist; use write_file to make it`, {
        cause: error,
      });
    throw error;
  }
}
