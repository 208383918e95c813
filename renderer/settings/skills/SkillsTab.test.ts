import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import { skillInspection, skillRow } from "../fixtures.testing.ts";
import SkillsTab from "./SkillsTab.vue";

const switchNamed = (name: string): HTMLButtonElement => {
  const found = document.querySelector<HTMLButtonElement>(`[role=switch][aria-label="${name}"]`);
  if (!found) throw new Error(`no switch ${name}`);
  return found;
};
const skills = [
  skillRow({ name: "pdf" }),
  skillRow({ name: "notes", scope: "user", source: "user-nacre", state: "off" }),
  skillRow({
    name: "broken",
    state: "invalid",
    diagnostics: [
      {
        code: "frontmatter-yaml",
        severity: "error",
        message: "an open quote",
        path: "/x/SKILL.md",
        line: 3,
        fix: "close it",
      },
    ],
  }),
  skillRow({
    id: "skill:x/pdf",
    path: "/x/pdf",
    name: "pdf",
    source: "x",
    state: "shadowed",
    shadowedBy: "project-agents",
  }),
];

test("each skill is a switch named by it; a press switches it by its id", async () => {
  const rpc = memoryRpc({ "skills.show": ({ id }) => skillInspection({ row: skillRow({ id }) }) });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  await flushPromises();
  expect(wrapper.findAll("[role=switch]").map((one) => one.attributes("aria-label"))).toEqual([
    "pdf",
    "broken",
    "pdf",
    "notes",
  ]);
  expect(switchNamed("pdf").getAttribute("aria-checked")).toBe("true");
  expect(switchNamed("broken").disabled).toBe(true);
  switchNamed("notes").click();
  switchNamed("pdf").click();
  await flushPromises();
  expect(rpc.calls.filter(({ method }) => method === "switch.set").map(({ input }) => input)).toEqual([
    { id: "skill:user-nacre/notes", enabled: true },
    { id: "skill:project-agents/pdf", enabled: false },
  ]);
});

test("the pane shows what a skill tells the model, and what is wrong with one that does not load", async () => {
  const rpc = memoryRpc({ "skills.show": ({ id }) => skillInspection({ row: skillRow({ id }) }) });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  await flushPromises();
  expect(wrapper.get("aside").text()).toContain("Read the file first.");
  await wrapper
    .findAll("li button.name")
    .find((one) => one.text() === "broken")
    ?.trigger("click");
  await flushPromises();
  const pane = wrapper.get("aside").text();
  expect(pane).toContain("an open quote");
  expect(pane).toContain("line 3");
  expect(pane).toContain("close it");
  expect(rpc.calls.filter(({ method }) => method === "skills.show")).toHaveLength(2);
});

test("search and state narrow the list", async () => {
  const { wrapper } = mountApp(SkillsTab, { view: { skills } });
  await wrapper.get("input[type=search]").setValue("note");
  expect(wrapper.findAll("[role=switch]")).toHaveLength(1);
  await wrapper.get("input[type=search]").setValue("");
  await wrapper
    .findAll("button.chip")
    .find((one) => one.text().startsWith("Shadowed"))
    ?.trigger("click");
  expect(wrapper.get("ul.list").text()).toContain("shadowed by project-agents");
});

test("a skill that cannot be read any more says so in its pane", async () => {
  const rpc = memoryRpc({
    "skills.show"() {
      throw new NacreError("not_found", "the skill pdf is no longer available");
    },
  });
  const { wrapper } = mountApp(SkillsTab, { rpc, view: { skills } });
  await flushPromises();
  expect(wrapper.get("aside [role=alert]").text()).toContain("no longer available");
});
