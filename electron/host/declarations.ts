import path from "node:path";
import { contributionId } from "../../shared/contribution.ts";
import { NacreError } from "../../shared/errors.ts";
import { isObject } from "../../shared/json.ts";
import type { DeclarationChange, DeclarationRow, DeclaredRun } from "../../shared/workspace.ts";
import { allowsSomething } from "./config/rule-files.ts";
import type { McpDeclaration, OtherDeclaration, RuleFile } from "./config/types.ts";
import { expand } from "./mcp/variables.ts";
import { declaredSettings } from "./policy/declaration-changes.ts";
import { fingerprint, type Fingerprint } from "./policy/digest.ts";
import { argumentFiles, broughtFiles, commandWords, type EntryFiles } from "./policy/named-files.ts";
import type { Approvable, TrustState } from "./policy/trust.ts";

/**
 * One thing of the workspace that could run or allow something (spec 2, Trust): its row, and behind it what it is, taken
 * of the files as they were when it was first asked for.
 */
export class Declared {
  readonly row: DeclarationRow;
  /** `user`: came by an install and was changed since; it is approved whatever folder is open. */
  readonly scope: "user" | "workspace";
  readonly #take: () => Fingerprint;
  #taken: { readonly fingerprint: Fingerprint | undefined } | undefined;

  constructor(
    row: Omit<DeclarationRow, "state" | "changes">,
    take: () => Fingerprint,
    stateOf: (id: string, fingerprint: () => Fingerprint | undefined) => TrustState,
    scope: "user" | "workspace" = "workspace",
  ) {
    this.#take = take;
    this.scope = scope;
    this.row = { ...row, state: stateOf(row.id, () => this.fingerprint) };
  }
  get state(): TrustState {
    return this.row.state;
  }
  /** Undefined where a file of it cannot be read: then nobody approves it. */
  get fingerprint(): Fingerprint | undefined {
    this.#taken ??= { fingerprint: readable(this.#take) };
    return this.#taken.fingerprint;
  }
  get digest(): string {
    return this.fingerprint?.digest ?? "unreadable";
  }
}
function readable(take: () => Fingerprint): Fingerprint | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof NacreError) return undefined;
    throw error;
  }
}
/** What of it a person can approve: everything that can be read. */
export const approvable = (declared: readonly Declared[]): Approvable[] =>
  declared.flatMap(({ row: { id }, fingerprint: now }) =>
    now ? [{ id, digest: now.digest, fingerprint: now }] : [],
  );
/** As a person reviews it: with what is different from what was approved. */
export function reviewRow(
  { row, fingerprint: now }: Declared,
  changesOf: (id: string, now: Fingerprint) => readonly DeclarationChange[] | undefined,
): DeclarationRow {
  const changes = row.state === "approved" || !now ? undefined : changesOf(row.id, now);
  return { ...row, ...(changes ? { changes } : {}) };
}
/** A plugin as its room declares it. */
export interface DeclaredPlugin {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly runs: DeclarationRow["runs"];
  readonly scope: "user" | "workspace";
  /** @throws NacreError for a file that cannot be read */
  readonly fingerprintNow: () => Fingerprint;
}

