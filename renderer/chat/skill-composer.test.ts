import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { flushPromises } from "@vue/test-utils";
import { NacreError } from "../../shared/errors.ts";
import type { SkillInvocation, SkillSuggestion } from "../../shared/skills.ts";
import { failures } from "../failures.ts";
import { sessionRow, skillRow } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import MessageComposer from "./MessageComposer.vue";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

const invocation = (part: Partial<SkillInvocation> = {}): SkillInvocation => ({
  id: "skill:user/release",
  name: "release",
  description: "Releases a version",
  schema: {
    type: "object",
    properties: { version: { type: "string" }, draft: { type: "boolean", default: false } },
    required: ["version"],
  },
  tools: [
    { name: "run_shell", found: true },
    { name: "gh_release", found: false },
  ],
  allowedTools: ["run_shell:git *"],
  model: { name: "openai/gpt-x", found: false },
  ...part,
});
const suggestion = (name: string, keyword = "notes"): SkillSuggestion => ({
  id: `skill:user/${name}`,
  name,
  description: "",
  keyword,
});
const skills = [
  skillRow({ name: "release", takesArguments: true }),
  skillRow({ name: "notes" }),
  skillRow({ name: "notes-own", sessionId: "other" }),
];
function show({
  asked = () => invocation(),
  found = (_text: string): readonly SkillSuggestion[] => [],
} = {}) {
  const rpc = memoryRpc({
    "chat.create": () => sessionRow({ id: "s9" }),
    "skills.invocation": asked,
    "skills.suggest": ({ text }) => found(text),
  });
  const { wrapper } = mountApp(MessageComposer, {
    rpc,
    view: { skills, commands: [{ name: "reload", description: "again" }] },
  });
  const field = () => wrapper.get<HTMLTextAreaElement>("[data-composer]");
  const type = async (text: string): Promise<void> => {
    await field().setValue(text);
    await vi.advanceTimersByTimeAsync(250);
    await flushPromises();
  };
  const press = async (key: string, part = {}): Promise<void> => {
    await field().trigger("keydown", { key, ...part });
    await flushPromises();
  };
  const told = (method: string) =>
    rpc.calls.filter((call) => call.method === method).map(({ input }) => input);
  const sent = () => told("chat.send").map((input) => Reflect.get(Object(input), "text"));
  const chips = () => wrapper.findAll(".suggestions > li");
  const panel = () => wrapper.find(".skill-panel");
  const fieldOf = (label: string) =>
    wrapper.get(
      `[id="${
        wrapper
          .findAll("label")
          .find((one) => one.text().startsWith(label))
          ?.attributes("for") ?? ""
      }"]`,
    );
  return { wrapper, rpc, field, type, press, told, sent, chips, panel, fieldOf };
}

test("the menu of / lists commands and the skills that a person may run here, each by its kind", async () => {
  const { wrapper, type } = show();
  await type("/re");
  expect(wrapper.findAll("[role=option]").map((one) => one.text().replace(/\s+/g, " "))).toEqual([
    "/reloadagain",
    "/releaseskillWrites notesform",
  ]);
  await type("/notes-");
  expect(wrapper.find("[role=listbox]").exists()).toBe(false);
});

test("a skill without arguments is written into the draft", async () => {
  const { type, press, field, sent } = show();
  await type("/not");
  await press("Enter");
  expect(field().element.value).toBe("/notes ");
  await type("/notes for 2.4");
  await press("Enter");
  expect(sent()).toEqual(["/notes for 2.4"]);
});

test("@ names a skill anywhere in a draft and writes nothing else", async () => {
  const { type, press, field, wrapper } = show();
  await type("please use @no");
  expect(wrapper.get("[role=listbox]").attributes("aria-label")).toBe("Skills and resources");
  await press("Tab");
  expect(field().element.value).toBe("please use @notes ");
  expect(field().element.selectionEnd).toBe("please use @notes ".length);
});

