import { expect, test } from "vitest";
import { usedSkills } from "./used-skills.ts";

const many = ["a", "b", "c", "d", "e", "f"];
const skills = new Set(["pdf", "docs:pdf", "notes", "mcp", ...many]);
const commands = new Set(["skill", "mcp"]);
test.each([
  ["/pdf a.pdf", ["pdf"]],
  ["/docs:pdf", ["docs:pdf"]],
  ["/skill notes for 2.4", ["notes"]],
  ["/skill", []],
  ["/mcp list", []],
  ["use @notes and @pdf, then @notes", ["notes", "pdf"]],
  ["/pdf with @notes", ["pdf", "notes"]],
  ["me@pdf or @unknown", []],
  ["@pdf.txt and @pdf/x", []],
  ["(see @pdf). @notes。", ["pdf", "notes"]],
  ["what is /pdf", []],
  ["`@pdf` and @notes", ["notes"]],
  ["```\n@pdf\n```\n@notes", ["notes"]],
  ["@a @b @c @d @e @f", many],
])("%j", (text, names) => expect(usedSkills(text, skills, commands)).toEqual(names));
