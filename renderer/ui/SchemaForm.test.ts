import { expect, test } from "vitest";
import { flushPromises } from "@vue/test-utils";
import type { JsonObject } from "../../shared/json.ts";
import { object, showForm } from "./schema/show-form.testing.ts";

test("labels lead to their fields, and each field says what it is for, what it allows and what is wrong", async () => {
  const { labelled, problems, submit, wrapper } = showForm(
    object({ n: { title: "How many", description: "Of them", type: "integer", minimum: 1, maximum: 9 } }, [
      "n",
    ]),
  );
  const field = labelled("How many");
  expect(field.attributes("aria-required")).toBe("true");
  const told = () =>
    (field.attributes("aria-describedby") ?? "")
      .split(" ")
      .map((id) => wrapper.get(`[id="${id}"]`).text())
      .join(" | ");
  expect(told()).toBe("Of them | From 1 to 9");
  expect(field.attributes("aria-invalid")).toBeUndefined();
  await submit();
  expect(field.attributes("aria-invalid")).toBe("true");
  expect(told()).toBe("Of them | From 1 to 9 | This is needed.");
  await field.setValue("12");
  expect(problems()).toEqual(["Give a number from 1 to 9."]);
  await field.setValue("9");
  expect(problems()).toEqual([]);
});

test("nothing is called wrong before the person has left the field", async () => {
  const { labelled, problems } = showForm(object({ a: { type: "string", minLength: 3 } }));
  await labelled("a").setValue("x");
  expect(problems()).toEqual([]);
  await labelled("a").trigger("focusout");
  expect(problems()).toEqual(["Give at least 3 characters."]);
});

