import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { isObject } from "../../../shared/json.ts";
import { namesOf, switchOf, textOf, type Finding, type ReadFrontmatter } from "../kit/frontmatter.ts";
import { canonicalToolName } from "../tools/aliases.ts";
import type { ParsedRole, RoleHead, ToolChoice } from "./role.ts";

/** Letters, digits, dot, dash and underscore, as the four systems name their roles. */
const roleName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const keys = {
  maxSteps: ["max_steps", "maxSteps", "steps", "maxTurns"],
  disallowed: ["disallowedTools", "disallowed_tools"],
} as const;

/**
 * Reads one role file (spec 7). Lenient: what cannot be used is reported and left out; a file without a description or
 * with a broken block is no role.
 * @param fileName without its ending; the role's name where the file gives none
 */
export function parseRole(text: string, fileName: string, read: ReadFrontmatter): ParsedRole {
  const front = read(text);
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
  const { data, lines, body } = front;
  const diagnostics: Omit<Diagnostic, "path">[] = [...front.findings];
  const report = (key: string, finding: Omit<Finding, "line">): void => {
    const line = lines[key];
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
  const head: RoleHead = {
    name,
    description,
    tools: {
      ...toolChoice(data["tools"], name, report),
      deny: [
        ...deniedIn(data["tools"]),
        ...keys.disallowed.flatMap((key) => namesOf(data[key]) ?? []).map(canonicalToolName),
      ],
    },
    readonly: readonly ?? true,
    // `inherit` is Claude Code's word for the parent's model.
    ...(model === undefined || model === "" || model === "inherit" ? {} : { model }),
    ...stepLimit(data, name, report),
    ...(data["permission"] === undefined ? {} : { permission: data["permission"] }),
    skills: namesOf(data["skills"]) ?? [],
    prompt: body.trim(),
  };
  return { head, diagnostics };
}

type Report = (key: string, finding: Omit<Finding, "line">) => void;

/** A list, text with commas, or a map of names to true and false. */
function toolChoice(raw: unknown, role: string, report: Report): Pick<ToolChoice, "allow"> {
  if (raw === undefined || raw === null) return { allow: null };
  if (isObject(raw)) {
    const on = Object.entries(raw).flatMap(([name, value]) => (switchOf(value) === true ? [name] : []));
    return { allow: on.length === 0 ? null : on.map(canonicalToolName) };
  }
  const names = namesOf(raw);
  if (names !== undefined) return { allow: names.map(withoutArguments).map(canonicalToolName) };
  report("tools", {
    code: "role-tools-invalid",
    severity: "warning",
    message: `tools of ${role} are no list of names; it gets none`,
    fix: "write tools: read_file, grep or a list of names",
  });
  return { allow: [] };
}
const deniedIn = (raw: unknown): string[] =>
  isObject(raw)
    ? Object.entries(raw).flatMap(([name, value]) =>
        switchOf(value) === false ? [canonicalToolName(name)] : [],
      )
    : [];
/** `Bash(git diff:*)` names the tool; what it may be called with is a permission's business. */
const withoutArguments = (name: string): string => name.replace(/\(.*\)$/, "");

function stepLimit(data: object, role: string, report: Report): { maxSteps?: number } {
  const found = Object.entries(data).find(([key]) => (keys.maxSteps as readonly string[]).includes(key));
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
