import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mcpRow, sessionRow } from "../fixtures.testing.ts";
import { mountApp } from "../mount.testing.ts";
import { memoryRpc } from "../rpc.testing.ts";
import MessageComposer from "./MessageComposer.vue";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});
const resource = (n: number) => ({
  server: "docs",
  uri: `file:///${n}.md`,
  mention: `@docs:file:///${n}.md`,
  name: `Page ${n}`,
  description: "",
});
const template = {
  server: "docs",
  uriTemplate: "db:///{table}{?limit}",
  mention: "@docs:db:///{table}{?limit}",
  variables: ["table", "limit"],
  name: "Table",
  description: "",
};
const prompt = {
  name: "mcp__docs__sum",
  description: "Sums up",
  hint: "PAGE",
  arguments: {
    type: "object",
    properties: { page: { type: "string" } },
    required: ["page"],
  },
  prompt: { server: "docs", name: "sum" },
};
function show() {
  const rpc = memoryRpc({
    "chat.create": () => sessionRow({ id: "s9" }),
    "mcp.resources": () => ({ resources: [resource(1), resource(2)], templates: [template] }),
    "mcp.complete": ({ argument }) => ({ values: [`${argument.value}ips`] }),
    "skills.suggest": () => [],
  });
  const { wrapper } = mountApp(MessageComposer, { rpc, view: { mcp: [mcpRow()], commands: [prompt] } });
  const field = () => wrapper.get<HTMLTextAreaElement>("[data-composer]");
  const type = async (text: string): Promise<void> => {
    await field().setValue(text);
    await flushPromises();
  };
  const press = async (key: string): Promise<void> => {
    await field().trigger("keydown", { key });
    await flushPromises();
  };
  const told = (method: string) =>
    rpc.calls.filter((call) => call.method === method).map(({ input }) => input);
  const options = () => wrapper.findAll("[role=option]").map((one) => one.text());
  return { wrapper, rpc, field, type, press, told, options };
}

test("resources are read once for @, whatever is typed; one is named by its address", async () => {
  const { type, press, told, options, field } = show();
  await type("hello");
  expect(told("mcp.resources")).toEqual([]);
  await type("see @p");
  await type("see @pa");
  await type("see @page");
  expect(options()).toHaveLength(2);
  expect(told("mcp.resources")).toHaveLength(1);
  await press("Enter");
  expect(field().element.value).toBe("see @docs:file:///1.md ");
});

test("a template asks for its variables, with the values that its server proposes, and stands in the draft then", async () => {
  const { type, press, told, field, wrapper } = show();
  await type("count @tab");
  await press("Enter");
  await wrapper.get("form").trigger("submit");
  expect(wrapper.find(".problem").exists()).toBe(true);
  const [table] = wrapper.findAll("input");
  await table?.setValue("sh");
  await vi.advanceTimersByTimeAsync(200);
  await flushPromises();
  expect(told("mcp.complete").at(-1)).toEqual({
    name: "docs",
    ref: { template: "db:///{table}{?limit}" },
    argument: { name: "table", value: "sh" },
    given: {},
  });
  expect(wrapper.get("datalist option").attributes("value")).toBe("ships");
  await table?.setValue("my ships");
  await wrapper.get("form").trigger("submit");
  await flushPromises();
  expect(field().element.value).toBe("count @docs:db:///my%20ships ");
  expect(told("chat.send")).toEqual([]);
});

test("a prompt without what it needs opens its form; filled in it is the command that a terminal would be given", async () => {
  const { type, press, told, wrapper } = show();
  await type("/mcp__docs__sum");
  await press("Enter");
  expect(told("chat.send")).toEqual([]);
  await wrapper.get("input").setValue("page one");
  await vi.advanceTimersByTimeAsync(200);
  expect(told("mcp.complete").at(-1)).toMatchObject({ name: "docs", ref: { prompt: "sum" } });
  await wrapper.get("form").trigger("submit");
  await flushPromises();
  expect(told("chat.send").map((input) => Reflect.get(Object(input), "text"))).toEqual([
    '/mcp__docs__sum page="page one"',
  ]);
});
