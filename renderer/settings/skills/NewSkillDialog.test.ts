import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import { navigate } from "../../app/route.ts";
import { sessionRow } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import { skillInspection, skillRow } from "../fixtures.testing.ts";
import { press, pressOnPage } from "./pane.testing.ts";
import SkillsTab from "./SkillsTab.vue";

const made = skillRow({ name: "release-notes", source: "project-nacre" });
const root = (source: string, path: string) => ({
  id: `skills:${source}`,
  source,
  scope: "user",
  rank: 1,
  enabled: true,
  folders: [{ path, exists: false, count: 0 }],
});
const hostOf = () =>
  memoryRpc({
    "skills.roots": () => [
      root("project-nacre", "/ws/.agent/skills"),
      root("user-nacre", "C:\\me\\nacre\\skills"),
    ],
    "skills.create": () => made,
    "skills.show": ({ id }) => skillInspection({ row: id === made.id ? made : skillRow(), text: "the text" }),
  });
const dialog = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>("[role=dialog]");
  if (!found) throw new Error("no dialog");
  return found;
};
const type = async (name: string): Promise<void> => {
  const field = dialog().querySelector("input");
  if (!field) throw new Error("no field");
  field.value = name;
  field.dispatchEvent(new Event("input"));
  await flushPromises();
};
const open = async (rpc = hostOf()) => {
  const mounted = mountApp(SkillsTab, {
    rpc,
    view: { skills: [skillRow()], sessions: [sessionRow({ id: "s1", title: "Harbor" })] },
  });
  await flushPromises();
  await press(mounted.wrapper, "New skill");
  return { ...mounted, rpc };
};
beforeEach(() => navigate("settings", "skills"));

test("a name is checked while it is typed, and the corrected one is offered", async () => {
  await open();
  const create = (): boolean =>
    [...dialog().querySelectorAll("button")].find((one) => one.textContent?.trim() === "Create")?.disabled ??
    true;
  expect(create()).toBe(true);
  await type("Release Notes");
  expect(dialog().textContent).toContain("Only lower-case letters");
  expect(create()).toBe(true);
  await pressOnPage("Take release-notes");
  expect(dialog().textContent).not.toContain("Only lower-case letters");
  expect(create()).toBe(false);
  await type("发布");
  expect(dialog().textContent).toContain("Only lower-case letters");
  expect(dialog().textContent).not.toContain("Take");
  await type("a".repeat(65));
  expect(dialog().textContent).toContain("At most 64 characters.");
  await type("pdf");
  expect(dialog().textContent).toContain("Another skill has this name");
});

test("the file that will be written is shown; making it opens it in the editor", async () => {
  const { wrapper, rpc } = await open();
  await type("release-notes");
  expect(dialog().textContent).toContain("/ws/.agent/skills/release-notes/SKILL.md");
  await pressOnPage("All my workspaces");
  expect(dialog().textContent).toContain("C:\\me\\nacre\\skills\\release-notes\\SKILL.md");
  dialog().querySelector("form")?.dispatchEvent(new Event("submit"));
  await flushPromises();
  expect(rpc.calls.filter(({ method }) => method === "skills.create").map(({ input }) => input)).toEqual([
    { name: "release-notes", scope: "user" },
  ]);
  // The list has it a moment later.
  expect(wrapper.get("textarea").element.value).toBe("the text");
  expect(wrapper.get(".editor").attributes("aria-label")).toBe("Editing release-notes");
});

test("this conversation is offered where one is open", async () => {
  const first = await open();
  expect(dialog().textContent).not.toContain("This conversation");
  first.wrapper.unmount();
  navigate("chat", "s1");
  const { rpc } = await open();
  await type("release-notes");
  await pressOnPage("This conversation");
  expect(dialog().textContent).toContain("memory of “Harbor”");
  await pressOnPage("Create");
  expect(rpc.calls.find(({ method }) => method === "skills.create")?.input).toEqual({
    name: "release-notes",
    scope: "session",
    sessionId: "s1",
  });
});

test("what the host refuses stands in the dialog", async () => {
  const rpc = hostOf();
  const call = rpc.call.bind(rpc);
  rpc.call = async (method, input) => {
    if (method === "skills.create") throw new NacreError("already_exists", "there is something already");
    return call(method, input);
  };
  await open(rpc);
  await type("release-notes");
  await pressOnPage("Create");
  expect(dialog().querySelector("[role=alert]")?.textContent).toBe("there is something already");
});
