import { NacreError } from "../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { readParamHeaders, type ParamHeader } from "./param-headers.ts";
import type { McpToolDefinition, ToolListing } from "./types.ts";

const maxPages = 64;
const emptySchema: JsonObject = { type: "object", properties: {} };

/** Reads one entry of `tools/list`; a text says why it cannot be offered. */
function readTool(raw: unknown, problems: string[]): McpToolDefinition | undefined {
  if (!isObject(raw))
    return void problems.push(`left out an entry that is no object: ${JSON.stringify(raw)}`);
  const name = raw["name"];
  if (typeof name !== "string" || name === "")
    return void problems.push(`left out a tool without a name: ${JSON.stringify(raw).slice(0, 200)}`);
  const description = typeof raw["description"] === "string" ? raw["description"] : "";
  const schema = raw["inputSchema"];
  if (schema === undefined || schema === null) {
    problems.push(`tool ${name}: no inputSchema; it is offered without arguments`);
    return { name, description, inputSchema: emptySchema, ...extras(raw) };
  }
  const type = isObject(schema) ? schema["type"] : undefined;
  if (!isObject(schema) || (type !== undefined && type !== "object"))
    return void problems.push(`left out tool ${name}: its inputSchema describes no object`);
  const inputSchema = type === undefined ? { type: "object", ...schema } : schema;
  return { name, description, inputSchema, ...extras(raw) };
}
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
  const problems: string[] = [];
  const headers = new Map<string, readonly ParamHeader[]>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let number = 1; ; number++) {
    const result = await page(cursor);
    const list = isObject(result) ? result["tools"] : undefined;
    if (!isObject(result) || !Array.isArray(list))
      throw new NacreError("invalid_input", "the server answered tools/list without a list of tools");
    for (const raw of list) {
      const tool = readTool(raw, problems);
      if (!tool) continue;
      if (tools.has(tool.name)) problems.push(`left out a second tool ${tool.name}`);
      else {
        const params = mirrorsArguments ? readParamHeaders(tool.inputSchema) : [];
        if (typeof params === "string") problems.push(`left out tool ${tool.name}: ${params}`);
        else {
          tools.set(tool.name, tool);
          if (params.length > 0) headers.set(tool.name, params);
        }
      }
    }
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "") break;
    if (cursors.has(next) || number === maxPages) {
      problems.push(
        number === maxPages
          ? `stopped after ${maxPages} pages of tools`
          : `the cursor ${next} came twice; the list ends there`,
      );
      break;
    }
    cursors.add(next);
    cursor = next;
  }
  return { tools: [...tools.values()], problems, headers };
}
