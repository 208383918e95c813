import { NacreError } from "../../../shared/errors.ts";
import { isObject } from "../../../shared/json.ts";
import { type SchemaVerdict, validateSchema } from "../../../shared/json-schema.ts";
import { coerce } from "./coerce.ts";
import type { ToolRegistry } from "./registry.ts";
import type { Caller, Tool } from "./types.ts";

const mostNear = 3;

/** The tool that a caller means. @throws NacreError `not_found`, with near names, where there is none for it. */
export function findTool(registry: ToolRegistry, name: string, caller: Caller): Tool {
  const mayCall = (one: Tool): boolean =>
    caller.tools === undefined || caller.tools.has(one.name) || caller.tools.has(one.title);
  const tool = registry.get(name);
  if (tool && mayCall(tool)) return tool;
  const offered = registry
    .list()
    .filter(mayCall)
    .map((one) => one.name);
  const near = nearNames(name, offered);
  const hint =
    near.length > 0 ? `did you mean ${near.join(" or ")}?` : `there are ${offered.join(", ") || "none"}`;
  const who = caller.role === null ? "here" : `to the role ${caller.role}`;
  const what = tool ? `the tool ${name} is not offered ${who}` : `there is no tool "${name}"`;
  throw new NacreError("not_found", `${what}; ${hint}`);
}

/**
 * Arguments as a tool may take them: coerced, validated, frozen to the bottom, so that what was judged is what runs.
 * `onSkipped` hears why a schema could not be used; then the tool gets the arguments as they are.
 * @throws NacreError `invalid_input`, which names every property that is wrong and those the tool knows
 */
export function prepareInput(
  tool: Tool,
  input: unknown,
  onSkipped: (reason: string) => void = () => undefined,
): Readonly<Record<string, unknown>> {
  const given = input ?? {};
  if (!isObject(given))
    throw new NacreError(
      "invalid_input",
      `the arguments of ${tool.name} have to be an object, not ${JSON.stringify(input)}`,
    );
  const wanted = coerce(tool.inputSchema, given);
  const verdict = validateSchema(tool.inputSchema, wanted, { foreign: tool.foreignSchema === true });
  if (verdict.ok === false) throw new NacreError("invalid_input", invalidText(tool, verdict));
  if (verdict.ok === "skipped") onSkipped(verdict.reason);
  return freeze(isObject(wanted) ? wanted : given);
}

function invalidText(tool: Tool, verdict: SchemaVerdict & { readonly ok: false }): string {
  const wrong = verdict.problems.map(
    ({ property, message }) => `${property === "" ? "the whole" : property} ${message}`,
  );
  const properties = tool.inputSchema["properties"];
  const known = isObject(properties) ? Object.keys(properties) : [];
  const takes = known.length === 0 ? "" : ` (${tool.name} takes ${known.join(", ")})`;
  return `the arguments of ${tool.name} are not valid: ${wrong.join("; ")}${takes}`;
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) freeze(child);
  return Object.freeze(value);
}

/** Up to three names that resemble the one that was meant, nearest first. */
function nearNames(name: string, names: readonly string[]): string[] {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const meant = plain(name);
  return names
    .map((candidate) => ({ candidate, far: distance(meant, plain(candidate)) }))
    .filter(
      ({ candidate, far }) =>
        far <= Math.max(2, Math.floor(candidate.length / 3)) ||
        (meant.length > 3 && plain(candidate).includes(meant)),
    )
    .sort((a, b) => a.far - b.far)
    .slice(0, mostNear)
    .map(({ candidate }) => candidate);
}
/** Levenshtein's distance of two short texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= Math.min(a.length, 100); i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
