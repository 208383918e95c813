import path from "node:path";
import { contributionId } from "../../shared/contribution.ts";
import { isObject } from "../../shared/json.ts";
import type { DeclarationRow } from "../../shared/workspace.ts";
import type { McpDeclaration, OtherDeclaration } from "./config/types.ts";
import { argumentFiles, declarationDigest } from "./policy/digest.ts";
import type { TrustState } from "./policy/trust.ts";

/** One thing of the workspace that could run something (spec 2, Trust). */
export interface Declared extends DeclarationRow {
  readonly digest: string;
}
/** A plugin as its room declares it. */
export interface DeclaredPlugin {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly command: readonly string[];
  readonly digest: string;
  readonly scope: "user" | "workspace";
}
/** What a receipt says of an entry in a shared file: its digest when it was installed. */
export type InstalledDigest = (file: string, pointer: readonly string[]) => string | undefined;

/** The digest of a server: the declaration as written and every argument that names a file of the workspace. */
export function mcpDigest(declaration: McpDeclaration, workspace: string): string {
  const { command, args, cwd } = declaration.config;
  const folder = path.resolve(declaration.base, cwd ?? ".");
  const argv = command === undefined ? [] : [command, ...args];
  return declarationDigest(
    { kind: "mcp", declaration: declaration.raw },
    argumentFiles(argv, folder, workspace),
  );
}
/** What starts, one element an argument; the address of a remote server. */
export const mcpCommand = ({ config }: McpDeclaration): readonly string[] =>
  config.command === undefined ? [config.url ?? ""] : [config.command, ...config.args];

function otherCommand(raw: unknown): readonly string[] {
  if (!isObject(raw)) return [];
  const { command, args, script } = raw;
  const first = typeof command === "string" ? [command] : Array.isArray(command) ? command.map(String) : [];
  const rest = Array.isArray(args) ? args.map(String) : [];
  return [...first, ...rest, ...(typeof script === "string" ? [script] : [])];
}

/**
 * Everything that the workspace declares and that may run something, with what trust says of it. The user's own files
 * are not asked about.
 */
export function workspaceDeclarations(
  declared: {
    readonly mcp: readonly McpDeclaration[];
    readonly others: readonly OtherDeclaration[];
    readonly plugins: readonly DeclaredPlugin[];
  },
  workspace: string,
  stateOf: (subject: { id: string; digest: string }) => TrustState,
): Declared[] {
  const mcp = declared.mcp
    .filter(({ scope }) => scope === "workspace")
    .map((declaration) => ({
      id: contributionId("mcp", declaration.owner, declaration.name),
      kind: "mcp" as const,
      name: declaration.name,
      path: declaration.file,
      command: mcpCommand(declaration),
      digest: mcpDigest(declaration, workspace),
    }));
  const others = declared.others
    .filter(({ scope }) => scope === "workspace")
    .map(({ kind, owner, name, file, raw }) => ({
      id: contributionId(kind, owner, name),
      kind,
      name,
      path: file,
      command: otherCommand(raw),
      digest: declarationDigest(
        { kind, declaration: raw },
        argumentFiles(otherCommand(raw), workspace, workspace),
      ),
    }));
  const plugins = declared.plugins
    .filter(({ scope }) => scope === "workspace")
    .map(({ id, name, path: folder, command, digest }) => ({
      id,
      kind: "plugin" as const,
      name,
      path: folder,
      command,
      digest,
    }));
  return [...plugins, ...mcp, ...others].map((row) => ({ ...row, state: stateOf(row) }));
}
