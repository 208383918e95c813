import path from "node:path";
import type { Tool } from "../types.ts";
import { builtin, done, objectSchema, textArgument } from "./arguments.ts";
import { withFolder } from "./checked-files.ts";
import { decidedPath, shownPath } from "./paths.ts";
import { visibleFiles } from "./ripgrep.ts";
import { counted } from "./text.ts";

const mostFiles = 1_000;

/** `glob`: finds files by name. `environment` is a child's. */
export const globTool = (environment: () => NodeJS.ProcessEnv): Tool =>
  builtin({
    name: "glob",
    description:
      "Finds files by their path, sorted; files that .gitignore hides are left out. " +
      "*.ts fits in every folder, src/**/*.ts below src.",
    perm: "read",
    inputSchema: objectSchema(
      {
        pattern: {
          type: "string",
          minLength: 1,
          maxLength: 1_000,
          description: "The pattern, e.g. **/*.test.ts",
        },
        path: { type: "string", description: "Where to look; absent: the workspace" },
      },
      ["pattern"],
    ),
    touches: (input) => ({ reads: [folderOf(input)] }),
    async run(input, run) {
      const shown = folderOf(input);
      const real = decidedPath(run, shown);
      const pattern = textArgument(input, "pattern");
      const found = await withFolder(real, { shown }, (cwd) =>
        visibleFiles(pattern, { cwd, env: environment() }, run.signal),
      );
      const files = [...found].sort().map((file) => shownPath(run.workspace, path.join(real, file)));
      if (files.length === 0) return done(`no file fits ${pattern}`);
      const cut = files.length > mostFiles ? `\n(${mostFiles} of ${counted(files.length, "file")})` : "";
      return done(files.slice(0, mostFiles).join("\n") + cut);
    },
  });

const folderOf = (input: Readonly<Record<string, unknown>>): string =>
  textArgument(input, "path", ".") || ".";
