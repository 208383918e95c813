import { flushPromises } from "@vue/test-utils";
import { afterEach, expect, test } from "vitest";
import { skillObstacles, type SkillObstacle } from "../../../shared/skills.ts";
import { dismissUndo, undoables } from "../../app/undo.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import { skillInspection, skillRow } from "../fixtures.testing.ts";
import { callsOf, open, press, pressOnPage } from "./pane.testing.ts";
import SkillPane from "./SkillPane.vue";

afterEach(() => undoables.value.forEach(({ id }) => dismissUndo(id)));

test("deleting moves it to the trash, says where that is, and can be undone", async () => {
  const row = skillRow();
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.remove": () => ({ undo: "u1", place: "/data/trash/u1/pdf" }),
  });
  const { wrapper } = await open(row, rpc);
  await press(wrapper, "Delete");
  expect(callsOf(rpc, "skills.remove")).toEqual([{ id: row.id }]);
  expect(wrapper.emitted("removed")).toHaveLength(1);
  expect(undoables.value).toMatchObject([{ text: "pdf is in the trash.", place: "/data/trash/u1/pdf" }]);
  await undoables.value[0]?.undo();
  expect(callsOf(rpc, "skills.restore")).toEqual([{ undo: "u1" }]);
});

test("of a link only the link is removed, and that is said", async () => {
  const row = skillRow();
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.remove": () => ({ undo: "u1", place: "/trash", linkTo: "/real/pdf" }),
  });
  const { wrapper } = await open(row, rpc);
  await press(wrapper, "Delete");
  expect(undoables.value[0]?.text).toContain("/real/pdf");
});

test("a conversation's skill is saved to where it is to stay", async () => {
  const row = skillRow({ scope: "session", source: "session", path: "", sessionId: "s1" });
  const saved = skillRow({ name: "saved" });
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.save": () => saved,
  });
  const { wrapper } = await open(row, rpc);
  await press(wrapper, "Save to workspace");
  await press(wrapper, "Save to my skills");
  expect(callsOf(rpc, "skills.save")).toEqual([
    { id: row.id, scope: "workspace" },
    { id: row.id, scope: "user" },
  ]);
  expect(wrapper.emitted("saved")).toEqual([[saved], [saved]]);
});

test("a conversation's skill is deleted for good only after a question", async () => {
  const row = skillRow({ scope: "session", source: "session", path: "", sessionId: "s1" });
  const rpc = memoryRpc({
    "skills.show": () => skillInspection({ row }),
    "skills.remove": () => ({ undo: null, place: null }),
  });
  const { wrapper } = await open(row, rpc);
  await press(wrapper, "Delete");
  await pressOnPage("Cancel");
  expect(callsOf(rpc, "skills.remove")).toEqual([]);
  await press(wrapper, "Delete");
  await pressOnPage("Delete for good");
  expect(callsOf(rpc, "skills.remove")).toEqual([{ id: row.id }]);
  expect(undoables.value).toEqual([]);
});

test("what belongs to a plugin cannot be changed here, and that is said", async () => {
  const row = skillRow({ scope: "plugin" });
  const { wrapper } = await open(
    row,
    memoryRpc({
      "skills.show": () => skillInspection({ row, editable: false, uneditable: "kept", removable: false }),
    }),
  );
  const names = wrapper.findAll("button").map((one) => one.text() || one.attributes("aria-label"));
  expect(names).not.toContain("Edit");
  expect(names).not.toContain("Delete");
  expect(names).toContain("Copy the path");
  expect(wrapper.text()).toContain("belongs to a plugin");
});

test("what cannot be edited is deleted all the same, and the true reason stands there", async () => {
  const row = skillRow({ state: "invalid" });
  const show = (uneditable: SkillObstacle) =>
    memoryRpc({
      "skills.show": () => skillInspection({ row, text: null, editable: false, uneditable }),
      "skills.remove": () => ({ undo: "u1", place: "/trash" }),
    });
  const said = new Set<string>();
  for (const uneditable of skillObstacles) {
    const rpc = show(uneditable);
    const { wrapper } = await open(row, rpc);
    expect(wrapper.findAll("button").map((one) => one.text())).not.toContain("Edit");
    const words = wrapper.get(".uneditable").text();
    expect(words).not.toContain("settings.skills");
    expect(/plugin/.test(words)).toBe(uneditable === "kept");
    expect(/UTF-8/.test(words)).toBe(uneditable === "no_text");
    said.add(words);
    await press(wrapper, "Delete");
    expect(callsOf(rpc, "skills.remove")).toEqual([{ id: row.id }]);
  }
  expect(said.size).toBe(skillObstacles.length);
});

test("the desktop opens the file and its folder", async () => {
  const row = skillRow();
  const rpc = memoryRpc({ "skills.show": () => skillInspection({ row }) });
  const { wrapper } = mountApp(SkillPane, { rpc, props: { row, problem: "" }, shell: "desktop" });
  await flushPromises();
  await press(wrapper, "Open");
  await press(wrapper, "Reveal");
  expect(callsOf(rpc, "skills.reveal")).toEqual([
    { id: row.id, what: "file" },
    { id: row.id, what: "folder" },
  ]);
});
