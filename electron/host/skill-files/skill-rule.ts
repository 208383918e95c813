import { NacreError } from "../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { splitSkillName } from "../../../shared/names.ts";
import { ruleText, type RuleAnswer } from "../../../shared/policy.ts";
import type { Edit } from "../config/jsonc.ts";
import { parsePermission, type Rule } from "../config/permission.ts";
import type { Foundation } from "../foundation.ts";
import type { Asking } from "../own-questions.ts";
import { lastMatch } from "../policy/rules.ts";
import { confirmed } from "../settings-changes.ts";
import { ruleNames } from "../skills/resolve.ts";
import type { Widening } from "../widened-policy.ts";
import { countingRules } from "../workspace-rules.ts";

/** A plugin's name, a colon and a skill's. */
const longestName = 64 + 1 + 64;
const strictness: Readonly<Record<RuleAnswer, number>> = { allow: 0, ask: 1, deny: 2 };
/** No match allows (spec 3, Permissions). */
const answerFor = (rules: readonly Rule[], name: string): RuleAnswer =>
  lastMatch(rules, ["skill"], ruleNames(name))?.answer ?? "allow";

/**
 * Writes or takes away the rule of one skill in settings.json, `permission.skill.<name>`. What would allow more than now
 * is asked about first, where a window could have been made to send it: of every skill that the name means, as a bare
 * name is a rule for each plugin's skill of that name too.
 * @param listed Names of the skills that there are.
 * @throws NacreError `invalid_input` for no name, `not_found` where there is no such rule, `configuration` where another
 * rule of the same file would decide all the same, `denied`; then nothing is written
 */
export async function setSkillRule(
  foundation: Foundation,
  name: string,
  answer: RuleAnswer | null,
  listed: () => readonly string[],
  asking: Asking,
): Promise<void> {
  const { config, workspace, broker } = foundation;
  if (!splitSkillName(name) || name.length > longestName)
    throw new NacreError(
      "invalid_input",
      `"${name.slice(0, 100)}" is no skill name: a rule is made for one skill`,
    );
  const setting = `permission ${ruleText({ tool: "skill", pattern: name })}`;
  const widened = (): readonly Widening[] => {
    const { rules } = countingRules(foundation);
    if (answer === null) {
      const own = rules.find(
        (rule) => rule.tool === "skill" && rule.pattern === name && rule.source === "settings",
      );
      // What stands behind a rule that is taken away may deny as well: that it is gone is told all the same.
      return own && own.answer !== "allow" ? [{ setting, from: own.answer, to: "no rule" }] : [];
    }
    // Patterns name skills as well: one of a plugin that is off now is there again when it is on.
    const meant = new Set(
      [name, ...listed(), ...rules.map(({ pattern }) => pattern)].filter((one) =>
        ruleNames(one).includes(name),
      ),
    );
    return [...meant].flatMap((one) => {
      const from = answerFor(rules, one);
      if (strictness[answer] >= strictness[from]) return [];
      return { setting: one === name ? setting : `${setting} (${one})`, from, to: answer };
    });
  };
  await confirmed(foundation, widened, asking);
  await config.updateSettings((current) => ruleEdits(current, workspace, name, answer));
  broker.forgetRule(ruleText({ tool: "skill", pattern: name }));
}

/**
 * The edits that make `answer` what settings.json says last of one skill. Pure. The rule goes to the end of the `skill`
 * map; an answer for all skills becomes the first member of one.
 * @throws NacreError `not_found`, `configuration`
 */
export function ruleEdits(
  current: JsonObject,
  workspace: string,
  name: string,
  answer: RuleAnswer | null,
): Edit[] {
  const { permission } = current;
  const ofSkill =
    isObject(permission) && Object.hasOwn(permission, "skill") ? permission["skill"] : undefined;
  const remembered = isObject(current["remembered"]) ? current["remembered"][workspace] : undefined;
  const text = ruleText({ tool: "skill", pattern: name });
  const edits: Edit[] = [];
  if (Array.isArray(remembered) && remembered.includes(text))
    edits.push({ path: ["remembered", workspace], value: remembered.filter((one) => one !== text) });
  if (isObject(ofSkill) && Object.hasOwn(ofSkill, name))
    edits.push({ path: ["permission", "skill", name], value: undefined });
  if (answer === null) {
    if (edits.length > 0) return edits;
    throw new NacreError(
      "not_found",
      `settings.json has no rule ${text}: it stands in another file, or as a pattern`,
    );
  }
  if (permission === undefined || isObject(permission)) {
    // Taken away first where it stands already, so that it stands last.
    if (ofSkill === undefined || isObject(ofSkill))
      edits.push({ path: ["permission", "skill", name], value: answer });
    else edits.push({ path: ["permission", "skill"], value: { "*": ofSkill, [name]: answer } });
  } else edits.push({ path: ["permission"], value: { "*": permission, skill: { [name]: answer } } });
  assertDecides(permission, name, answer);
  return edits;
}
/** A rule for more tools than this one may stand behind the map: writing into the map would then change nothing. */
function assertDecides(permission: unknown, name: string, answer: RuleAnswer): void {
  if (!isObject(permission)) return;
  const behind = Object.keys(permission).slice(Object.keys(permission).indexOf("skill") + 1);
  if (!Object.hasOwn(permission, "skill")) return;
  const { rules } = parsePermission(
    Object.fromEntries(behind.map((tool) => [tool, permission[tool]])),
    "settings",
    true,
  );
  const other = lastMatch(rules, ["skill"], ruleNames(name));
  if (other && other.answer !== answer)
    throw new NacreError(
      "configuration",
      `nothing was changed: in settings.json "${ruleText(other)}": "${other.answer}" stands behind the rules for skills and decides all the same; move it before "skill"`,
    );
}
