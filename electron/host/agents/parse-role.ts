import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { switchOf } from "../../../shared/switch-of.ts";
import type { Finding } from "../kit/finding.ts";
import { namesOf, textOf, type ReadFrontmatter } from "../kit/frontmatter.ts";
import type { ParsedRole, RoleHead } from "./role.ts";
import { disallowedKeys, toolChoice } from "./tool-choice.ts";

/** Letters, digits, dot, dash and underscore, as the four systems name their roles. */
const roleName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const stepKeys: readonly string[] = ["max_steps", "maxSteps", "steps", "maxTurns"];
/** What decides what a role is and may do: a fault in one of them is none that can be passed over. */
const neededByRoles: ReadonlySet<string> = new Set([
  "name",
  "description",
  "tools",
  ...disallowedKeys,
  "readonly",
  "model",
  ...stepKeys,
  "permission",
  "skills",
  "prompt",
]);

/**
 * Reads one role file (spec 7). Lenient: what cannot be used is reported and left out; a file without a description or
 * with a broken block is no role.
 * @param fileName without its ending; the role's name where the file gives none
 */
export function parseRole(text: string, fileName: string, read: ReadFrontmatter): ParsedRole {
  const front = read(text, neededByRoles);
  if (front.kind === "broken") return { head: null, diagnostics: [front.finding] };
  if (front.kind === "none")
    return {
      head: null,
      diagnostics: [
        {
          code: "role-no-frontmatter",
          severity: "error",
          message: "a role begins with front matter that holds its description",
          line: 1,
          fix: "add a block between two lines of --- with name and description",
        },
      ],
    };
  const { data, lineOf, body } = front;
  const diagnostics: Omit<Diagnostic, "path">[] = [...front.findings];
  const report: ReportKey = (key, finding) => {
    const line = lineOf(key);
    diagnostics.push({ ...finding, ...(line === undefined ? {} : { line }) });
  };
  const name = textOf(front, "name")?.text.trim() || fileName;
  const description = textOf(front, "description")?.text.trim();
  if (!roleName.test(name)) {
    report("name", {
      code: "role-name-invalid",
      severity: "error",
      message: `"${name}" is no name for a role`,
      fix: "use letters, digits, dots, dashes and underscores, at most 64",
    });
    return { head: null, diagnostics };
  }
  if (!description) {
    report("description", {
      code: "role-no-description",
      severity: "error",
      message: `the role ${name} has no description, so nobody knows when to use it`,
      fix: "add a line description: …",
    });
    return { head: null, diagnostics };
  }
  const readonly = data["readonly"] === undefined ? false : switchOf(data["readonly"]);
  if (readonly === undefined)
    report("readonly", {
      code: "role-switch-invalid",
      severity: "warning",
      message: `readonly of ${name} is neither true nor false; it counts as true`,
      fix: "write readonly: true or readonly: false",
    });
  const model = textOf(front, "model")?.text.trim();
  // opencode keeps the text in the block; a body is never replaced by it.
  const prompt = body.trim() || textOf(front, "prompt")?.text.trim();
  if (!prompt) {
    report("prompt", {
      code: "role-no-instructions",
      severity: "error",
      message: `the role ${name} has no instructions: its body is empty`,
      fix: "write below the block what the sub-agent is to do",
    });
    return { head: null, diagnostics };
  }
  const unused = Object.keys(data).filter((key) => !neededByRoles.has(key));
  if (unused.length > 0)
    report(unused[0] ?? "", {
      code: "role-fields-unused",
      severity: "info",
      message: `${name} says ${unused.join(", ")}, which Nacre does not use`,
    });
  const toolsLine = lineOf("tools");
  const head: RoleHead = {
    name,
    description,
    tools: toolChoice(data, name, report),
    ...(toolsLine === undefined ? {} : { toolsLine }),
    readonly: readonly ?? true,
    // `inherit` is Claude Code's word for the parent's model.
    ...(model === undefined || model === "" || model === "inherit" ? {} : { model }),
    ...stepLimit(data, name, report),
    ...(data["permission"] === undefined ? {} : { permission: data["permission"] }),
    skills: namesOf(data["skills"]) ?? [],
    prompt,
  };
  return { head, diagnostics };
}

/** Adds a finding at the line of a key. */
export type ReportKey = (key: string, finding: Omit<Finding, "line">) => void;

function stepLimit(data: object, role: string, report: ReportKey): { maxSteps?: number } {
  const found = Object.entries(data).find(([key]) => stepKeys.includes(key));
  if (!found) return {};
  const [key, value] = found;
  const steps = Number(value);
  if (Number.isInteger(steps) && steps >= 1) return { maxSteps: steps };
  report(key, {
    code: "role-steps-invalid",
    severity: "warning",
    message: `${key} of ${role} is no whole number from 1; 50 is taken`,
    fix: `write ${key}: 12`,
  });
  return {};
}
