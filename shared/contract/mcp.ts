import * as z from "zod/mini";
import type { McpResourceRow, McpServerDetails, McpTemplateRow } from "../mcp.ts";
import type { DeclaredRun } from "../workspace.ts";
import { method } from "./method.ts";

/** What approving one server would start. */
export interface McpReview {
  readonly grant: string;
  readonly name: string;
  readonly run: DeclaredRun;
  readonly digest: string;
}
const name = z.string();
export const mcpContract = {
  /** Starts a server that is on, trusted and approved; never one that waits. */
  "mcp.start": method(z.object({ name })).returns<null>(),
  "mcp.stop": method(z.object({ name })).returns<null>(),
  "mcp.restart": method(z.object({ name })).returns<null>(),
  "mcp.logs": method(z.object({ name })).returns<{ lines: readonly string[] }>(),
  /** The one method that carries a command: stores the server as `needs_approval` (architecture, The contract). */
  "mcp.draft": method(z.object({ name, json: z.string() })).returns<McpReview>(),
  "mcp.review": method(z.object({ name })).returns<McpReview>(),
  "mcp.approve": method(z.object({ grant: z.string() })).returns<null>(),
  /** What a server is and offers, as it is known at this moment. */
  "mcp.details": method(z.object({ name })).returns<McpServerDetails>(),
  /** Approves definitions of tools that changed, each by the digest that was shown. */
  "mcp.approveTools": method(
    z.object({ name, tools: z.array(z.object({ name: z.string(), digest: z.string() })) }),
  ).returns<null>(),
  /** Answers what a server wants of the person (`mcpRequests`). */
  "mcp.answer": method(
    z.object({
      id: z.string(),
      action: z.enum(["accept", "decline", "cancel"]),
      content: z.optional(z.record(z.string(), z.unknown())),
    }),
  ).returns<null>(),
  /** What can be attached with `@`: the resources of every ready server. */
  "mcp.resources": method(z.object({})).returns<{
    readonly resources: readonly McpResourceRow[];
    readonly templates: readonly McpTemplateRow[];
  }>(),
  /** Values that a server proposes for an argument of a prompt or a variable of a template (`completion/complete`). */
  "mcp.complete": method(
    z.object({
      name,
      ref: z.union([z.object({ prompt: z.string() }), z.object({ template: z.string() })]),
      argument: z.object({ name: z.string(), value: z.string() }),
      /** Arguments that are given already. */
      given: z.optional(z.record(z.string(), z.string())),
    }),
  ).returns<{ readonly values: readonly string[] }>(),
} as const;
