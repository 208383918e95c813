import { expect, test } from "vitest";
import { usedSkills } from "./used-skills.ts";

const skills = new Set(["pdf", "docs:pdf", "notes", "mcp"]);
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
])("%j", (text, names) => expect(usedSkills(text, skills, commands)).toEqual(names));
