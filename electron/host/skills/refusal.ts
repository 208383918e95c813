import type { FoundByName } from "./find-skill.ts";
import type { ResolvedSkill, SkillEntry } from "./resolve.ts";

/** Who wants to load a skill: a person, who may see why it is refused, or a model. */
export type Reader = "person" | "model";

export const unknownSkill = (name: string): string => `unknown skill: ${name}`;
/** Why a file is no skill. */
export function brokenSkill({ name, diagnostics, path, id }: SkillEntry): string {
  const error = diagnostics.find(({ severity }) => severity === "error");
  return `the skill ${name} cannot be loaded: ${error?.message ?? "its file is broken"} (${path === "" ? id : path})`;
}
export const goneSkill = (name: string): string => `the skill ${name} is no longer available`;

/**
 * Why what a name means may not be loaded; undefined where it may. A model is told of a denied skill what it is told
 * of an unknown one.
 */
export function refusalOf(found: FoundByName | undefined, name: string, reader: Reader): string | undefined {
  if (!found) return unknownSkill(name);
  if ("ambiguous" in found)
    return `${name} is the name of several skills; name one of them: ${found.ambiguous.join(", ")}`;
  return refusalOfSkill(found, name, reader);
}

function refusalOfSkill(
  { entry, state, rule }: ResolvedSkill,
  name: string,
  reader: Reader,
): string | undefined {
  switch (state) {
    case "denied":
      return reader === "model"
        ? unknownSkill(name)
        : `the skill ${entry.name} is denied by the permission rule ${rule ? `"${rule.pattern}": "deny" (${rule.source})` : ""}`.trimEnd();
    case "off":
      return `the skill ${entry.name} is switched off`;
    case "untrusted":
      return `the skill ${entry.name} belongs to a plugin that waits for trust`;
    case "invalid":
      return `the skill ${entry.name} cannot be loaded: ${entry.diagnostics.find(({ severity }) => severity === "error")?.message ?? "its file is broken"}`;
    case "on":
    case "shadowed":
      if (reader === "model" && entry.hiddenFromModel)
        return `the skill ${entry.name} is not for the model to load; the user can run it with /skill ${entry.name}`;
      return reader === "person" && !entry.userInvocable
        ? `the skill ${entry.name} is for the model alone; it is not loaded by name`
        : undefined;
  }
}
