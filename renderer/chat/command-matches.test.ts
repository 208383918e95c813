import { expect, test } from "vitest";
import { commandMatches } from "./command-matches.ts";

const commands = ["agents", "mcp", "model", "plugins", "skill", "skills"].map((name) => ({
  name,
  description: name,
}));

test.each([
  ["/", ["agents", "mcp", "model", "plugins", "skill", "skills"]],
  ["/m", ["mcp", "model"]],
  ["/SK", ["skill", "skills"]],
  ["/l", ["model", "plugins", "skill", "skills"]],
  ["/mcp", []],
  ["/mcp list", []],
  ["mcp", []],
  [" /m", []],
  ["/nothing", []],
])("%j", (text, names) => expect(commandMatches(text, commands).map(({ name }) => name)).toEqual(names));
