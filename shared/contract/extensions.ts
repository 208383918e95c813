import * as z from "zod/mini";
import type { DeclaredRun } from "../workspace.ts";
import type { ToolRow } from "../extension-rows.ts";
import { method } from "./method.ts";

/** What approving one server would start. */
export interface McpReview {
  readonly grant: string;
  readonly name: string;
  readonly run: DeclaredRun;
  readonly digest: string;
}
const name = z.string();
export const extensionsContract = {
  /** The switch of one contribution or of a whole plugin (`plugin:NAME`). */
  "switch.set": method(z.object({ id: z.string(), enabled: z.boolean() })).returns<null>(),
  "extensions.reload": method(
    z.object({ what: z.enum(["skills", "plugins", "mcp", "agents"]) }),
  ).returns<null>(),
  "tools.list": method(z.object({})).returns<readonly ToolRow[]>(),
  /** Starts a server that is on, trusted and approved; never one that waits. */
  "mcp.start": method(z.object({ name })).returns<null>(),
  "mcp.stop": method(z.object({ name })).returns<null>(),
  "mcp.restart": method(z.object({ name })).returns<null>(),
  "mcp.logs": method(z.object({ name })).returns<{ lines: readonly string[] }>(),
  /** The one method that carries a command: stores the server as `needs_approval` (architecture, The contract). */
  "mcp.draft": method(z.object({ name, json: z.string() })).returns<McpReview>(),
  "mcp.review": method(z.object({ name })).returns<McpReview>(),
  "mcp.approve": method(z.object({ grant: z.string() })).returns<null>(),
} as const;
