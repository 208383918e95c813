import { expect, it } from "vitest";
import { diagnosticLine } from "./diagnostics.ts";

it("a folder's name steers no terminal and makes no line of its own", () => {
  const line = diagnosticLine({
    code: "skill-name-invalid",
    severity: "error",
    path: "/w/x\u001b[2J\n/SKILL.md",
    line: 2,
    message: '"a\u001b[31mb" is no skill name',
    fix: "name it a\u0007b",
  });
  expect(line).toBe(
    'error skill-name-invalid /w/x·[2J·/SKILL.md:2: "a·[31mb" is no skill name\n  Fix: name it a·b',
  );
});
