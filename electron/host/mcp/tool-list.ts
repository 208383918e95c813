import { NacreError } from "../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { cutEnd, visibleName } from "../../../shared/visible-text.ts";
import { readParamHeaders, type ParamHeader } from "./param-headers.ts";
import type { McpToolDefinition, ToolListing } from "./types.ts";

const maxPages = 64;
const emptySchema: JsonObject = { type: "object", properties: {} };

/** What no server that is of use goes beyond; a list without end would fill the host's memory and every request. */
const mostTools = 1000;
const longestName = 512;
const longestDescription = 8000;
/** UTF-16 units of one tool's JSON but its description, and of all together. */
const largestTool = 128 * 1024;
const largestList = 8 * 1024 * 1024;
const mostProblems = 100;

/** What was wrong with a list, one line each; of very many the first. */
class Problems {
  readonly #lines: string[] = [];
  #more = 0;
  /** Gives nothing, so that what is left out can end with it. */
  add(text: string): undefined {
    if (this.#lines.length < mostProblems) this.#lines.push(text);
    else this.#more++;
  }
  get lines(): string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `and ${this.#more} more problems of the kind`];
  }
}
/** Reads one entry of `tools/list`; a problem says why it cannot be offered. */
function readTool(raw: unknown, problems: Problems): McpToolDefinition | undefined {
  const start = (value: unknown): string => cutEnd(JSON.stringify(value) ?? "", 200).kept;
  if (!isObject(raw)) return problems.add(`left out an entry that is no object: ${start(raw)}`);
  const name = raw["name"];
  if (typeof name !== "string" || name === "")
    return problems.add(`left out a tool without a name: ${start(raw)}`);
  const shown = visibleName(name);
  if (name.length > longestName)
    return problems.add(`left out tool ${shown}: its name is longer than ${longestName} characters`);
  const said = typeof raw["description"] === "string" ? raw["description"] : "";
  const { kept: description, left } = cutEnd(said, longestDescription);
  if (left > 0)
    problems.add(
      `tool ${shown}: its description is cut after ${longestDescription} of ${said.length} characters`,
    );
  const schema = raw["inputSchema"];
  if (schema === undefined || schema === null)
    problems.add(`tool ${shown}: no inputSchema; it is offered without arguments`);
  else if (!isObject(schema) || (schema["type"] !== undefined && schema["type"] !== "object"))
    return problems.add(`left out tool ${shown}: its inputSchema describes no object`);
  const inputSchema = isObject(schema)
    ? { ...(schema["type"] === undefined ? { type: "object" } : {}), ...schema }
    : emptySchema;
  const tool = { name, description, inputSchema, ...extras(raw) };
  if (sizeOf(tool) > largestTool + description.length)
    return problems.add(`left out tool ${shown}: its definition is too large, over ${largestTool / 1024} KB`);
  return tool;
}
/** MCP 2025-11-25, Tasks, Tool-Level Negotiation. */
function needsTask(raw: unknown): boolean {
  const execution = isObject(raw) ? raw["execution"] : undefined;
  return isObject(execution) && execution["taskSupport"] === "required";
}
const sizeOf = (tool: McpToolDefinition): number => JSON.stringify(tool).length;

/** What a tool may say of itself beyond what it does; of another kind than the protocol's, it is as if it were not said. */
function extras({
  title,
  annotations,
  _meta: meta,
}: JsonObject): Pick<McpToolDefinition, "title" | "annotations" | "meta"> {
  return {
    ...(typeof title === "string" && title !== "" ? { title } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
    ...(isObject(meta) ? { meta } : {}),
  };
}

/**
 * Walks the pages of `tools/list` (MCP 2025-11-25, Pagination), forgiving what servers get wrong: one bad tool does not
 * cost the others, `nextCursor: null` ends the list, a cursor that comes back ends it, of two equal names the first stays.
 * `mirrorsArguments`: the transport carries arguments in headers too, and a tool that declares that wrongly is left out
 * (MCP 2026-07-28, `x-mcp-header`). @throws NacreError `invalid_input` where an answer holds no list; whatever `page` throws
 */
export async function listAllTools(
  page: (cursor: string | undefined) => Promise<unknown>,
  mirrorsArguments = false,
): Promise<ToolListing> {
  const tools = new Map<string, McpToolDefinition>();
  const problems = new Problems();
  const headers = new Map<string, readonly ParamHeader[]>();
  const taskTools = new Set<string>();
  let size = 0;
  /** Takes one entry in; a text says why nothing more is taken. */
  const take = (raw: unknown): string | undefined => {
    const tool = readTool(raw, problems);
    if (!tool) return undefined;
    const shown = visibleName(tool.name);
    if (tools.has(tool.name)) return problems.add(`left out a second tool ${shown}`);
    const params = mirrorsArguments ? readParamHeaders(tool.inputSchema) : [];
    if (typeof params === "string") return problems.add(`left out tool ${shown}: ${params}`);
    if (tools.size === mostTools) return `there are more than ${mostTools} tools; the others are left out`;
    size += sizeOf(tool);
    if (size > largestList)
      return `the tools are larger than ${largestList >> 20} MB; the others are left out`;
    tools.set(tool.name, tool);
    if (params.length > 0) headers.set(tool.name, params);
    if (needsTask(raw)) taskTools.add(tool.name);
    return undefined;
  };
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let end: string | undefined;
  for (let number = 1; end === undefined; number++) {
    const result = await page(cursor);
    const list = isObject(result) ? result["tools"] : undefined;
    if (!isObject(result) || !Array.isArray(list))
      throw new NacreError("invalid_input", "the server answered tools/list without a list of tools");
    for (const raw of list) if ((end = take(raw)) !== undefined) break;
    const next = result["nextCursor"];
    if (end !== undefined || typeof next !== "string" || next === "") break;
    if (number === maxPages) end = `stopped after ${maxPages} pages of tools`;
    else if (cursors.has(next)) end = `the cursor ${visibleName(next)} came twice; the list ends there`;
    cursors.add(next);
    cursor = next;
  }
  if (end !== undefined) problems.add(end);
  return { tools: [...tools.values()], problems: problems.lines, headers, taskTools };
}
