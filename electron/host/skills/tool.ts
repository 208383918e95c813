import { NacreError } from "../../../shared/errors.ts";
import { splitSkillName } from "../../../shared/names.ts";
import type { Rule } from "../config/permission.ts";
import type { Tool, ToolOutput } from "../tools/types.ts";
import { skillContent } from "./content.ts";
import { ownFolder } from "./local-skill.ts";
import type { SkillRegistry } from "./registry.ts";
import { findSkill, ruleNames, type ResolvedSkill } from "./resolve.ts";
import { readResource } from "./resources.ts";

export interface SkillToolOptions {
  readonly registry: SkillRegistry;
  /** All skills, their states by these rules. */
  readonly resolve: (rules: readonly Rule[]) => readonly ResolvedSkill[];
  /** Evaluated at each look, as the catalog may stand in it. */
  readonly description: () => string;
  readonly listsFiles: () => boolean;
}
const failed = (output: string): ToolOutput => ({ output, isError: true, sandboxed: null });
const done = (output: string): ToolOutput => ({ output, isError: false, sandboxed: null });

/** `skill({ name, file? })` (spec 3). */
export function createSkillTool({ registry, resolve, description, listsFiles }: SkillToolOptions): Tool {
  return {
    name: "skill",
    title: "skill",
    get description() {
      return description();
    },
    perm: "read",
    origin: { kind: "builtin", owner: "nacre" },
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "name of the skill, as listed" },
        file: {
          type: "string",
          description:
            "a file of the skill, relative to its folder; without it the instructions are returned",
        },
      },
      required: ["name"],
      additionalProperties: false,
    },
    touches: ({ name }) => {
      if (typeof name !== "string") return {};
      const found = findSkill(resolve([]), name);
      return { names: found && "entry" in found ? ruleNames(found.entry.name) : [name] };
    },
    run: async (input, { caller, workspace, signal }) => {
      const name = typeof input["name"] === "string" ? input["name"] : "";
      if (!splitSkillName(name))
        return failed(
          `invalid name: "${name}"; a skill is named with lower-case letters, digits and hyphens, a plugin's plugin:name`,
        );
      const found = findSkill(resolve(caller.policy.rules), name);
      const refusal = refusalOf(found, name, caller.kind !== "user");
      if (refusal !== undefined || !found || "ambiguous" in found) return failed(refusal ?? unknown(name));
      const skill = await registry.get(found.entry.name, { cwd: workspace, signal });
      if (!skill) return failed(`the skill ${name} is no longer available`);
      const { file } = input;
      if (typeof file !== "string") return done(skillContent(skill, { listsFiles: listsFiles() }));
      const folder = ownFolder(skill);
      if (folder === undefined) return failed(noFiles(name, skill.resourceBase));
      try {
        return done(readResource(folder, file));
      } catch (error) {
        if (error instanceof NacreError) return failed(error.message);
        throw error;
      }
    },
  };
}

const unknown = (name: string): string => `unknown skill: ${name}`;
function noFiles(name: string, base: { readonly kind: string } | undefined): string {
  if (base?.kind === "url" || base?.kind === "opaque")
    return `the files of ${name} are not on this machine; the skill says where they are`;
  return `the skill ${name} is a single file and has no files of its own`;
}

/** Why a skill may not be loaded; undefined where it may. `byModel`: not asked for by a person. */
export function refusalOf(
  found: ReturnType<typeof findSkill>,
  name: string,
  byModel: boolean,
): string | undefined {
  if (!found) return unknown(name);
  if ("ambiguous" in found)
    return `${name} is the name of several skills; name one of them: ${found.ambiguous.join(", ")}`;
  const { entry, state } = found;
  switch (state) {
    case "denied":
      return `the skill ${entry.name} is denied by a permission rule`;
    case "off":
      return `the skill ${entry.name} is switched off`;
    case "untrusted":
      return `the skill ${entry.name} belongs to a plugin that waits for trust`;
    case "invalid":
      return `the skill ${entry.name} cannot be loaded: ${entry.diagnostics.find(({ severity }) => severity === "error")?.message ?? "its file is broken"}`;
    case "on":
    case "shadowed":
      if (byModel && entry.hiddenFromModel)
        return `the skill ${entry.name} is not for the model to load; the user can load it with /skill ${entry.name}`;
      return !byModel && !entry.userInvocable
        ? `the skill ${entry.name} is for the model alone; it is not loaded by name`
        : undefined;
  }
}
