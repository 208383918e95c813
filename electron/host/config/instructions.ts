import { isObject } from "../../../shared/json.ts";
import type { Document } from "./documents.ts";
import type { ReadSources } from "./read-sources.ts";
import type { Config } from "./types.ts";

/**
 * The texts for the model: AGENTS.md files and `instructions` of the TOML files, outermost first: the user's TOML files,
 * then AGENTS.md of the user and from the project root down, then the workspace's TOML files.
 */
export function joinInstructions({ toml, instructions }: ReadSources): Config["instructions"] {
  const ofToml = (documents: readonly Document[]): { path: string; text: unknown }[] =>
    documents
      .toReversed()
      .map(({ path, value }) => ({ path, text: isObject(value) ? value["instructions"] : undefined }));
  const all = [
    ...ofToml(toml.user),
    ...instructions.map(({ path, value }) => ({ path, text: value })),
    ...ofToml(toml.workspace),
  ];
  return all.flatMap(({ path, text }) =>
    typeof text === "string" && text.trim() !== "" ? [{ path, text: text.replace(/^\uFEFF/, "") }] : [],
  );
}
