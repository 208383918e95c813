import { expect, test } from "vitest";
import { flushPromises } from "@vue/test-utils";
import type { JsonObject } from "../../../shared/json.ts";
import { object, showForm } from "./show-form.testing.ts";

test.each<[string, JsonObject, string, string, unknown, string]>([
  ["a line", { type: "string" }, "input[type=text]", "abc", "abc", "abc"],
  ["several lines", { type: "string", maxLength: 2000 }, "textarea", "a\nb", "a\nb", "a\nb"],
  ["an address", { type: "string", format: "email" }, "input[type=email]", "a@b.io", "a@b.io", "a@b.io"],
  [
    "a link",
    { type: "string", format: "uri" },
    "input[type=url]",
    "https://x.io",
    "https://x.io",
    "https://x.io",
  ],
  ["a day", { type: "string", format: "date" }, "input[type=date]", "2026-11-30", "2026-11-30", "2026-11-30"],
  ["a secret", { type: "string", format: "password" }, "input[type=password]", "s3", "s3", "s3"],
  ["a secret by a word of ours", { type: "string", "x-secret": true }, "input[type=password]", "s", "s", "s"],
  ["a folder", { type: "string", format: "directory" }, "input[type=text]", "/tmp", "/tmp", "/tmp"],
  ["a number", { type: "number" }, "input[inputmode=decimal]", "2.50", 2.5, "2.50"],
  ["a whole number", { type: "integer" }, "input[inputmode=numeric]", "12", 12, "12"],
  ["what is no number", { type: "number" }, "input", "12a", "12a", "12a"],
  [
    "more digits than a number holds",
    { type: "integer" },
    "input",
    "12345678901234567890",
    "12345678901234567890",
    "12345678901234567890",
  ],
  ["anything", { type: "object" }, "textarea", '{"a": 1}', { a: 1 }, '{"a": 1}'],
  ["optional by null", { anyOf: [{ type: "integer" }, { type: "null" }] }, "input", "3", 3, "3"],
])("%s", async (_name, schema, control, typed, value, shown) => {
  const { wrapper, values } = showForm(object({ it: schema }));
  const field = wrapper.get<HTMLInputElement>(control);
  await field.setValue(typed);
  expect(values.value).toEqual({ it: value });
  expect(field.element.value).toBe(shown);
  await field.setValue("");
  expect(values.value).toEqual({});
});

test("a time is kept with its zone, and one that no picker shows as it is written", async () => {
  const { wrapper, values } = showForm(object({ at: { type: "string", format: "date-time" } }));
  await wrapper.get("input[type=datetime-local]").setValue("2026-11-30T09:05");
  expect(new Date(String(values.value["at"])).getTime()).toBe(new Date("2026-11-30T09:05").getTime());
  const odd = showForm(object({ at: { type: "string", format: "date-time", default: "tomorrow" } }));
  expect(odd.wrapper.get<HTMLInputElement>("input[type=text]").element.value).toBe("tomorrow");
});

test("a switch says true and false; one that must be given is false at first", async () => {
  const { wrapper, values } = showForm(
    object({ loud: { type: "boolean" }, dry: { type: "boolean" } }, ["dry"]),
  );
  expect(values.value).toEqual({ dry: false });
  const [loud] = wrapper.findAll("[role=switch]");
  expect(loud?.attributes("aria-label")).toBe("loud");
  await loud?.trigger("click");
  expect(values.value).toEqual({ loud: true, dry: false });
});

test.each<[string, JsonObject]>([
  ["enum", { enum: ["a", "b"] }],
  [
    "oneOf",
    {
      oneOf: [
        { const: "a", title: "A" },
        { const: "b", title: "B" },
      ],
    },
  ],
  ["anyOf", { type: "string", anyOf: [{ const: "a" }, { const: "b" }] }],
])("a choice by %s", async (_name, schema) => {
  const { wrapper, values } = showForm(object({ it: schema }, ["it"]));
  const select = wrapper.get("select");
  expect(select.findAll("option").map((one) => one.text().toLowerCase())).toEqual(["choose one", "a", "b"]);
  await select.setValue("1");
  expect(values.value).toEqual({ it: "b" });
  expect(wrapper.findAll("option")).toHaveLength(2);
});

test("a choice keeps the type of its values, and can be none where none is needed", async () => {
  const { wrapper, values } = showForm(object({ it: { enum: [1, true, null, "1"] } }));
  await wrapper.get("select").setValue("1");
  expect(values.value).toEqual({ it: true });
  await wrapper.get("select").setValue("-1");
  expect(values.value).toEqual({});
});

test("several of several, in the order of the schema", async () => {
  const { wrapper, values } = showForm(
    object({ it: { type: "array", items: { anyOf: [{ const: "x", title: "Ex" }, { const: "y" }] } } }),
  );
  const [first, second] = wrapper.findAll("input[type=checkbox]");
  expect(wrapper.get("[role=group]").text()).toContain("Ex");
  await second?.setValue(true);
  await first?.setValue(true);
  expect(values.value).toEqual({ it: ["x", "y"] });
  await first?.setValue(false);
  await second?.setValue(false);
  expect(values.value).toEqual({});
});

test("rows are added and removed, the focus goes along, and an empty row is no value", async () => {
  const { wrapper, values } = showForm(
    object({ it: { type: "array", items: { type: "integer" }, default: [1, 2] } }),
  );
  const inputs = () => wrapper.findAll<HTMLInputElement>("ol input");
  const add = wrapper.findAll("button").find((one) => one.text() === "Add");
  await add?.trigger("click");
  await flushPromises();
  expect(inputs()).toHaveLength(3);
  expect(document.activeElement).toBe(inputs()[2]?.element);
  expect(values.value).toEqual({ it: [1, 2] });
  await inputs()[2]?.setValue("3");
  expect(values.value).toEqual({ it: [1, 2, 3] });
  await wrapper.get("button[aria-label='Remove it 2']").trigger("click");
  await flushPromises();
  expect(values.value).toEqual({ it: [1, 3] });
  expect(document.activeElement).toBe(inputs()[1]?.element);
});

test("a group of one level is drawn, what is nested deeper is JSON", async () => {
  const deep = object({ port: { type: "integer" }, tls: object({ ca: { type: "string" } }) }, ["port"]);
  const { wrapper, values, problems, submit, submitted } = showForm(object({ server: deep }));
  expect(wrapper.get("fieldset legend").text()).toBe("server");
  await submit();
  expect(submitted).toHaveBeenCalledWith({});
  await wrapper.get("fieldset textarea").setValue('{"ca": "x"}');
  expect(values.value).toEqual({ server: { tls: { ca: "x" } } });
  await submit();
  expect(problems()).toEqual(["This is needed."]);
});

test("JSON that is none is told with its place, and nothing is sent", async () => {
  const { wrapper, problems, submit, submitted } = showForm(object({ it: {} }));
  await wrapper.get("textarea").setValue('{"a":\n  1,}');
  expect(problems()).toEqual([]);
  await wrapper.get("textarea").trigger("focusout");
  expect(problems()[0]).toMatch(/^This is not valid JSON: line 2, column \d+\.$/);
  await submit();
  expect(submitted).not.toHaveBeenCalled();
  await wrapper.get("textarea").setValue('{"a": 1}');
  expect(problems()).toEqual([]);
});
