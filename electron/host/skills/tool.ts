import { NacreError } from "../../../shared/errors.ts";
import { splitSkillName } from "../../../shared/names.ts";
import type { Rule } from "../config/permission.ts";
import type { Caller, Tool, ToolOutput } from "../tools/types.ts";
import { findSkill, type FoundByName } from "./find-skill.ts";
import type { SkillReader } from "./reader.ts";
import { refusalOf, unknownSkill } from "./refusal.ts";
import { ruleNames, type ResolvedSkill } from "./resolve.ts";

export interface SkillToolOptions {
  readonly reader: SkillReader;
  /** All skills, their states by these rules: as that conversation sees them, or whoever is in none (empty). */
  readonly resolve: (rules: readonly Rule[], sessionId?: string) => readonly ResolvedSkill[];
}
const failed = (output: string): ToolOutput => ({ output, isError: true, sandboxed: null });
const done = (output: string): ToolOutput => ({ output, isError: false, sandboxed: null });
const nameOf = ({ name }: Readonly<Record<string, unknown>>): string =>
  typeof name === "string" ? name : "";

/** `skill({ name, file? })` (spec 3). @param description What the model reads of it; the catalog may stand in it. */
export function createSkillTool({ reader, resolve }: SkillToolOptions, description: string): Tool {
  /** What a name means for who calls, and why that may not be loaded. */
  const meant = (
    name: string,
    { kind, policy, sessionId }: Caller,
  ): { readonly found: FoundByName | undefined; readonly refusal: string | undefined } => {
    const found = findSkill(resolve(policy.rules, sessionId ?? ""), name);
    const refusal = splitSkillName(name)
      ? refusalOf(found, name, kind === "user" ? "person" : "model")
      : `invalid name: "${name}"; a skill is named with lower-case letters, digits and hyphens, a plugin's plugin:name`;
    return { found, refusal };
  };
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
    touches: (input, caller) => {
      const { found } = meant(nameOf(input), caller);
      return { names: found && "entry" in found ? ruleNames(found.entry.name) : [nameOf(input)] };
    },
    cannot: (input, caller) => meant(nameOf(input), caller).refusal,
    ruleDenial: (input) => unknownSkill(nameOf(input)),
    facts: async (input) => {
      const { file } = input;
      return [{ label: "skill", values: [nameOf(input), ...(typeof file === "string" ? [file] : [])] }];
    },
    run: async (input, { caller, signal }) => {
      const name = nameOf(input);
      const { found, refusal } = meant(name, caller);
      if (refusal !== undefined || !found || "ambiguous" in found)
        return failed(refusal ?? unknownSkill(name));
      const { file } = input;
      try {
        const skill = await reader.load(found.entry, signal);
        const text =
          typeof file === "string" ? await reader.file(skill, file, signal) : await reader.content(skill);
        return skill.outside ? { ...done(text), outside: true } : done(text);
      } catch (error) {
        if (error instanceof NacreError) return failed(error.message);
        throw error;
      }
    },
  };
}
