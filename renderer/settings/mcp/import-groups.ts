import type { McpImportFile, McpImportRow } from "../../../shared/mcp.ts";

/** The servers of one file of another client; a file that could not be read has none and says why. */
export interface ImportGroup {
  readonly key: string;
  readonly clientName: string;
  readonly file: string;
  readonly project?: string;
  readonly rows: readonly McpImportRow[];
  readonly error?: string;
}
const keyOf = (file: string, project: string | undefined): string => `${file}\n${project ?? ""}`;

/** By client and file as the host lists them, each folder of a file that keeps several by itself. */
export function importGroups(
  files: readonly McpImportFile[],
  rows: readonly McpImportRow[],
): readonly ImportGroup[] {
  return files.flatMap(({ clientName, file, error }) => {
    const own = rows.filter((row) => row.file === file);
    const projects = [...new Set(own.map(({ project }) => project))];
    if (own.length === 0)
      return error === undefined ? [] : [{ key: keyOf(file, undefined), clientName, file, rows: [], error }];
    return projects.map((project) => ({
      key: keyOf(file, project),
      clientName,
      file,
      ...(project === undefined ? {} : { project }),
      rows: own.filter((row) => row.project === project),
      ...(error === undefined ? {} : { error }),
    }));
  });
}
/** Whether it can be chosen: what is here already, or cannot run here, is shown alone. */
export const canImport = ({ state }: McpImportRow): boolean => state === "new" || state === "renamed";
