import { expect, test } from "vitest";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { bySeverity, looseDiagnostics } from "./loose-diagnostics.ts";

const problem = (code: string, part: Partial<Diagnostic> = {}): Diagnostic => ({
  code,
  severity: "warning",
  message: `${code} happened`,
  ...part,
});

test("the worst first", () => {
  const list = [problem("a", { severity: "info" }), problem("b"), problem("c", { severity: "error" })];
  expect(bySeverity(list).map(({ code }) => code)).toEqual(["c", "b", "a"]);
});

test("of the room, and not what a row shows already", () => {
  const shown = problem("skill-name-invalid", { path: "/a/SKILL.md", line: 2 });
  const all = [
    { ...shown },
    problem("skill-unreadable", { path: "/b" }),
    problem("frontmatter-yaml", { severity: "error" }),
    problem("mcp-invalid"),
  ];
  const found = looseDiagnostics(all, ["skill-", "frontmatter-"], [{ diagnostics: [shown] }]);
  expect(found.map(({ code }) => code)).toEqual(["frontmatter-yaml", "skill-unreadable"]);
});
