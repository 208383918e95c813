import { expect, test } from "vitest";
import { mentionedResources, mentionOf, type ResourceMention } from "./mentions.ts";

const listed: readonly ResourceMention[] = [
  { server: "docs", uri: "file:///a b.md" },
  { server: "docs", uri: "wiki:What?" },
];
const known = new Map(listed.map((one) => [mentionOf(one.server, one.uri), one]));
const inText = (text: string): readonly string[] =>
  mentionedResources(text, ["docs", "my server"], known).map(({ server, uri }) => `${server} ${uri}`);

test.each([
  ["look at @docs:file:///x.md please", ["docs file:///x.md"]],
  ["(see) @docs:file:///x.md, and then", ["docs file:///x.md"]],
  ["@docs:demo://r/1\n@docs:demo://r/1 twice", ["docs demo://r/1"]],
  // What stands in a list is known whole.
  ["@docs:wiki:What?", ["docs wiki:What?"]],
  ["@docs:wiki:What?.", ["docs wiki:What?"]],
  [`${mentionOf("docs", "file:///a b.md")}!`, ["docs file:///a b.md"]],
  [mentionOf("my server", "a:b"), ["my server a:b"]],
  // No mentions.
  ["me@docs:file:///x.md", []],
  ["@elsewhere:file:///x.md", []],
  ["@docs:skill", []],
  ["`@docs:file:///x.md` and\n```\n@docs:file:///y\n```", []],
])("%j names %j", (text, found) => {
  expect(inText(text)).toEqual(found);
});
