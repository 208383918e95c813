import { afterEach, expect, test } from "vitest";
import { flushPromises } from "@vue/test-utils";
import { NacreError } from "../../shared/errors.ts";
import { sessionRow } from "../fixtures.testing.ts";
import { failures } from "../failures.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import MessageComposer from "./MessageComposer.vue";

afterEach(() => localStorage.clear());
const commands = [
  { name: "mcp", description: "servers", hint: "list" },
  { name: "model", description: "the model" },
];
const show = (rpc = memoryRpc({ "chat.create": () => sessionRow({ id: "s9" }) })) => {
  const { wrapper } = mountApp(MessageComposer, { rpc, view: { commands } });
  const field = wrapper.get("textarea");
  const sent = () => rpc.calls.filter(({ method }) => method === "chat.send").map(({ input }) => input);
  return { wrapper, field, sent };
};

test("Enter sends and clears the field", async () => {
  const { field, sent } = show();
  await field.setValue("  hello \n");
  await field.trigger("keydown", { key: "Enter" });
  await flushPromises();
  expect(sent()).toEqual([{ sessionId: "s9", text: "hello" }]);
  expect(field.element.value).toBe("");
});

test.each([{ shiftKey: true }, { isComposing: true }, { keyCode: 229 }])(
  "Enter with %o sends nothing",
  async (part) => {
    const { field, sent } = show();
    await field.setValue("你好");
    await field.trigger("keydown", { key: "Enter", ...part });
    await flushPromises();
    expect(sent()).toEqual([]);
    expect(field.element.value).toBe("你好");
  },
);

test("a message that could not be sent comes back", async () => {
  const { field } = show(
    memoryRpc({
      "chat.create": () => {
        throw new NacreError("locked", "another window writes here");
      },
    }),
  );
  await field.setValue("hello");
  await field.trigger("keydown", { key: "Enter" });
  await flushPromises();
  expect(field.element.value).toBe("hello");
  expect(failures.value.at(-1)?.code).toBe("locked");
});

test("a slash opens the commands; arrows and Enter take one, Escape closes", async () => {
  const { wrapper, field, sent } = show();
  await field.setValue("/m");
  expect(wrapper.findAll("[role=option]")).toHaveLength(2);
  await field.trigger("keydown", { key: "ArrowDown" });
  await field.trigger("keydown", { key: "Enter" });
  expect(field.element.value).toBe("/model");
  expect(sent()).toEqual([]);
  await field.setValue("/mc");
  await field.trigger("keydown", { key: "Tab" });
  expect(field.element.value).toBe("/mcp ");
  await field.setValue("/mo");
  await field.trigger("keydown", { key: "Escape" });
  expect(wrapper.find("[role=listbox]").exists()).toBe(false);
});
