import { describe, expect, it, test } from "vitest";
import { parseCommand, skillCommand, skillLineOf } from "./command-line.ts";

describe("parseCommand", () => {
  it.each([
    ["/mcp restart github", "mcp", "restart github"],
    ["  /skills  ", "skills", ""],
    ['/call read_file {"path": "a b"}', "call", 'read_file {"path": "a b"}'],
    ["/skill pdf line one\nline two", "skill", "pdf line one\nline two"],
    ["/skill\npdf", "skill", "pdf"],
    ["/jira:review x", "jira:review", "x"],
    ["/mcp.github.prompt", "mcp.github.prompt", ""],
  ])("%j", (text, name, args) => expect(parseCommand(text)).toEqual({ name, args }));
  it.each(["hello /mcp", "/", "/ mcp", "//mcp", "/etc/passwd is a file", "/-x", "", "/é"])(
    "%j is no command",
    (text) => expect(parseCommand(text)).toBeUndefined(),
  );
});

const commands = new Set(["mcp", "skill"]);
test.each([
  ["/pdf", { name: "pdf", rest: "" }],
  ["/docs:pdf a=1 text\nmore", { name: "docs:pdf", rest: "a=1 text\nmore" }],
  ["/skill pdf a=1", { name: "pdf", rest: "a=1" }],
  ["/skill\npdf", { name: "pdf", rest: "" }],
  ["/skill mcp list", { name: "mcp", rest: "list" }],
  ["/skill", undefined],
  ["/mcp list", undefined],
  ["pdf", undefined],
  ["/", undefined],
  ["/etc/passwd is a file", undefined],
])("%j as the line of a skill", (text, line) => expect(skillLineOf(text, commands)).toEqual(line));
test("a skill of a command's name is typed behind /skill", () => {
  expect(["pdf", "mcp", "skill"].map((name) => skillCommand(name, commands))).toEqual([
    "/pdf",
    "/skill mcp",
    "/skill skill",
  ]);
});
