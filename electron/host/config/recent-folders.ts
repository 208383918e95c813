import path from "node:path";
import { Documents } from "./documents.ts";
import { Fields } from "./fields.ts";
import type { AppPaths } from "./types.ts";

/**
 * The folders that were opened last, the latest first, of `<config>/settings.json` alone: for a shell that has no
 * workspace yet. Empty where the file is not there or cannot be read; the host that is opened next says what is wrong.
 */
export async function readRecentFolders(paths: Pick<AppPaths, "config">): Promise<readonly string[]> {
  const { value } = await new Documents().read(path.join(paths.config, "settings.json"), "jsonc");
  return new Fields(value, [], "settings-invalid", () => undefined).strings("recent_folders") ?? [];
}
