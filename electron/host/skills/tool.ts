import { NacreError } from "../../../shared/errors.ts";
import { splitSkillName } from "../../../shared/names.ts";
import type { Rule } from "../config/permission.ts";
import type { Tool, ToolOutput } from "../tools/types.ts";
import { skillContent } from "./content.ts";
import type { SkillFiles } from "./files.ts";
import { findSkill } from "./find-skill.ts";
import { ownFolder } from "./local-skill.ts";
import { goneSkill, refusalOf, unknownSkill } from "./refusal.ts";
import type { SkillRegistry } from "./registry.ts";
import { ruleNames, type ResolvedSkill } from "./resolve.ts";
import type { SkillDefinition } from "./types.ts";

export interface SkillToolOptions {
  readonly registry: SkillRegistry;
  readonly files: SkillFiles;
  /** All skills, their states by these rules: as that conversation sees them, or whoever is in none (empty). */
  readonly resolve: (rules: readonly Rule[], sessionId?: string) => readonly ResolvedSkill[];
  readonly listsFiles: () => boolean;
}
const failed = (output: string): ToolOutput => ({ output, isError: true, sandboxed: null });
const done = (output: string): ToolOutput => ({ output, isError: false, sandboxed: null });
const nameOf = ({ name }: Readonly<Record<string, unknown>>): string =>
  typeof name === "string" ? name : "";

/** `skill({ name, file? })` (spec 3). @param description What the model reads of it; the catalog may stand in it. */
export function createSkillTool(
  { registry, files, resolve, listsFiles }: SkillToolOptions,
  description: string,
): Tool {
  return {
    name: "skill",
    title: "skill",
    description,
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
    touches: (input) => {
      const found = findSkill(resolve([]), nameOf(input));
      return { names: found && "entry" in found ? ruleNames(found.entry.name) : [nameOf(input)] };
    },
    ruleDenial: (input) => unknownSkill(nameOf(input)),
    facts: async (input) => {
      const { file } = input;
      return [{ label: "skill", values: [nameOf(input), ...(typeof file === "string" ? [file] : [])] }];
    },
    run: async (input, { caller, workspace, sessionId, signal }) => {
      const name = nameOf(input);
      if (!splitSkillName(name))
        return failed(
          `invalid name: "${name}"; a skill is named with lower-case letters, digits and hyphens, a plugin's plugin:name`,
        );
      const found = findSkill(resolve(caller.policy.rules, sessionId ?? ""), name);
      const refusal = refusalOf(found, name, caller.kind === "user" ? "person" : "model");
      if (refusal !== undefined || !found || "ambiguous" in found)
        return failed(refusal ?? unknownSkill(name));
      const lookup = { cwd: workspace, signal, ...(sessionId === null ? {} : { sessionId }) };
      const skill = await registry.get(found.entry.name, lookup);
      if (!skill) return failed(goneSkill(name));
      const { file } = input;
      if (typeof file === "string") return readFile(files, skill, name, file);
      const folder = listsFiles() ? ownFolder(skill) : undefined;
      return done(skillContent(skill, folder === undefined ? undefined : await files.resources(folder)));
    },
  };
}

async function readFile(
  files: SkillFiles,
  skill: SkillDefinition,
  name: string,
  file: string,
): Promise<ToolOutput> {
  const folder = ownFolder(skill);
  if (folder === undefined) return failed(noFiles(name, skill));
  try {
    return done(await files.resource(folder, file));
  } catch (error) {
    if (error instanceof NacreError) return failed(error.message);
    throw error;
  }
}
function noFiles(name: string, { resourceBase: base }: SkillDefinition): string {
  switch (base?.kind) {
    case "url":
      return `the files of ${name} are not on this machine; they are relative to ${base.url}`;
    case "opaque":
      return `the files of ${name} are not on this machine; they are in ${base.description}`;
    case "directory":
      return `the skill ${name} is a single file and has no files of its own`;
    case undefined:
      return `the skill ${name} has no files`;
  }
}
