import { ruleSourceText } from "../../shared/rule-source.ts";
import type { SkillExplanation, SkillReason, SkillVerdict } from "../../shared/skills.ts";

/** Why each skill of a name is or is not offered, for people: a line for each skill, one for each reason. */
export function skillExplanationText({ name, verdicts, reasons }: SkillExplanation): string {
  return [
    ...verdicts.flatMap((verdict) => [
      headline(verdict),
      ...verdict.reasons.map((reason) =>
        reason.code === "shadowed"
          ? `  ${shadowedText(reason, verdict.row, verdicts)}`
          : `  ${reasonText(reason, verdict.row.name)}`,
      ),
      ...(verdict.repairable ? [`  ${repairText(verdict.row, verdicts.length > 1)}`] : []),
    ]),
    ...reasons.map((reason) => reasonText(reason, name)),
  ].join("\n");
}
const repairText = ({ name, source }: SkillVerdict["row"], isOneOfSeveral: boolean): string =>
  `it can be repaired: nacre skills repair ${name}${isOneOfSeveral ? ` --source ${source}` : ""}`;
/** What wins the name, by its file or by its id where it has none, and why. */
function shadowedText(
  { detail = "" }: SkillReason,
  { name, source }: SkillVerdict["row"],
  verdicts: readonly SkillVerdict[],
): string {
  const winner = verdicts.find(({ row }) => row.path === detail || row.id === detail)?.row;
  const by = winner ? `${detail} (${winner.source})` : detail;
  const unpin = winner?.pinned ? `, which is pinned: nacre skills unpin ${name} ends that, ` : "; ";
  return `it is shadowed by ${by}${unpin}nacre skills pin ${name} --source ${source} makes this one win`;
}
function headline({ row, offered, invocable }: SkillVerdict): string {
  const model = offered ? "offered to the model" : "not offered to the model";
  const person = invocable ? `/skill ${row.name} loads it` : "not to be loaded by name";
  return `${row.name} (${row.source}${row.path === "" ? "" : `, ${row.path}`}): ${model}, ${person}`;
}

/** One reason as a sentence; `name` is the skill's. The window has its own words for the codes. */
function reasonText({ code, detail = "", source }: SkillReason, name: string): string {
  const where = source === undefined ? "" : ` (${ruleSourceText(source)})`;
  switch (code) {
    case "on":
      return "it is on";
    case "pinned":
      return `it is pinned: nacre skills unpin ${name} ends that`;
    case "unknown":
      return `there is no skill ${name}${detail === "" ? "" : `; did you mean ${detail}?`}`;
    case "off":
      return "it is switched off";
    case "root_off":
      return `${detail} lies in a root that is switched off: ${source ?? ""}`;
    case "plugin_off":
      return `its plugin ${detail} is switched off: nacre plugins enable ${detail}`;
    case "shadowed":
      return `it is shadowed by ${detail}`;
    case "invalid":
      return `its file is no skill: ${detail}`;
    case "denied":
      return `the rule ${detail} denies it${where}`;
    case "asks":
      return `the rule ${detail} asks before it is loaded${where}`;
    case "plugin_waits":
      return `its plugin ${detail} waits for trust: nacre plugins trust`;
    case "workspace_untrusted":
      return "its workspace is not trusted; a skill counts as text and starts nothing";
    case "worktree_untrusted":
      return `its workspace is not trusted, though it is a git worktree of ${detail}, which is: trust covers one folder alone (nacre plugins trust); a skill counts as text and starts nothing`;
    case "hidden_from_model":
      return "it is hidden from the model (disable-model-invocation)";
    case "not_invocable":
      return "it is for the model alone (user-invocable: false)";
    case "tool_off":
      return `the role ${detail} has no skill tool${where}`;
    case "catalog_dropped":
      return "it found no room in the catalog; the model can load it by its name alone";
    case "catalog_shortened":
      return "the catalog had no room for its whole description; a part of it stands there";
    case "description_long":
      return `its description is longer than ${detail} characters, so that a part of it stands in the catalog`;
    case "name_taken":
      return `${detail} is a command of Nacre's own: /skill ${name} loads it`;
  }
}