test.each<[string, JsonObject, string, string]>([
  ["email", { type: "string", format: "email" }, "me", "Give an email address, such as name@example.com."],
  ["uri", { type: "string", format: "uri" }, "x", "Give a whole address, such as https://example.com/page."],
  ["pattern", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(60)}!`, "This must match ^(a+)+$."],
  ["integer", { type: "integer" }, "1.5", "Give a whole number, such as 3."],
  ["number", { type: "number" }, "many", "Give a number, such as 2.5."],
  ["multiple", { type: "integer", multipleOf: 5 }, "7", "Give a multiple of 5."],
  ["too long", { type: "string", maxLength: 2 }, "abc", "Give at most 2 characters."],
])("what is allowed is named: %s", async (_name, schema, typed, words) => {
  const { wrapper, problems, submit, submitted } = showForm(object({ it: schema }));
  await wrapper.get("input").setValue(typed);
  await submit();
  expect(problems()).toEqual([words]);
  expect(submitted).not.toHaveBeenCalled();
});

test("of a list the entry that is wrong is told and marked", async () => {
  const items = { type: "string", pattern: "^[a-z]+$" };
  const { wrapper, problems, submit } = showForm(
    object({ it: { type: "array", items, default: ["a", "B"], minItems: 1 } }),
  );
  await submit();
  expect(problems()).toEqual(["Entry 2: This must match ^[a-z]+$."]);
  expect(document.activeElement).toBe(wrapper.findAll("ol input")[1]?.element);
});

test("Enter submits from a line, not from a text of several lines nor while an input method writes", async () => {
  const { wrapper, submitted, cancelled } = showForm(
    object({ a: { type: "string", default: "x" }, b: { type: "string", format: "textarea" } }),
  );
  await wrapper.get("textarea").trigger("keydown", { key: "Enter" });
  await wrapper.get("input").trigger("keydown", { key: "Enter", isComposing: true });
  await wrapper.get("input").trigger("keydown", { key: "Enter", keyCode: 229 });
  await flushPromises();
  expect(submitted).not.toHaveBeenCalled();
  await wrapper.get("input").trigger("keydown", { key: "Enter" });
  await wrapper.get("textarea").trigger("keydown", { key: "Enter", ctrlKey: true });
  await flushPromises();
  expect(submitted.mock.calls).toEqual([[{ a: "x" }], [{ a: "x" }]]);
  await wrapper.get("textarea").trigger("keydown", { key: "Escape" });
  expect(cancelled).toHaveBeenCalledOnce();
});

test("the first field that is wrong gets the focus", async () => {
  const { labelled, submit } = showForm(
    object({ a: { type: "string" }, b: { type: "string" }, c: { type: "string" } }, ["b", "c"]),
  );
  await submit();
  expect(document.activeElement).toBe(labelled("b").element);
});

test("what only the whole shows is told above the fields", async () => {
  const schema = {
    ...object({ a: { type: "string" }, b: { type: "string" } }),
    dependentRequired: { a: ["b"] },
  };
  const { labelled, wrapper, submit, submitted } = showForm(schema);
  await labelled("a").setValue("x");
  await submit();
  expect(wrapper.get("[role=alert]").text()).toContain("b is required where a is given");
  expect(document.activeElement).toBe(wrapper.get("[role=alert]").element);
  await labelled("b").setValue("y");
  await submit();
  expect(submitted).toHaveBeenCalledWith({ a: "x", b: "y" });
});

test("an equal schema changes nothing that was typed or told, another one keeps what it still asks", async () => {
  const first = () => object({ a: { type: "string", default: "one" }, b: { type: "string", minLength: 9 } });
  const { labelled, values, schema, problems } = showForm(first());
  await labelled("a").setValue("");
  await labelled("b").setValue("typed");
  await labelled("b").trigger("focusout");
  schema.value = first();
  await flushPromises();
  expect(values.value).toEqual({ b: "typed" });
  expect(problems()).toEqual(["Give at least 9 characters."]);
  schema.value = object({
    a: { type: "string", default: "two" },
    b: { type: "string", default: "no" },
    c: { default: 3 },
  });
  await flushPromises();
  expect(values.value).toEqual({ b: "typed", c: 3 });
  expect(problems()).toEqual([]);
});

test.each([[5], ["here"], [["a"]], [false]])(
  "an object that was given as %j stays what it is, and is told as wrong until it is one",
  async (given) => {
    const group = { type: "object", properties: { port: { type: "integer", default: 80 } } };
    const { wrapper, values, problems, submit, submitted } = showForm(object({ mirror: group }), {
      mirror: given,
    });
    expect(values.value).toEqual({ mirror: given });
    const area = wrapper.get<HTMLTextAreaElement>("textarea");
    expect(JSON.parse(area.element.value)).toEqual(given);
    expect(problems()).toEqual([expect.stringMatching(/^This does not fit: must be an object, not /)]);
    await submit();
    expect(submitted).not.toHaveBeenCalled();
    await area.setValue('{"port": 8080}');
    expect(problems()).toEqual([]);
    await submit();
    expect(submitted).toHaveBeenCalledWith({ mirror: { port: 8080 } });
  },
);

test("several fields that change at once are all kept", async () => {
  const { wrapper, values } = showForm(object({ a: { type: "string" }, b: { type: "string" } }));
  await Promise.all(wrapper.findAll("input").map((input, index) => input.setValue(`v${index}`)));
  expect(values.value).toEqual({ a: "v0", b: "v1" });
});

test("a secret is shown only when asked", async () => {
  const { wrapper } = showForm(object({ token: { type: "string", writeOnly: true, default: "s3cret" } }));
  expect(wrapper.html()).not.toContain('type="text"');
  await wrapper.get("button[aria-label='Show token']").trigger("click");
  expect(wrapper.get("input").attributes("type")).toBe("text");
  expect(wrapper.find("button[aria-label='Hide token']").exists()).toBe(true);
});

test("definitions are followed, also where only a part refers to them", async () => {
  const schema: JsonObject = {
    ...object({
      level: { $ref: "#/$defs/level" },
      more: { type: "object", additionalProperties: { $ref: "#/$defs/level" } },
    }),
    $defs: { level: { type: "integer", title: "Level", maximum: 3 } },
  };
  const { labelled, wrapper, problems, submit } = showForm(schema);
  await labelled("Level").setValue("4");
  await wrapper.get("textarea").setValue('{"x": 9}');
  await submit();
  expect(problems()).toEqual(["Give a number of 3 or less.", "This does not fit: x must be at most 3."]);
});

test("a hostile schema stays a form: names of prototypes, blank and hidden titles, markup, length, depth, number", async () => {
  const properties = JSON.parse(
    `{"__proto__": {"type": "string"}, "constructor": {"type": "string", "title": "  "}, "": {"type": "string"}}`,
  ) as JsonObject;
  const deep = JSON.parse(`${'{"properties":{"x":'.repeat(64)}{}${"}}".repeat(64)}`) as JsonObject;
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: "string" }]),
  );
  const { wrapper, values, submit, submitted, problems } = showForm(
    object(
      {
        ...properties,
        bidi: {
          type: "string",
          title: "safe\u202Eevil",
          description: `<img src=x onerror=alert(1)>${"x".repeat(100_000)}`,
        },
        deep,
        ...many,
      },
      ["p9999"],
    ),
  );
  expect(wrapper.findAll("[data-field]").length).toBe(60);
  expect(wrapper.find("img").exists()).toBe(false);
  expect(wrapper.text().length).toBeLessThan(5_000);
  expect(wrapper.text()).toContain("safe⟨U+202E⟩evil");
  expect(wrapper.text()).toContain('""');
  const input = (key: string) =>
    wrapper
      .findAll(".label")
      .find((one) => one.text().startsWith(key))
      ?.attributes("for");
  await wrapper.get(`[id="${input("__proto__") ?? ""}"]`).setValue("polluted?");
  await wrapper.get(`[id="${input("constructor") ?? ""}"]`).setValue("c");
  expect(Object.entries(values.value)).toEqual([
    ["__proto__", "polluted?"],
    ["constructor", "c"],
  ]);
  expect(Reflect.get({}, "polluted?")).toBeUndefined();
  await submit();
  expect(problems()).toEqual(["This is needed."]);
  await wrapper.get(`[id="${input("p9999") ?? ""}"]`).setValue("there");
  await submit();
  expect(submitted).toHaveBeenCalledOnce();
}, 30_000);

test("more fields are drawn when asked, and whatever is wrong among them is shown", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 130 }, (_, index) => [`p${index}`, { type: "string", minLength: 2 }]),
  );
  const { wrapper, submit, problems } = showForm(object(many), { p129: "x" });
  await wrapper.get(".more").trigger("click");
  expect(wrapper.findAll("[data-field]")).toHaveLength(120);
  await submit();
  expect(wrapper.findAll("[data-field]")).toHaveLength(130);
  expect(problems()).toEqual(["Give at least 2 characters."]);
  expect(wrapper.find(".more").exists()).toBe(false);
}, 30_000);

test.each([
  ["no properties", { type: "object" }],
  ["no object", { type: "string" }],
  ["a circle", { $ref: "#" }],
  ["a circle of two", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }],
])("%s: an empty form that submits", async (_name, schema) => {
  const { wrapper, submit } = showForm(schema);
  expect(wrapper.findAll("[data-field]")).toHaveLength(0);
  await submit();
});