test("a skill with arguments opens its form in the composer's place, and sends what a terminal would type", async () => {
  const { type, press, panel, sent, fieldOf, wrapper, field } = show();
  await type("/rel");
  await press("ArrowDown");
  await press("Enter");
  expect(panel().attributes("aria-labelledby")).toBeTruthy();
  expect(panel().text()).toContain("Run release");
  expect(panel().text()).toContain("It needs a tool that is not here: gh_release");
  expect(panel().text()).toContain("It asks for the model openai/gpt-x, which is not here");
  expect(panel().text()).toContain("It asks to use without further questions: run_shell:git *");
  expect(document.activeElement).toBe(fieldOf("version").element);
  await wrapper.get("form").trigger("submit");
  await flushPromises();
  expect(sent()).toEqual([]);
  expect(wrapper.get(".problem").text()).toBe("This is needed.");
  await fieldOf("version").setValue("2 4");
  await fieldOf("Your message").setValue("quickly");
  await fieldOf("Your message").trigger("keydown", { key: "Enter" });
  await flushPromises();
  expect(sent()).toEqual(['/release version="2 4" draft=false quickly']);
  expect(panel().exists()).toBe(false);
  expect(field().element.value).toBe("");
});

test("beside a secret stands that it will be readable in the message, and beside nothing else", async () => {
  const properties = {
    key: { type: "string", format: "secret" },
    pins: { type: "array", items: { type: "string", format: "password" } },
    mirror: { type: "object", properties: { token: { type: "string", writeOnly: true } } },
    plain: { type: "string" },
  };
  const asked = () => invocation({ schema: { type: "object", properties, required: [] } });
  const { type, press, wrapper, fieldOf } = show({ asked });
  await type("/rel");
  await press("ArrowDown");
  await press("Enter");
  const words = "A secret is sent readable: it stands in your message, in the record, and goes to the model.";
  const told = (label: string) =>
    (fieldOf(label).attributes("aria-describedby") ?? "")
      .split(" ")
      .filter((id) => id !== "")
      .map((id) => wrapper.get(`[id="${id}"]`).text());
  expect(fieldOf("key").attributes("type")).toBe("password");
  for (const label of ["key", "token"]) expect(told(label)).toEqual([words]);
  expect(told("plain")).toEqual([]);
  expect(wrapper.findAll(".readable")).toHaveLength(3);
});

test("the draft outlives the form, and what was filled in is there when it opens again", async () => {
  const { type, press, panel, fieldOf, field } = show();
  await type("/rele");
  await press("Enter");
  await fieldOf("version").setValue("2.4");
  await panel().get("form").trigger("keydown", { key: "Escape" });
  await flushPromises();
  expect(field().element.value).toBe("/rele");
  expect(document.activeElement).toBe(field().element);
  await press("Escape");
  await type("/rel");
  await press("ArrowDown");
  await press("Enter");
  expect(fieldOf("version").element).toHaveProperty("value", "2.4");
  await fieldOf("Your message").setValue("with care");
  await panel().get("button[aria-label='Close the form']").trigger("click");
  await flushPromises();
  expect(field().element.value).toBe("/release with care");
});

test("a name with Enter opens the form where an argument is missing or wrong, with what was typed", async () => {
  const { type, press, panel, fieldOf, sent } = show();
  await type("/release");
  await press("Enter");
  expect(panel().exists()).toBe(true);
  await panel().get("form").trigger("keydown", { key: "Escape" });
  await flushPromises();
  await type("/release draft=perhaps version=3 to all");
  await press("Enter");
  expect(fieldOf("version").element).toHaveProperty("value", "3");
  expect(fieldOf("Your message").element).toHaveProperty("value", "to all");
  await panel().get("form").trigger("keydown", { key: "Escape" });
  await flushPromises();
  expect(sent()).toEqual([]);
  await type("/release version=3 to all");
  await press("Enter");
  expect(sent()).toEqual(["/release version=3 to all"]);
});

