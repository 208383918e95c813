import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declare, World } from "../mcp.testkit.ts";
import type { ToolRun } from "../../tools/types.ts";

// A real server from npm, one for all of these.
const manifest = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/package.json",
);
const program = path.join(path.dirname(manifest), "dist/index.js");
const { signal } = new AbortController();
let world: World;
beforeAll(async () => {
  world = new World([declare("every", { command: process.execPath, args: [program] })]);
  expect(await world.start()).toEqual([]);
});
afterAll(async () => {
  expect(await world.end()).toEqual([]);
});
const run = (name: string, args: string) => {
  const command = world.commands.get(name);
  if (!command) throw new Error(`no command ${name}`);
  return command.run(args, { sessionId: null, onOutput: () => undefined, signal });
};
const call = (name: string, input: object) => {
  const tool = world.tools.get(name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.run({ ...input }, { signal, onOutput: () => undefined } as unknown as ToolRun);
};

describe("resources and templates", () => {
  it("are listed once the server is ready, with what a message says to attach them", () => {
    const { resources, templates } = world.mcp.features.resources();
    expect(resources.length).toBeGreaterThan(3);
    const details = world.mcp.details("every");
    expect(details.resources).toEqual(resources);
    expect(details.problems).toEqual([]);
    const [first] = resources;
    expect(first?.mention).toBe(`@every:${first?.uri}`);
    expect(templates).toContainEqual(
      expect.objectContaining({
        server: "every",
        variables: ["resourceId"],
        mention: expect.stringMatching(/^@every:/),
      }),
    );
  });
  it("a mention attaches the text, marked as a server's", async () => {
    const [row] = world.mcp.features.resources().resources;
    const { texts, notes } = await world.mcp.features.attach(`look at ${row?.mention}.`, signal);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(`<mcp_resource server="every" uri="${row?.uri}"`);
    expect(notes).toEqual([]);
  });
  it("a mention that a template gives is read, a blob as its type and size", async () => {
    const uri = "demo://resource/dynamic/blob/2";
    const { texts, notes } = await world.mcp.features.attach(`@every:${uri}`, signal);
    expect(texts[0]).toMatch(/\[text\/plain, \d+ bytes\]/);
    expect(notes[0]?.text).toContain("is no text");
  });
  it("one that cannot be read fails the message and is named", async () => {
    await expect(world.mcp.features.attach("@every:demo://nothing/there", signal)).rejects.toThrow(
      /@every:demo:\/\/nothing\/there cannot be attached: .*Nothing was sent/,
    );
  });
  it("the model lists and reads them by tools, and what it gets counts as text from outside", async () => {
    const [row] = world.mcp.features.resources().resources;
    const listed = await call("list_mcp_resources", { server: "every", find: row?.name });
    expect(listed.output).toContain(`every · ${row?.uri} · ${row?.name}`);
    const read = await call("read_mcp_resource", { server: "every", uri: row?.uri, offset: 2 });
    const whole = await call("read_mcp_resource", { server: "every", uri: row?.uri });
    expect(read.output).toBe(whole.output.slice(2));
    expect(read.outside).toBe(true);
    await expect(call("read_mcp_resource", { server: "other", uri: "a:1" })).rejects.toThrow(
      'no MCP server "other" has resources; those that have: "every"',
    );
  });
});

describe("prompts", () => {
  it("stand in the list of commands with their arguments", () => {
    expect(world.commands.rows()).toContainEqual(
      expect.objectContaining({
        name: "mcp__every__args-prompt",
        hint: "city [state]",
        arguments: expect.objectContaining({ required: ["city"] }),
        prompt: { server: "every", name: "args-prompt" },
      }),
    );
    expect(world.mcp.details("every").prompts.map(({ command }) => command)).toContain(
      "mcp__every__simple-prompt",
    );
  });
  it("give what the server makes of the arguments, by position and by name", async () => {
    expect(await run("mcp__every__args-prompt", 'Paris "the north"')).toMatchObject({
      kind: "prompt",
      prompt: expect.stringMatching(/Paris.*the north/),
      outside: true,
    });
    expect(await run("mcp__every__args-prompt", "state=Texas city=Austin")).toMatchObject({
      prompt: expect.stringMatching(/Austin.*Texas/),
    });
  });
  it("without a required argument say which, and how to write it", async () => {
    expect(await run("mcp__every__args-prompt", "")).toEqual({
      kind: "text",
      isError: true,
      text: "/mcp__every__args-prompt: city is missing; write /mcp__every__args-prompt city [state], or NAME=value",
    });
  });
  it("bring embedded resources as blocks", async () => {
    const result = await run("mcp__every__resource-prompt", "Text 1");
    expect(result).toMatchObject({ prompt: expect.stringContaining("<mcp_resource server=") });
  });
});

describe("a tool that is done as a task alone (2025-11-25)", () => {
  it("is followed to its result, and where it stands is shown", async () => {
    const lines: string[] = [];
    const result = await world.call(
      "every",
      "simulate-research-query",
      { topic: "snow" },
      { onOutput: (line) => lines.push(line) },
    );
    expect(result).toContain("snow");
    expect(lines.length).toBeGreaterThan(1);
  });
});

describe("completion", () => {
  it("proposes values of an argument, in the light of those that are given", async () => {
    const ref = { prompt: "completable-prompt" };
    const first = await world.mcp.features.complete(
      { name: "every", ref, argument: { name: "department", value: "E" } },
      signal,
    );
    expect(first.values).toEqual(["Engineering"]);
    const then = await world.mcp.features.complete(
      { name: "every", ref, argument: { name: "name", value: "" }, given: { department: "Engineering" } },
      signal,
    );
    expect(then.values.length).toBeGreaterThan(0);
  });
});
