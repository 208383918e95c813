import path from "node:path";
import { contributionId } from "../../../shared/contribution.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { RoleRow } from "../../../shared/extension-rows.ts";
import { isObject } from "../../../shared/json.ts";
import type { AppPaths } from "../config/types.ts";
import { systemClock, type Clock } from "../kit/clock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { FileIndex, plainForm } from "../kit/file-index.ts";
import { sha256 } from "../kit/files.ts";
import { loadFrontmatter, type ReadFrontmatter } from "../kit/frontmatter.ts";
import type { SlashCommand } from "../tools/commands.ts";
import { builtinRoles } from "./builtin.ts";
import { roleCommands } from "./commands.ts";
import { parseRole } from "./parse-role.ts";
import type { ParsedRole, Role } from "./role.ts";
import { roleFiles, textOfRole } from "./role-files.ts";
import { roleRoots } from "./roots.ts";
import { unknownTools } from "./unknown-tools.ts";

export interface RolesOptions {
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly switches: {
    isOn(id: string, fallback?: boolean): boolean;
    set(id: string, on: boolean): Promise<void>;
    readonly onChange: Listenable<unknown>;
  };
  readonly clock?: Clock;
  /** Whether there is a tool of this name now. */
  readonly isTool: (name: string) => boolean;
}
interface Found {
  readonly row: RoleRow;
  readonly role: Role | null;
}

/** The roles of one workspace. Built-in ones alone until the first `reload`. */
export class Roles {
  readonly commands: readonly SlashCommand[];
  readonly #options: RolesOptions;
  readonly #index: FileIndex<ParsedRole>;
  readonly #changed = new Emitter<void>();
  readonly onChange: Listenable<void> = this.#changed;
  #parsed: readonly Role[] = [];
  #invalid: readonly RoleRow[] = [];
  #loose: readonly Diagnostic[] = [];
  #files: ReadonlySet<string> = new Set();

  constructor(options: RolesOptions) {
    this.#options = options;
    this.#index = new FileIndex({
      file: path.join(options.paths.cache, "roles", `${sha256(options.workspace).slice(0, 16)}.json`),
      version: `${__NACRE_VERSION__}/3`,
      form: plainForm(isParsedRole),
      clock: options.clock ?? systemClock,
    });
    this.commands = roleCommands(this, options.switches);
    options.switches.onChange.on(() => this.#changed.emit());
  }
  /** Sorted by name; of a name the one that counts first. */
  rows(): readonly RoleRow[] {
    return [...this.#found().map(({ row }) => row), ...this.#invalid].sort((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    );
  }
  /** The roles that are on, sorted by name. */
  list(): readonly Role[] {
    return this.#found().flatMap(({ row, role }) => (row.state === "on" && role ? [role] : []));
  }
  /** @throws NacreError `not_found` that lists the roles */
  get(name: string): Role {
    const role = this.list().find((one) => one.name === name);
    if (role) return role;
    const names = this.list().map((one) => one.name);
    throw new NacreError("not_found", `there is no role "${name}"; there are ${names.join(", ")}`);
  }
  /** Whose role it is; undefined where there is none of this id. */
  scopeOf(id: string): "user" | "workspace" | undefined {
    const row = this.rows().find((one) => one.id === id);
    if (!row) return undefined;
    const root = roleRoots(this.#options.workspace, this.#options.paths).find(
      ({ source }) => source === row.source,
    );
    return root?.inWorkspace ? "workspace" : "user";
  }
  diagnostics(): readonly Diagnostic[] {
    return [...this.rows().flatMap(({ diagnostics }) => diagnostics), ...this.#loose];
  }
  watchedFolders(): readonly string[] {
    return roleRoots(this.#options.workspace, this.#options.paths).map(({ folder }) => folder);
  }
  /** Looks at every folder again; a file that did not change is not read. */
  async reload(): Promise<void> {
    const roles: Role[] = [];
    const invalid: RoleRow[] = [];
    const loose: Diagnostic[] = [];
    const seen = new Set<string>();
    const files = roleRoots(this.#options.workspace, this.#options.paths).flatMap((root) =>
      roleFiles(root, loose).flatMap((found) => {
        if (seen.has(found.real)) return [];
        seen.add(found.real);
        return [{ root, ...found, path: found.real }];
      }),
    );
    const known = await this.#index.getMany(files, (role) => role);
    let read: ReadFrontmatter | undefined;
    for (const [at, { root, file, real, stamp }] of files.entries()) {
      const name = path.basename(file, path.extname(file));
      let parsed = known[at];
      if (!parsed) {
        read ??= await loadFrontmatter();
        const text = textOfRole(real);
        if (text === undefined) continue;
        parsed = typeof text === "string" ? parseRole(text, name, read) : text;
        if (typeof text === "string") this.#index.set({ path: real, stamp }, parsed);
      }
      const diagnostics = parsed.diagnostics.map((one) => ({ ...one, path: file }));
      const { source, inWorkspace } = root;
      const id = contributionId("agent", root.owner, parsed.head?.name ?? name);
      if (parsed.head) roles.push({ ...parsed.head, id, source, inWorkspace, path: file, diagnostics });
      else
        invalid.push({
          id,
          name,
          description: "",
          tools: [],
          readonly: false,
          source,
          path: file,
          state: "invalid",
          diagnostics,
        });
    }
    this.#files = seen;
    this.#parsed = roles;
    this.#invalid = invalid;
    this.#loose = loose;
    this.#changed.emit();
  }
  /** Keeps what was parsed for the next start. @throws NacreError `io` */
  saveIndex(): Promise<void> {
    return this.#index.save(this.#files);
  }
  /** Every role that could be read, the built-in ones last: the first that is on wins its name. */
  #found(): readonly Found[] {
    const builtin = builtinRoles.map((head) => ({
      ...head,
      id: contributionId("agent", "bundled", head.name),
      source: "bundled",
      inWorkspace: false,
      diagnostics: [],
    }));
    const winners = new Map<string, Role>();
    const found = [...this.#parsed, ...builtin].map((role): Found => {
      const on = this.#options.switches.isOn(role.id);
      const winner = winners.get(role.name);
      if (on && !winner) winners.set(role.name, role);
      return { role, row: this.#rowOf(role, !on ? "off" : winner ? "shadowed" : "on") };
    });
    return found.sort((a, b) => (a.row.name < b.row.name ? -1 : a.row.name > b.row.name ? 1 : 0));
  }
  #rowOf(role: Role, state: RoleRow["state"]): RoleRow {
    const unknown = unknownTools(role, this.#options.isTool);
    return {
      id: role.id,
      name: role.name,
      description: role.description,
      tools: role.tools.allow ?? [],
      readonly: role.readonly,
      ...(role.model === undefined ? {} : { model: role.model }),
      ...(role.maxSteps === undefined ? {} : { maxSteps: role.maxSteps }),
      source: role.source,
      ...(role.path === undefined ? {} : { path: role.path }),
      state,
      diagnostics: unknown.length === 0 ? role.diagnostics : [...role.diagnostics, ...unknown],
    };
  }
}

const isParsedRole = (value: unknown): value is ParsedRole =>
  isObject(value) &&
  Array.isArray(value["diagnostics"]) &&
  (value["head"] === null || (isObject(value["head"]) && typeof value["head"]["name"] === "string"));