/** Where digests are taken. */
export interface DigestContext {
  /** Real path. */
  readonly workspace: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/**
 * The fingerprint of a server: the declaration as written, every argument that names a file of the workspace, and what
 * its command plainly runs without naming it.
 * @throws NacreError for a file that cannot be read
 */
export function mcpFingerprint(declaration: McpDeclaration, { workspace, env }: DigestContext): Fingerprint {
  const { command, args, cwd } = declaration.config;
  // A file may be named through a variable: what the start will make of it counts, not the spelling.
  const resolve = (text: string): string =>
    expand(
      text,
      { variable: (name) => declaration.variables[name] ?? env[name], secret: () => undefined },
      { missing: [], secrets: [] },
    );
  const folder = path.resolve(declaration.base, resolve(cwd ?? "."));
  const argv = command === undefined ? [] : [resolve(command), ...args.map(resolve)];
  const variables = Object.entries(declaration.config.env).map(([name, text]): [string, string] => [
    name,
    resolve(text),
  ]);
  // The program is taken from the declaration's base, its arguments from its folder.
  const program = argumentFiles(argv.slice(0, 1), { cwd: declaration.base, workspace });
  const brought = broughtFiles(argv, variables, { cwd: folder, workspace });
  return takeFingerprint({ kind: "mcp", declaration: declaration.raw }, program, brought, workspace);
}
const takeFingerprint = (
  declaration: unknown,
  program: readonly string[],
  { files, packages }: EntryFiles,
  workspace: string,
): Fingerprint =>
  fingerprint(declaration, [...program, ...files], { base: workspace, within: workspace, packages });
/** @throws NacreError for a file that cannot be read */
export const mcpDigest = (declaration: McpDeclaration, context: DigestContext): string =>
  mcpFingerprint(declaration, context).digest;
/** What starts, one element an argument; the address of a remote server. */
const mcpCommand = ({ config }: McpDeclaration): readonly string[] =>
  config.command === undefined ? [config.url ?? ""] : [config.command, ...config.args];

/** A server as a person reviews it: what starts, and all else that its entry says. */
export const mcpRun = (declaration: McpDeclaration): DeclaredRun => ({
  what: "",
  command: mcpCommand(declaration),
  settings: declaredSettings(declaration.raw, ["command", "args", "url"]),
});

function otherCommand(raw: unknown): readonly string[] {
  if (!isObject(raw)) return [];
  const { command, args, script } = raw;
  const first = typeof command === "string" ? [command] : Array.isArray(command) ? command.map(String) : [];
  const rest = Array.isArray(args) ? args.map(String) : [];
  return [...first, ...rest, ...(typeof script === "string" ? [script] : [])];
}
function otherFingerprint({ kind, raw }: OtherDeclaration, { workspace }: DigestContext): Fingerprint {
  const place = { cwd: workspace, workspace };
  const command = otherCommand(raw);
  const program = argumentFiles(commandWords(command), place);
  const brought = broughtFiles(command, [], place);
  return takeFingerprint({ kind, declaration: raw }, program, brought, workspace);
}
/** A file that was read says the same for ever: every call of a tool asks about it. */
const knownRules = new WeakMap<RuleFile, Fingerprint>();
function rulesFingerprint(file: RuleFile): Fingerprint {
  const known = knownRules.get(file) ?? takeRules(file);
  knownRules.set(file, known);
  return known;
}
/** The rules as the file orders them: the last that matches decides, so their order is their meaning. */
const takeRules = ({ rules, agents }: RuleFile): Fingerprint => {
  const written = (list: RuleFile["rules"]): string[] =>
    list.map(({ tool, pattern, answer }) => `${tool}: ${pattern}: ${answer}`);
  const roles = Object.entries(agents).map(
    ([name, { rules: own, tools }]) => [name, { permission: written(own), tools }] as const,
  );
  return fingerprint({ kind: "rules", permission: written(rules), agent: Object.fromEntries(roles) }, []);
};
/** The id of a file of rules: `rules:project/dropstone.json`, `rules:project/../dropstone.json`. */
const rulesId = (file: string, workspace: string): string =>
  `rules:project/${path.relative(workspace, file).replaceAll(path.sep, "/")}`;

/** What trust is asked of a fingerprint. */
export interface TrustAnswers {
  isTrusted(): boolean;
  hasApprovals(): boolean;
  stateOf(subject: { id: string; digest: string }): TrustState;
}

/**
 * Everything that the workspace declares and that may run or allow something, with what trust says of it. The user's own
 * files are not asked about, but for a plugin that waits since it differs from what was installed. In a folder that is
 * not trusted no file is read only to say that it waits.
 */
export function workspaceDeclarations(
  declared: {
    readonly mcp: readonly McpDeclaration[];
    readonly others: readonly OtherDeclaration[];
    readonly plugins: readonly DeclaredPlugin[];
    readonly ruleFiles: readonly RuleFile[];
  },
  context: DigestContext,
  trust: TrustAnswers,
): Declared[] {
  const one = (row: Omit<DeclarationRow, "state">, take: () => Fingerprint): Declared =>
    new Declared(row, take, (id, taken) => stateOf(id, taken, trust));
  const ofWorkspace = ({ scope }: { readonly scope: string }): boolean => scope === "workspace";
  return [
    ...declared.plugins.map(({ id, name, path: folder, runs, scope, fingerprintNow: take }) => {
      const row = { id, kind: "plugin", name, path: folder, runs } as const;
      return scope === "user" ? new Declared(row, take, () => "needs_approval", scope) : one(row, take);
    }),
    ...declared.mcp.filter(ofWorkspace).map((declaration) =>
      one(
        {
          id: contributionId("mcp", declaration.owner, declaration.name),
          kind: "mcp",
          name: declaration.name,
          path: declaration.file,
          runs: [mcpRun(declaration)],
        },
        () => mcpFingerprint(declaration, context),
      ),
    ),
    ...declared.others.filter(ofWorkspace).map((entry) =>
      one(
        {
          id: contributionId(entry.kind, entry.owner, entry.name),
          kind: entry.kind,
          name: entry.name,
          path: entry.file,
          runs: [
            {
              what: "",
              command: otherCommand(entry.raw),
              settings: declaredSettings(entry.raw, ["command", "args", "script"]),
            },
          ],
        },
        () => otherFingerprint(entry, context),
      ),
    ),
    ...declared.ruleFiles
      .filter((file) => ofWorkspace(file) && allowsSomething(file))
      .map((file) => ruleDeclaration(file, context.workspace, trust)),
  ];
}
/** A file of rules. One in a folder whose path a person wrote into settings.json by hand was agreed to with it. */
export function ruleDeclaration(file: RuleFile, workspace: string, trust: TrustAnswers): Declared {
  return new Declared(
    {
      id: rulesId(file.path, workspace),
      kind: "rules",
      name: path.relative(workspace, file.path) || file.path,
      path: file.path,
      runs: allowances(file),
    },
    () => rulesFingerprint(file),
    (id, taken) => (trust.isTrusted() && !trust.hasApprovals() ? "approved" : stateOf(id, taken, trust)),
  );
}
/** What it would allow, by role: `run_shell: git*`. */
function allowances({ rules, agents }: RuleFile): DeclarationRow["runs"] {
  const allowed = (list: RuleFile["rules"]): string[] =>
    list.flatMap(({ tool, pattern, answer }) => (answer === "allow" ? [`${tool}: ${pattern}`] : []));
  const roles = Object.entries(agents).map(([what, { rules: own, tools }]) => ({
    what,
    command: [
      ...allowed(own),
      ...Object.entries(tools).flatMap(([tool, on]) => (on ? [`tools.${tool}: true`] : [])),
    ],
  }));
  return [{ what: "", command: allowed(rules) }, ...roles].filter(({ command }) => command.length > 0);
}

function stateOf(id: string, taken: () => Fingerprint | undefined, trust: TrustAnswers): TrustState {
  if (!trust.isTrusted()) return "untrusted";
  const now = taken();
  return now ? trust.stateOf({ id, digest: now.digest }) : "needs_approval";
}
