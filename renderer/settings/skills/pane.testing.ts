import { flushPromises, type VueWrapper } from "@vue/test-utils";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { RuleRow } from "../../../shared/workspace.ts";
import { workspaceView } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc, type MemoryRpc } from "../../rpc.testing.ts";
import { skillInspection } from "../fixtures.testing.ts";
import SkillPane from "./SkillPane.vue";

/** Presses the button of that name, or of that accessible name. */
export async function press(wrapper: VueWrapper, name: string): Promise<void> {
  const found = wrapper
    .findAll("button")
    .find((one) => one.text() === name || one.attributes("aria-label") === name);
  if (!found) throw new Error(`no button ${name} in ${wrapper.text()}`);
  await found.trigger("click");
  await flushPromises();
}
/** The same on the page: dialogs stand outside of their component. */
export async function pressOnPage(name: string): Promise<void> {
  const found = [...document.querySelectorAll("button")].find(
    (one) => one.textContent?.trim() === name || one.getAttribute("aria-label") === name,
  );
  if (!found) throw new Error(`no button ${name} on the page`);
  found.click();
  await flushPromises();
}
/** The pane of a row, told what the host says of it. */
export const open = async (
  row: SkillRow,
  rpc: MemoryRpc = memoryRpc({ "skills.show": () => skillInspection({ row }) }),
  rules: readonly RuleRow[] = [],
) => {
  const view = workspaceView({ skills: [row] });
  const mounted = mountApp(SkillPane, {
    rpc,
    props: { row, problem: "" },
    view: { ...view, settings: { ...view.settings, rules } },
  });
  await flushPromises();
  return mounted;
};
/** What the host was called with. */
export const callsOf = (rpc: MemoryRpc, method: string): unknown[] =>
  rpc.calls.filter((call) => call.method === method).map(({ input }) => input);
