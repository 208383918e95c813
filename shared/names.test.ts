import { describe, expect, test } from "vitest";
import { correctedSkillName, isPluginName, isSkillName, splitSkillName } from "./names.ts";

describe("skill names", () => {
  test.each(["a", "pdf-forms", "3000", "a1-b2"])("%s is one", (name) => expect(isSkillName(name)).toBe(true));
  test.each(["", "-a", "a-", "a--b", "A", "a_b", "a b", "../x", "小说", "a.b", "a\n"])("%j is none", (name) =>
    expect(isSkillName(name)).toBe(false),
  );
  test.each([
    ["PDF Forms", "pdf-forms"],
    ["my_skill", "my-skill"],
    ["--Été--", "ete"],
    ["小说拆条", ""],
    ["a".repeat(63) + "-bc", "a".repeat(63)],
  ])("%s becomes %j", (text, name) => expect(correctedSkillName(text)).toBe(name));
  test("the two halves are judged apart", () => {
    expect(splitSkillName("pdf")).toEqual({ plugin: null, name: "pdf" });
    expect(splitSkillName("Docs.v2:pdf")).toEqual({ plugin: "Docs.v2", name: "pdf" });
    for (const text of ["", ":pdf", "docs:", "a:b:c", "../a:pdf", "docs:PDF"])
      expect(splitSkillName(text)).toBeUndefined();
  });
});

test.each([
  "../../victim",
  "",
  ".",
  "..",
  "a/b",
  "C:x",
  "CON",
  "nul.txt",
  "x.",
  "a..b",
  ".hidden",
  "a".repeat(65),
])("%j is no plugin name", (name) => expect(isPluginName(name)).toBe(false));
test.each(["jira", "my-plugin", "Docs.v2", "a_b", "console"])("%s is a plugin name", (name) =>
  expect(isPluginName(name)).toBe(true),
);
