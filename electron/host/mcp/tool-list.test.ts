import { describe, expect, it } from "vitest";
import { listAllTools } from "./tool-list.ts";

const schema = { type: "object", properties: {} };
const tool = (name: string, more: object = {}) => ({ name, inputSchema: schema, ...more });
/** Serves pages in order and notes the cursors asked for. */
const pages = (...answers: unknown[]) => {
  const asked: (string | undefined)[] = [];
  const listing = listAllTools((cursor) => {
    asked.push(cursor);
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1]);
  });
  return { asked, listing };
};

describe("tools/list", () => {
  it("walks pages", async () => {
    const { asked, listing } = pages({ tools: [tool("a")], nextCursor: "2" }, { tools: [tool("b")] });
    expect((await listing).tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(asked).toEqual([undefined, "2"]);
  });
  it.each([[null], [""], [7], [undefined]])("ends at nextCursor %j", async (nextCursor) => {
    const { asked, listing } = pages({ tools: [tool("a")], nextCursor });
    expect((await listing).problems).toEqual([]);
    expect(asked).toHaveLength(1);
  });
  it("ends at a cursor that comes back", async () => {
    const { asked, listing } = pages({ tools: [tool("a")], nextCursor: "x" });
    const { tools, problems } = await listing;
    expect(tools).toHaveLength(1);
    expect(asked).toEqual([undefined, "x"]);
    expect(problems).toContainEqual(expect.stringContaining("came twice"));
  });
  it("ends after 64 pages", async () => {
    let page = 0;
    const { problems } = await listAllTools(() => Promise.resolve({ tools: [], nextCursor: String(page++) }));
    expect(page).toBe(64);
    expect(problems).toEqual(["stopped after 64 pages of tools"]);
  });
  it("leaves out a tool whose x-mcp-header is wrong, where arguments go into headers", async () => {
    const declared = (header: string) => ({
      inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": header } } },
    });
    const page = { tools: [tool("good", declared("Region")), tool("bad", declared("a b")), tool("plain")] };
    const { tools, problems, headers } = await listAllTools(() => Promise.resolve(page), true);
    expect(tools.map(({ name }) => name)).toEqual(["good", "plain"]);
    expect(problems).toEqual([expect.stringContaining("bad")]);
    expect([...headers]).toEqual([["good", [{ path: ["region"], header: "Region" }]]]);
    expect((await listAllTools(() => Promise.resolve(page))).tools).toHaveLength(3);
  });
  it("keeps good tools beside bad ones and names the bad", async () => {
    const { listing } = pages({
      tools: [
        null,
        { inputSchema: schema },
        { name: "none" },
        tool("text", { inputSchema: { type: "string" } }),
        tool("list", { inputSchema: [] }),
        tool("bare", { inputSchema: { properties: { q: {} } } }),
        tool("good", { description: "does it", outputSchema: { $ref: "#/nowhere" } }),
        tool("good", { description: "again" }),
        tool("quiet", { description: null }),
      ],
    });
    const { tools, problems } = await listing;
    expect(tools).toEqual([
      { name: "none", description: "", inputSchema: { type: "object", properties: {} } },
      { name: "bare", description: "", inputSchema: { type: "object", properties: { q: {} } } },
      { name: "good", description: "does it", inputSchema: schema },
      { name: "quiet", description: "", inputSchema: schema },
    ]);
    expect(problems).toEqual([
      "left out an entry that is no object: null",
      expect.stringContaining("without a name"),
      expect.stringContaining("tool none: no inputSchema"),
      expect.stringContaining("left out tool text"),
      expect.stringContaining("left out tool list"),
      "left out a second tool good",
    ]);
  });
  it.each([[null], [{}], [{ tools: "x" }]])("refuses %j", async (answer) => {
    await expect(pages(answer).listing).rejects.toThrow("without a list of tools");
  });
});
