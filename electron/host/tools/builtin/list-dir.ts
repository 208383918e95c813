import fs from "node:fs";
import path from "node:path";
import type { Tool } from "../types.ts";
import { builtin, done, objectSchema, textArgument } from "./arguments.ts";
import { withFolder } from "./checked-files.ts";
import { decidedPath } from "./paths.ts";
import { counted } from "./text.ts";

const mostEntries = 1_000;

/** `list_dir`: the names in one folder. */
export const listDirTool = (): Tool =>
  builtin({
    name: "list_dir",
    description:
      "Lists the names in one folder, hidden ones too. A folder ends with /, a link shows where it leads. " +
      "Use glob to find files below.",
    perm: "read",
    inputSchema: objectSchema(
      {
        path: { type: "string", description: "The folder, relative to the workspace; absent: the workspace" },
      },
      [],
    ),
    touches: (input) => ({ reads: [folderOf(input)] }),
    async run(input, run) {
      const shown = folderOf(input);
      const names = await withFolder(decidedPath(run, shown), { shown }, async (folder) => {
        const entries = await fs.promises.readdir(folder, { withFileTypes: true });
        entries.sort((a, b) => (a.name < b.name ? -1 : 1));
        const lines = await Promise.all(entries.slice(0, mostEntries).map((entry) => line(folder, entry)));
        if (entries.length > mostEntries)
          lines.push(`(${mostEntries} of ${counted(entries.length, "name")})`);
        return lines;
      });
      return done(names.length === 0 ? `(${shown} is an empty folder)` : names.join("\n"));
    },
  });

const folderOf = (input: Readonly<Record<string, unknown>>): string =>
  textArgument(input, "path", ".") || ".";

async function line(folder: string, entry: fs.Dirent): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`;
  if (!entry.isSymbolicLink()) return entry.name;
  const target = await fs.promises.readlink(path.join(folder, entry.name)).catch(() => "?");
  return `${entry.name} -> ${target}`;
}