test("a wrong value stays where it was typed, is marked on opening, and no default runs in its place", async () => {
  const schema = {
    type: "object",
    properties: { channel: { type: "string", enum: ["stable", "beta"], default: "stable" } },
    required: [],
  };
  const { type, press, panel, fieldOf, sent, wrapper } = show({ asked: () => invocation({ schema }) });
  await type("/release channel=gamma x");
  await press("Enter");
  expect(panel().get("[role=alert]").text()).toContain("You typed “gamma” for channel");
  const select = fieldOf("channel");
  expect(select.attributes("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(select.element);
  expect(
    select
      .findAll("option")
      .find((one) => one.attributes("value") === "-1")
      ?.text(),
  ).toBe("gamma");
  expect(wrapper.get(".problem").text()).toBe("Choose one of the values listed.");
  await panel().get("form").trigger("submit");
  await flushPromises();
  expect(sent()).toEqual([]);
  await select.setValue("1");
  await panel().get("form").trigger("submit");
  await flushPromises();
  expect(sent()).toEqual(["/release channel=beta x"]);
});

test("a line that cannot be read as arguments says why and is kept whole", async () => {
  const { type, press, panel, fieldOf } = show();
  await type("/release versoin=3 to all");
  await press("Enter");
  expect(panel().get("[role=alert]").text()).toContain("did you mean version?");
  expect(fieldOf("Your message").element).toHaveProperty("value", "versoin=3 to all");
});

test.each(["/release please", ""])("what was filled in goes with its draft, not into %j", async (next) => {
  const { type, press, panel, fieldOf } = show();
  await type("/release x");
  await press("Enter");
  await fieldOf("version").setValue("9");
  await panel().get("form").trigger("keydown", { key: "Escape" });
  await flushPromises();
  await type(next);
  if (next === "") await type("/release x");
  await press("Enter");
  expect(fieldOf("version").element).toHaveProperty("value", "");
});

test("what a skill needs could not be had: it is told, and the draft stays", async () => {
  const { type, press, panel, field } = show({
    asked: () => {
      throw new NacreError("not_found", "the skill release is gone");
    },
  });
  await type("/release");
  await press("Enter");
  expect(panel().exists()).toBe(false);
  expect(field().element.value).toBe("/release");
  expect(failures.value.at(-1)?.message).toBe("the skill release is gone");
});

test("suggestions come after a pause, once for a text, at most three, and take no focus", async () => {
  const { type, chips, told, field, wrapper } = show({
    found: () => ["notes", "release", "a", "b"].map((name) => suggestion(name)),
  });
  await field().setValue("write no");
  await field().setValue("write notes");
  expect(told("skills.suggest")).toEqual([]);
  await type("write notes");
  expect(told("skills.suggest")).toEqual([{ text: "write notes", sessionId: null }]);
  await type("write notes ");
  expect(told("skills.suggest")).toHaveLength(1);
  expect(chips().map((one) => one.get(".use").text())).toEqual([
    "Skill notes matches “notes”Tab",
    "Skill release matches “notes”",
    "Skill a matches “notes”",
  ]);
  expect(document.activeElement).toBe(field().element);
  expect(wrapper.get("[role=status]").text()).toBe("Suggested: notes, release, a. Tab takes the first.");
});

test("none is asked for while the menu is open or a command is written", async () => {
  const { type, told } = show();
  await type("/no");
  await type("/notes write notes");
  await type("use @no");
  expect(told("skills.suggest")).toEqual([]);
});

test("an answer to an older text is dropped", async () => {
  const { type, chips, rpc } = show({ found: (text) => (text === "slow" ? [suggestion("notes")] : []) });
  const call = rpc.call.bind(rpc);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  rpc.call = async (method, input) => {
    const answer = await call(method, input);
    if (Reflect.get(Object(input), "text") === "slow") await gate;
    return answer;
  };
  await type("slow");
  await type("fast");
  release();
  await flushPromises();
  expect(chips()).toHaveLength(0);
});

test("Tab takes the first suggestion, a click any; one with arguments opens its form with the draft as text", async () => {
  const { type, press, field, chips, panel, fieldOf, sent } = show({
    found: () => [suggestion("notes"), suggestion("release")],
  });
  await type("notes for 2.4");
  await press("Tab");
  expect(field().element.value).toBe("/notes notes for 2.4");
  await type("notes for 2.5");
  await chips()[1]?.get(".use").trigger("click");
  await flushPromises();
  expect(fieldOf("Your message").element).toHaveProperty("value", "notes for 2.5");
  await panel().get("form").trigger("keydown", { key: "Escape" });
  await flushPromises();
  expect(field().element.value).toBe("notes for 2.5");
  expect(sent()).toEqual([]);
});

test("what was dismissed does not come again for this draft, only for another one", async () => {
  const { type, chips } = show({ found: (text) => (text.includes("notes") ? [suggestion("notes")] : []) });
  await type("notes");
  await chips()[0]?.get(".icon-btn").trigger("click");
  expect(chips()).toHaveLength(0);
  await type("notes again");
  expect(chips()).toHaveLength(0);
  await type("");
  await type("notes");
  expect(chips()).toHaveLength(1);
});

test("suggestions that cannot be had disturb nobody", async () => {
  const before = failures.value.length;
  const { type, chips } = show({
    found: () => {
      throw new NacreError("unavailable", "none");
    },
  });
  await type("notes");
  expect(chips()).toHaveLength(0);
  expect(failures.value.length).toBe(before);
});
