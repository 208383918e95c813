import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { ruleSourceText } from "../../../shared/rule-source.ts";
import type { FoundByName } from "./find-skill.ts";
import { pluginOf, type ResolvedSkill, type SkillEntry } from "./resolve.ts";

/** Who wants to load a skill: a person, who may see why it is refused, or a model. */
export type Reader = "person" | "model";

export const unknownSkill = (name: string): string => `unknown skill: ${name}`;
/** Why a file is no skill. */
export const brokenSkill = (entry: SkillEntry): string =>
  `the skill ${entry.name} ${words.broken(entry)} (${placeOf(entry)})`;
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
    return refused && `the skill ${entry.name} (${placeOf(entry)}) ${refused.why}; ${refused.next}`;
  }
  const said = (why: string): string => `the skill ${entry.name} ${why}`;
  switch (state) {
    case "denied":
      return unknownSkill(name);
    case "off":
      return said(words.off);
    case "untrusted":
      return said(words.untrusted);
    case "invalid":
      return said(words.broken(entry));
    case "on":
    case "shadowed":
      return entry.hiddenFromModel
        ? said(`is not for the model to load; the user can run it with /skill ${entry.name}`)
        : undefined;
  }
}
/** Why, as the rest of a sentence, and what would help. */
function refusedToPerson({
  entry,
  state,
  rule,
}: ResolvedSkill): { readonly why: string; readonly next: string } | undefined {
  switch (state) {
    case "denied": {
      const which = rule ? ` "${rule.pattern}": "deny" in ${ruleSourceText(rule.source)}` : "";
      return { why: `is denied by the permission rule${which}`, next: "change the rule there" };
    }
    case "off":
      return {
        why: words.off,
        next: entry.enabled
          ? `switch it on: /skills enable ${entry.name}`
          : `switch its plugin on: /plugins enable ${pluginOf(entry.name) ?? ""}`,
      };
    case "untrusted":
      return { why: words.untrusted, next: "see what it declares and trust it: /plugins trust" };
    case "invalid":
      return { why: words.broken(entry), next: errorOf(entry)?.fix ?? "correct its file" };
    case "on":
    case "shadowed":
      return entry.userInvocable
        ? undefined
        : {
            why: "is for the model alone; it is not loaded by name",
            next: "take user-invocable: false out of its file to load it so",
          };
  }
}
const placeOf = ({ path, id }: SkillEntry): string => (path === "" ? id : path);
const errorOf = ({ diagnostics }: SkillEntry): Diagnostic | undefined =>
  diagnostics.find(({ severity }) => severity === "error");
/** Of a skill, behind its name. */
const words = {
  off: "is switched off",
  untrusted: "belongs to a plugin that waits for trust",
  broken: (entry: SkillEntry): string =>
    `cannot be loaded: ${errorOf(entry)?.message ?? "its file is broken"}`,
} as const;
