import path from "node:path";
import { contributionId } from "../../shared/contribution.ts";
import { isObject } from "../../shared/json.ts";
import type { DeclarationRow } from "../../shared/workspace.ts";
import type { McpDeclaration, OtherDeclaration } from "./config/types.ts";
import { expand } from "./mcp/variables.ts";
import { argumentFiles, commandWords, declarationDigest } from "./policy/digest.ts";
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
  readonly runs: DeclarationRow["runs"];
  readonly digest: string;
  readonly scope: "user" | "workspace";
}

/** Where digests are taken. */
export interface DigestContext {
  /** Real path. */
  readonly workspace: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}
/** The digest of a server: the declaration as written and every argument that names a file of the workspace. */
export function mcpDigest(declaration: McpDeclaration, { workspace, env }: DigestContext): string {
  const { command, args, cwd } = declaration.config;
  // A file may be named through a variable: what the start will make of it counts, not the spelling.
  const resolve = (text: string): string =>
    expand(
      text,
      { variable: (name) => declaration.variables[name] ?? env[name], secret: () => undefined },
      { missing: [], secrets: [] },
    );
  const folder = path.resolve(declaration.base, resolve(cwd ?? "."));
  // As a start takes them: the program from the declaration's base, its arguments from its folder.
  const named = [...args, ...Object.values(declaration.config.env)].map(resolve);
  const files = [
    ...(command === undefined ? [] : argumentFiles([resolve(command)], declaration.base, workspace)),
    ...argumentFiles(commandWords(named), folder, workspace),
  ];
  return declarationDigest({ kind: "mcp", declaration: declaration.raw }, [...new Set(files)]);
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
  context: DigestContext,
  stateOf: (subject: { id: string; digest: string }) => TrustState,
): Declared[] {
  const mcp = declared.mcp
    .filter(({ scope }) => scope === "workspace")
    .map((declaration) => ({
      id: contributionId("mcp", declaration.owner, declaration.name),
      kind: "mcp" as const,
      name: declaration.name,
      path: declaration.file,
      runs: [{ what: "", command: mcpCommand(declaration) }],
      digest: mcpDigest(declaration, context),
    }));
  const others = declared.others
    .filter(({ scope }) => scope === "workspace")
    .map(({ kind, owner, name, file, raw }) => ({
      id: contributionId(kind, owner, name),
      kind,
      name,
      path: file,
      runs: [{ what: "", command: otherCommand(raw) }],
      digest: declarationDigest(
        { kind, declaration: raw },
        argumentFiles(commandWords(otherCommand(raw)), context.workspace, context.workspace),
      ),
    }));
  const plugins = declared.plugins
    .filter(({ scope }) => scope === "workspace")
    .map(({ id, name, path: folder, runs, digest }) => ({
      id,
      kind: "plugin" as const,
      name,
      path: folder,
      runs,
      digest,
    }));
  return [...plugins, ...mcp, ...others].map((row) => ({ ...row, state: stateOf(row) }));
}
