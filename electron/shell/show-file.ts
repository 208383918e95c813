import { realpathSync, statSync } from "node:fs";
import { shell } from "electron";
import { NacreError } from "../../shared/errors.ts";

/**
 * Opens a Markdown file in the program that the system has for it, or shows it in the file manager. Nothing is run: what
 * links lead to counts, it has to be a plain `.md` file, and on macOS one that is not marked executable.
 * @throws NacreError `denied`, `io` where the system opens nothing
 */
export async function showFile(
  file: string,
  what: "file" | "folder",
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (what === "folder") {
    shell.showItemInFolder(file);
    return;
  }
  const real = realpathSync.native(file);
  const stats = statSync(real);
  const mayRun = platform === "darwin" && (stats.mode & 0o111) !== 0;
  if (!stats.isFile() || !real.endsWith(".md") || mayRun)
    throw new NacreError(
      "denied",
      `${real} is not opened: only Markdown files that cannot be run are; look at it in its folder`,
    );
  const problem = await shell.openPath(real);
  if (problem !== "") throw new NacreError("io", `${real} could not be opened: ${problem}`);
}
