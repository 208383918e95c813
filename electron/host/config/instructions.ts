import fs from "node:fs";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject } from "../../../shared/json.ts";
import { isInside } from "../kit/files.ts";
import type { Document } from "./documents.ts";
import { realOrGiven } from "./real-or-given.ts";
import type { Sources } from "./sources.ts";
import type { Config } from "./types.ts";

/**
 * The texts for the model: AGENTS.md files and `instructions` of the TOML files, outermost first; one file reached
 * twice stands once. A workspace's link that leads out of the project, or into a folder of secrets, is followed in no
 * workspace: a command or an update may have put it there, and its text would reach the model unasked.
 */
export async function readInstructions(from: {
  readonly sources: Sources;
  /** Folders that no workspace's file may lead into, even where the project holds them. */
  readonly secretFolders: readonly string[];
  readonly userToml: readonly Document[];
  readonly workspaceToml: readonly Document[];
  read(file: string, format: "text"): Promise<Document>;
  readonly diagnostics: Diagnostic[];
}): Promise<Config["instructions"]> {
  const found: { path: string; text: string }[] = [];
  const add = (path: string, text: unknown): void => {
    if (typeof text === "string" && text.trim() !== "")
      found.push({ path, text: text.replace(/^\uFEFF/, "") });
  };
  const addToml = (documents: readonly Document[]): void => {
    for (const { path, value } of documents.toReversed())
      add(path, isObject(value) ? value["instructions"] : undefined);
  };
  const secret = from.secretFolders.map(realOrGiven);
  const mayRead = (real: string): boolean =>
    isInside(from.sources.projectRoot, real) && !secret.some((folder) => isInside(folder, real));
  const seen = new Set<string>();
  addToml(from.userToml);
  for (const { file, folder } of from.sources.instructions) {
    if (!fs.existsSync(file)) continue;
    const real = realOrGiven(file);
    if (folder !== null && !mayRead(real)) {
      from.diagnostics.push({
        code: "instructions-outside",
        severity: "warning",
        message: `${file} leads out of the project or to a secret, to ${real}; it is not read`,
        path: file,
        fix: "put a file in place of the link",
      });
      continue;
    }
    if (seen.has(real)) continue;
    seen.add(real);
    // The file that was looked at, whatever the link says by now.
    add(file, (await from.read(folder === null ? file : real, "text")).value);
  }
  addToml(from.workspaceToml);
  return found;
}
