import { NacreError } from "../../../../shared/errors.ts";
import type { Tool, ToolRun } from "../types.ts";
import { builtin, done, objectSchema, textArgument } from "./arguments.ts";
import { readWhole, writeWhole } from "./checked-files.ts";
import { decidedPath } from "./paths.ts";
import { bytesInWords, counted, countLines } from "./text.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { decodeText } from "./utf8.ts";

/** What stood there is read for the difference up to this size. */
const mostCompared = 2 * 1024 * 1024;

/** `write_file`: a whole file. */
export const writeFileTool = (): Tool =>
  builtin({
    name: "write_file",
    description:
      "Writes a whole file; missing folders are made, a file that stands there is replaced. " +
      "Use edit_file to change a part of one.",
    perm: "write",
    inputSchema: objectSchema(
      {
        path: { type: "string", minLength: 1, description: "The file, relative to the workspace" },
        content: { type: "string", description: "The whole content" },
      },
      ["path", "content"],
    ),
    touches: (input) => ({ writes: [textArgument(input, "path")] }),
    async facts(input, run) {
      const { shown, content, before } = await compared(input, run);
      const diff = before === null ? undefined : await unifiedDiff(shown, before ?? "", content);
      return diff === undefined ? [] : [{ label: "diff", values: [diff] }];
    },
    async run(input, run) {
      const { shown, content, before } = await compared(input, run);
      await writeWhole(decidedPath(run, shown), shown, content);
      const diff = before === null ? undefined : await unifiedDiff(shown, before ?? "", content);
      const size = `${counted(countLines(content), "line")}, ${bytesInWords(Buffer.byteLength(content))}`;
      return done(
        `${before === undefined ? "made" : "replaced"} ${shown} (${size})`,
        diff === undefined ? {} : { diff },
      );
    },
  });

/** `before`: undefined where nothing stands there, null where it cannot be compared. */
async function compared(
  input: Readonly<Record<string, unknown>>,
  run: Pick<ToolRun, "workspace" | "realPaths">,
): Promise<{ shown: string; content: string; before: string | undefined | null }> {
  const shown = textArgument(input, "path");
  const content = textArgument(input, "content");
  try {
    const bytes = await readWhole(decidedPath(run, shown), shown, mostCompared);
    return { shown, content, before: decodeText(bytes) ?? null };
  } catch (error) {
    if (!(error instanceof NacreError)) throw error;
    // Too large or not readable: the write itself tells what is wrong, if anything is.
    return { shown, content, before: error.code === "not_found" ? undefined : null };
  }
}
