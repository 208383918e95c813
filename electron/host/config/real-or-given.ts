import { NacreError } from "../../../shared/errors.ts";
import { realPath } from "../kit/files.ts";

/**
 * The real path, or the path itself where it cannot be resolved (links in a circle, a closed folder): then nobody can
 * read it either, and whoever tries says so.
 */
export function realOrGiven(file: string): string {
  try {
    return realPath(file);
  } catch (error) {
    if (error instanceof NacreError) return file;
    throw error;
  }
}
