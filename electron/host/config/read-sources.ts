import { NacreError } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/json.ts";
import { lookAt } from "../kit/files.ts";
import type { Document, Documents, Format } from "./documents.ts";
import { realOrGiven } from "./real-or-given.ts";
import { configSources, type Sources } from "./sources.ts";
import type { AppPaths } from "./types.ts";
import { workspaceFiles } from "./workspace-file.ts";

/** The files of spec 2 as they were read; each list is in the order of `Sources`. */
export interface ReadSources {
  readonly sources: Sources;
  readonly settings: Document;
  readonly mcp: readonly Document[];
  readonly toml: { readonly user: readonly Document[]; readonly workspace: readonly Document[] };
  readonly dropstone: { readonly user: Document; readonly workspace: readonly Document[] };
  readonly keybinds: Document;
  /** Those that exist, each real file once. */
  readonly instructions: readonly Document[];
}

/** Reads every file of spec 2 for one workspace (real path). Never fails: what cannot be read says so itself. */
export async function readSources(
  documents: Documents,
  workspace: string,
  paths: AppPaths,
): Promise<ReadSources> {
  const sources = configSources(workspace, paths);
  const behind = workspaceFiles(sources.projectRoot, paths);
  const user = (file: string, format: Format): Promise<Document> => documents.read(file, format);
  const inWorkspace = async (file: string, format: Format): Promise<Document> => {
    // Looking is much cheaper than resolving, and most of the files do not exist.
    if (isNowhere(file)) return documents.missing(file);
    const { real, refused } = behind(file);
    // The file that was looked at, whatever the link says by now.
    return refused === undefined ? documents.read(file, format, real) : documents.refuse(file, refused);
  };
  const instructions: Document[] = [];
  const seen = new Set<string>();
  for (const { file, folder } of sources.instructions) {
    if (isNowhere(file)) continue;
    const real = realOrGiven(file);
    if (seen.has(real)) continue;
    seen.add(real);
    instructions.push(await (folder === null ? user : inWorkspace)(file, "text"));
  }
  return {
    sources,
    settings: await user(sources.settings, "jsonc"),
    mcp: await Promise.all(
      sources.mcp.map(({ file, scope }) => (scope === "user" ? user : inWorkspace)(file, "jsonc")),
    ),
    toml: {
      user: await Promise.all(sources.toml.user.map((file) => user(file, "toml"))),
      workspace: await Promise.all(sources.toml.workspace.map((file) => inWorkspace(file, "toml"))),
    },
    dropstone: {
      user: await user(sources.dropstone.user, "jsonc"),
      workspace: await Promise.all(sources.dropstone.workspace.map((file) => inWorkspace(file, "jsonc"))),
    },
    keybinds: await user(sources.keybinds, "jsonc"),
    instructions,
  };
}

function isNowhere(file: string): boolean {
  try {
    return lookAt(file) === undefined;
  } catch (error) {
    // Closed to us, or links in a circle: who reads it says so.
    if (error instanceof NacreError) return false;
    throw error;
  }
}

/** Every document, in one order. */
export const allDocuments = (read: ReadSources): readonly Document[] => [
  read.settings,
  ...read.mcp,
  ...read.toml.user,
  ...read.toml.workspace,
  read.dropstone.user,
  ...read.dropstone.workspace,
  read.keybinds,
  ...read.instructions,
];

/** Whether both say the same: `Documents` gives the same object for a file that did not change. */
export function isSameRead(a: ReadSources, b: ReadSources): boolean {
  const before = allDocuments(a);
  const after = allDocuments(b);
  return (
    before.length === after.length &&
    before.every((document, index) => document === after[index]) &&
    canonicalJson(a.sources) === canonicalJson(b.sources)
  );
}
