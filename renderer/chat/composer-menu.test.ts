import { expect, test } from "vitest";
import { skillRow } from "../fixtures.testing.ts";
import { composerMenu } from "./composer-menu.ts";
import { skillIndex } from "./skill-index.ts";

const commands = ["agents", "mcp", "model", "plugins", "skill", "skills"].map((name) => ({
  name,
  description: name,
}));
const none = skillIndex([], null);
const some = skillIndex(
  ["mcp-tips", "release-notes", "model"].map((name) => skillRow({ name })),
  null,
);
const names = (text: string, skills = none, caret = text.length) =>
  composerMenu(text, caret, commands, skills)?.items.map(({ kind, name }) =>
    kind === "skill" ? `*${name}` : name,
  ) ?? [];

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
])("%j", (text, found) => expect(names(text)).toEqual(found));

test.each([
  ["/m", ["mcp", "model", "*mcp-tips"]],
  ["/tips", ["*mcp-tips"]],
  ["/re", ["*release-notes"]],
  ["/release-notes", []],
  ["@", ["*mcp-tips", "*model", "*release-notes"]],
  ["look at @REL", ["*release-notes"]],
  ["a\n@no", ["*release-notes"]],
  ["me@rel", []],
  ["@release-notes", []],
  ["@rel done", []],
  ["/mcp @rel", ["*release-notes"]],
])("with skills: %j; a skill that a command hides is named by @ alone", (text, found) =>
  expect(names(text, some)).toEqual(found),
);

test("the word at the caret counts, and it alone is replaced", () => {
  expect(composerMenu("use @rel for it", 8, commands, some)).toMatchObject({ sign: "@", from: 4, to: 8 });
  expect(composerMenu("use @rel for it", 3, commands, some)).toBeNull();
});

test("many commands leave room for skills, and never more than eight are shown", () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ name: `c${index}`, description: "" }));
  const skills = skillIndex(
    Array.from({ length: 5_000 }, (_, index) => skillRow({ name: `c-skill-${index}` })),
    null,
  );
  const items = composerMenu("/c", 2, many, skills)?.items ?? [];
  expect(items.map(({ kind }) => kind)).toEqual([...Array(4).fill("command"), ...Array(4).fill("skill")]);
});
