import { flushPromises } from "@vue/test-utils";
import { vi } from "vitest";
import { defineComponent, h, ref } from "vue";
import type { JsonObject } from "../../../shared/json.ts";
import { mountApp } from "../../mount.testing.ts";
import SchemaForm from "../SchemaForm.vue";

/** A form in a parent that keeps its values, as every user of it does. */
export function showForm(first: JsonObject, given: JsonObject = {}) {
  const values = ref<JsonObject>(given);
  const schema = ref<JsonObject>(first);
  const submitted = vi.fn<(values: JsonObject) => void>();
  const cancelled = vi.fn<() => void>();
  const parent = defineComponent({
    setup: () => () =>
      h(SchemaForm, {
        schema: schema.value,
        label: "Arguments",
        modelValue: values.value,
        "onUpdate:modelValue": (next: JsonObject) => void (values.value = next),
        onSubmit: submitted,
        onCancel: cancelled,
      }),
  });
  const { wrapper } = mountApp(parent);
  const labelled = (label: string) => {
    const found = wrapper
      .findAll("label, .label")
      .find((one) => one.text().replace(/ ?optional$/, "") === label);
    if (!found) throw new Error(`no label ${label}`);
    return wrapper.get(`[id="${found.attributes("for") ?? ""}"]`);
  };
  const problems = () => wrapper.findAll(".problem").map((one) => one.text());
  const submit = async () => {
    await wrapper.get("form").trigger("submit");
    await flushPromises();
  };
  return { wrapper, values, schema, submitted, cancelled, labelled, problems, submit };
}
/** An object schema. */
export const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});
