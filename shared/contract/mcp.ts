import * as z from "zod/mini";
import type {
  McpImportFile,
  McpImportRow,
  McpResourceRow,
  McpServerDetails,
  McpTemplateRow,
  McpTestResult,
} from "../mcp.ts";
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
  /** Forgets the sign-in to a remote server, and stops it. */
  "mcp.signOut": method(z.object({ name })).returns<null>(),
  "mcp.logs": method(z.object({ name })).returns<{ lines: readonly string[] }>(),
  /**
   * The one method that carries a command: stores the server as `needs_approval` (architecture, The contract). `replace`: in
   * the place of the user's own server of that name, whose text `mcp.source` gave.
   */
  "mcp.draft": method(
    z.object({ name, json: z.string(), replace: z.optional(z.boolean()) }),
  ).returns<McpReview>(),
  /** A server's entry as it stands in its file. Only the user's own (`editable`) can be changed, removed. */
  "mcp.source": method(z.object({ name })).returns<{
    readonly json: string;
    readonly file: string;
    readonly editable: boolean;
  }>(),
  /** Takes one of the user's own servers out of its file. It ends first. */
  "mcp.remove": method(z.object({ name })).returns<null>(),
  /** Drafts a copy of a server, whoever's it is, under another name among the user's own. */
  "mcp.duplicate": method(z.object({ name, as: z.string() })).returns<McpReview>(),
  /** Starts what a review showed once, lists its tools and ends it; nothing of it is kept, and nothing is approved. */
  "mcp.test": method(z.object({ grant: z.string() })).returns<McpTestResult>(),
  /** Servers that other clients on this machine know. Nothing is written. */
  "mcp.importable": method(z.object({})).returns<{
    readonly rows: readonly McpImportRow[];
    readonly files: readonly McpImportFile[];
  }>(),
  /** Drafts some of them; each waits for its approval. */
  "mcp.import": method(z.object({ ids: z.array(z.string()) })).returns<{
    readonly reviews: readonly McpReview[];
    readonly refused: readonly { readonly id: string; readonly reason: string }[];
  }>(),
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
