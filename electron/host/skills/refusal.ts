import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { ruleSourceText } from "../../../shared/rule-source.ts";
import type { FoundByName } from "./find-skill.ts";
import { pluginOf, type ResolvedSkill, type SkillEntry } from "./resolve.ts";

/** Who wants to load a skill: a person, who may see why it is refused, or a model. */
export type Reader = "person" | "model";

export const unknownSkill = (name: string): string => `unknown skill: ${name}`;
/** Why a file is no skill. */
export function brokenSkill(entry: SkillEntry): string {
  return `${broken(entry)}${at(entry)}`;
}
export const goneSkill = (name: string): string => `the skill ${name} is no longer available`;

/**
 * Why what a name means may not be loaded; undefined where it may. A person is told of the file and of what would help,
 * a model of a denied skill what it is told of an unknown one.
 */
export function refusalOf(found: FoundByName | undefined, name: string, reader: Reader): string | undefined {
  if (!found) return unknownSkill(name);
  if ("ambiguous" in found)
    return `${name} is the name of several skills; name one of them: ${found.ambiguous.join(", ")}`;
  return refusalOfSkill(found, name, reader);
}

function refusalOfSkill(skill: ResolvedSkill, name: string, reader: Reader): string | undefined {
  const { entry, state } = skill;
  if (reader === "person") {
    const refused = refusedToPerson(skill);
    return refused && `${refused.why}${at(entry)}; ${refused.next}`;
  }
  switch (state) {
    case "denied":
      return unknownSkill(name);
    case "off":
      return off(entry);
    case "untrusted":
      return untrusted(entry);
    case "invalid":
      return broken(entry);
    case "on":
    case "shadowed":
      return entry.hiddenFromModel
        ? `the skill ${entry.name} is not for the model to load; the user can run it with /skill ${entry.name}`
        : undefined;
  }
}
/** Why, and what would help. */
function refusedToPerson({
  entry,
  state,
  rule,
}: ResolvedSkill): { readonly why: string; readonly next: string } | undefined {
  const plugin = pluginOf(entry.name) ?? "";
  switch (state) {
    case "denied": {
      const words = rule ? ` "${rule.pattern}": "deny" in ${ruleSourceText(rule.source)}` : "";
      return {
        why: `the skill ${entry.name} is denied by the permission rule${words}`,
        next: "change the rule there",
      };
    }
    case "off":
      return {
        why: off(entry),
        next: entry.enabled
          ? `switch it on: /skills enable ${entry.name}`
          : `switch its plugin on: /plugins enable ${plugin}`,
      };
    case "untrusted":
      return { why: untrusted(entry), next: "see what it declares and trust it: /plugins trust" };
    case "invalid":
      return { why: broken(entry), next: errorOf(entry)?.fix ?? "correct its file" };
    case "on":
    case "shadowed":
      return entry.userInvocable
        ? undefined
        : {
            why: `the skill ${entry.name} is for the model alone; it is not loaded by name`,
            next: "take user-invocable: false out of its file to load it so",
          };
  }
}
const at = ({ path, id }: SkillEntry): string => ` (${path === "" ? id : path})`;
const off = ({ name }: SkillEntry): string => `the skill ${name} is switched off`;
const untrusted = ({ name }: SkillEntry): string =>
  `the skill ${name} belongs to a plugin that waits for trust`;
const errorOf = ({ diagnostics }: SkillEntry): Diagnostic | undefined =>
  diagnostics.find(({ severity }) => severity === "error");
const broken = (entry: SkillEntry): string =>
  `the skill ${entry.name} cannot be loaded: ${errorOf(entry)?.message ?? "its file is broken"}`;
