import { ruleText } from "../../shared/policy.ts";
import type { Foundation } from "./foundation.ts";
import { isWindow } from "./options.ts";
import { type Asking, confirmWidening } from "./own-questions.ts";
import { removedRule } from "./removed-rule.ts";
import { checkedRoot, rootEdit } from "./writable-roots.ts";
import { type SettingsChange, widenedPolicy, type Widening } from "./widened-policy.ts";

/**
 * Writes settings, whoever changes them: a window, a slash command, a picker. What would allow more than now is asked
 * about first, where a window could have been made to send it.
 * @throws NacreError `denied`, `invalid_input` for a folder that cannot be written in; then nothing is written
 */
export async function changeSettings(
  foundation: Foundation,
  wanted: SettingsChange,
  asking: Asking,
): Promise<void> {
  const { config } = foundation;
  const { addRoot: given } = wanted;
  const change = given === undefined ? wanted : { ...wanted, addRoot: checkedRoot(foundation, given) };
  await confirmed(foundation, () => widenedPolicy(config.current.settings, change), asking);
  const { model, approval, sandbox, theme, locale } = change;
  const edits = [
    { path: ["model"], value: model },
    { path: ["policy", "approval"], value: approval },
    { path: ["policy", "sandbox"], value: sandbox },
    { path: ["policy", "network_access"], value: change.networkAccess },
    { path: ["policy", "careful_after_outside_text"], value: change.carefulAfterOutsideText },
    { path: ["sandbox", "pluginNetwork"], value: change.pluginNetwork },
    { path: ["appearance", "theme"], value: theme },
    { path: ["appearance", "locale"], value: locale },
  ].flatMap((edit) =>
    edit.value === undefined ? [] : [{ ...edit, value: edit.value === null ? undefined : edit.value }],
  );
  await config.updateSettings((current) => [...edits, ...rootEdit(current, change, foundation)]);
}
/**
 * Takes a rule out of settings.json, and out of what "this session" remembers: from the next call on it is asked again.
 * A rule that denies or asks is asked about first, as every widening is.
 * @throws NacreError `not_found`, `denied`
 */
export async function removeRule(
  foundation: Foundation,
  rule: { readonly tool: string; readonly pattern: string },
  asking: Asking,
): Promise<void> {
  const { config, workspace, broker } = foundation;
  const { tool, pattern } = rule;
  const text = ruleText(rule);
  const widened = (): readonly Widening[] =>
    config.current.rules
      .filter((one) => one.tool === tool && one.pattern === pattern && one.answer !== "allow")
      .map(({ answer }) => ({ setting: `permission ${text}`, from: answer, to: "no rule" }));
  await confirmed(foundation, widened, asking);
  await config.updateSettings((current) => removedRule(current, workspace, tool, pattern));
  broker.forgetRule(text);
}
/** Asks about what a change would widen, in a window; on a command line the person typed it. @throws NacreError `denied` */
export async function confirmed(
  foundation: Foundation,
  widened: () => readonly Widening[],
  asking: Asking,
): Promise<void> {
  if (isWindow(foundation.options) && widened().length > 0)
    await confirmWidening(foundation, widened, asking);
}
