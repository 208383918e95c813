import { flushPromises } from "@vue/test-utils";
import { afterEach, expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { workspaceView } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import { skillInspection, skillRow } from "../fixtures.testing.ts";
import { press, pressOnPage } from "./pane.testing.ts";
import { keepDraft, skillDrafts } from "./skill-drafts.ts";
import { keyOf } from "./skill-status.ts";
import SkillsTab from "./SkillsTab.vue";

const pdf = skillRow({ changedAt: 1 });
const notes = skillRow({ name: "notes" });
/** A file on a disk, whose digest is its text. */
class Disk {
  text = "one";
  row: SkillRow = pdf;
  readonly written: string[] = [];
  readonly rpc = memoryRpc({
    "skills.show": ({ id }) =>
      id === this.row.id
        ? skillInspection({ row: this.row, text: this.text, digest: this.text })
        : skillInspection({ row: notes }),
    "skills.write": ({ text, digest }) => {
      if (digest !== this.text) throw new NacreError("invalid_input", "the file is another one now");
      this.written.push(text);
      this.text = text;
      return this.row;
    },
  });
}
const editPdf = async (disk: Disk) => {
  const { wrapper } = mountApp(SkillsTab, { rpc: disk.rpc, view: { skills: [pdf, notes] } });
  await flushPromises();
  await press(wrapper, "Edit");
  const field = wrapper.get<HTMLTextAreaElement>("textarea");
  return { wrapper, field, type: (text: string) => field.setValue(text) };
};
afterEach(() => {
  for (const key of skillDrafts.value.keys()) keepDraft(key, null);
});

test("the whole file is saved by the digest of what was read, and again after that", async () => {
  const disk = new Disk();
  const { wrapper, field, type } = await editPdf(disk);
  expect(field.element.value).toBe("one");
  await type("two");
  expect(wrapper.get(".editor [role=status]").text()).toBe("Not saved");
  await press(wrapper, "Save");
  await type("three");
  await field.trigger("keydown", { key: "s", ctrlKey: true });
  await flushPromises();
  expect(disk.written).toEqual(["two", "three"]);
  expect(wrapper.get(".editor [role=status]").text()).toBe("Saved");
});

test("line ends are the host's: a file with CRLF that is typed back as it was has nothing to save", async () => {
  const disk = new Disk();
  disk.text = "a\r\nb\n";
  const { wrapper, type } = await editPdf(disk);
  await type("a\nb\nc\n");
  expect(wrapper.get(".editor [role=status]").text()).toBe("Not saved");
  await type("a\nb\n");
  expect(wrapper.get(".editor [role=status]").text()).toBe("");
  await type("a\nb\nc\n");
  await press(wrapper, "Save");
  expect(disk.written).toEqual(["a\nb\nc\n"]);
});

test("problems of the file as it is saved stand below it", async () => {
  const disk = new Disk();
  const { wrapper, type } = await editPdf(disk);
  await type("---\nname: pdf\ndescription: a: b\n---\n");
  disk.row = {
    ...pdf,
    diagnostics: [{ code: "frontmatter-yaml", severity: "error", message: "a colon", line: 3 }],
  };
  await press(wrapper, "Save");
  expect(wrapper.get(".editor .diag").text()).toContain("a colon");
  await press(wrapper, "Go to line 3");
  const { selectionStart, selectionEnd, value } = wrapper.get<HTMLTextAreaElement>("textarea").element;
  expect(value.slice(selectionStart, selectionEnd)).toBe("description: a: b");
});

test("a file that somebody else has changed is not overwritten: both texts are shown, and the person decides", async () => {
  const disk = new Disk();
  const { wrapper, field, type } = await editPdf(disk);
  await type("mine");
  disk.text = "theirs";
  await press(wrapper, "Save");
  expect(disk.written).toEqual([]);
  expect(field.element.value).toBe("mine");
  const notice = () => wrapper.get(".editor [role=alert]").text();
  expect(notice()).toContain("The file has changed on the disk");
  await expect.poll(notice).toContain("theirs");
  await press(wrapper, "Save mine over it");
  expect(disk.written).toEqual(["mine"]);
  expect(wrapper.find(".editor [role=alert]").exists()).toBe(false);
});

test("the file as it is now can be taken instead", async () => {
  const disk = new Disk();
  const { wrapper, field, type } = await editPdf(disk);
  await type("mine");
  disk.text = "theirs";
  await press(wrapper, "Save");
  await press(wrapper, "Take the file as it is now");
  expect(field.element.value).toBe("theirs");
  expect(skillDrafts.value.size).toBe(0);
});

test("what was not touched follows the file", async () => {
  const disk = new Disk();
  const { wrapper, field } = await editPdf(disk);
  disk.text = "theirs";
  disk.row = { ...pdf, changedAt: 2 };
  const view = workspaceView({ skills: [disk.row, notes] });
  disk.rpc.event("workspace", { type: "slice", slice: { skills: view.skills } });
  await wrapper.vm.$nextTick();
  await flushPromises();
  expect(field.element.value).toBe("theirs");
});

test("a failed save says why, and the text stays", async () => {
  const disk = new Disk();
  const { wrapper, field, type } = await editPdf(disk);
  await type("mine");
  const call = disk.rpc.call.bind(disk.rpc);
  disk.rpc.call = async (method, input) => {
    if (method === "skills.write") throw new NacreError("io", "no space left");
    return call(method, input);
  };
  await press(wrapper, "Save");
  expect(wrapper.get(".editor [role=alert]").text()).toBe("no space left");
  expect(field.element.value).toBe("mine");
});

test.each([
  ["Keep editing", [], "mine", "pdf"],
  ["Discard them", [], undefined, "notes"],
] as const)(
  "unsaved text is asked about before another row is shown: %s",
  async (answer, written, text, shown) => {
    const disk = new Disk();
    const { wrapper, type } = await editPdf(disk);
    await type("mine");
    await press(wrapper, "notes");
    expect(document.querySelector("[role=dialog]")?.textContent).toContain(
      "pdf has changes that are not saved",
    );
    await pressOnPage(answer);
    expect(disk.written).toEqual(written);
    expect(wrapper.find("textarea").exists() ? wrapper.get("textarea").element.value : undefined).toBe(text);
    expect(wrapper.get("[aria-current=true]").text()).toBe(shown);
  },
);

test("saving it then goes on to the other row", async () => {
  const disk = new Disk();
  const { wrapper, type } = await editPdf(disk);
  await type("mine");
  await press(wrapper, "notes");
  [...document.querySelectorAll<HTMLButtonElement>("[role=dialog] button")]
    .find((one) => one.textContent?.trim() === "Save")
    ?.click();
  await flushPromises();
  expect(disk.written).toEqual(["mine"]);
  expect(wrapper.find("textarea").exists()).toBe(false);
  expect(wrapper.get("aside").attributes("aria-label")).toBe("notes");
});

test("unsaved text outlives the tab and comes back with it", async () => {
  const disk = new Disk();
  const first = await editPdf(disk);
  await first.type("mine");
  first.wrapper.unmount();
  expect(localStorage.getItem(`nacre.skill-draft.${keyOf(pdf)}`)).toContain("mine");
  disk.text = "theirs";
  const { wrapper } = mountApp(SkillsTab, { rpc: disk.rpc, view: { skills: [notes, pdf] } });
  await flushPromises();
  expect(wrapper.get("textarea").element.value).toBe("mine");
  expect(wrapper.get(".editor [role=alert]").text()).toContain("The file has changed on the disk");
  expect(wrapper.text()).toContain("unsaved");
});

test("a skill whose file is gone keeps what was typed on it", async () => {
  const disk = new Disk();
  const { wrapper, field, type } = await editPdf(disk);
  await type("mine");
  disk.rpc.event("workspace", { type: "slice", slice: { skills: [notes] } });
  await flushPromises();
  expect(field.element.isConnected).toBe(true);
  expect(field.element.value).toBe("mine");
  expect(wrapper.get(".editor [role=status]").text()).toBe("Not saved");
});
