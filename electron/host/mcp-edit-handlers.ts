import type { McpReview } from "../../shared/contract/mcp.ts";
import { contributionId } from "../../shared/contribution.ts";
import type { Host } from "./host.ts";
import type { Grants } from "./policy/grants.ts";
import type { HostHandlers } from "./rpc.ts";

type EditMethods =
  | "mcp.draft"
  | "mcp.source"
  | "mcp.remove"
  | "mcp.duplicate"
  | "mcp.test"
  | "mcp.importable"
  | "mcp.import";

/** What a person changes about MCP servers. Each line delegates: no rule of its own stands here. */
export function mcpEditHandlers(
  host: Omit<Host, "handlers">,
  grants: Grants<string>,
  review: (of: { readonly id: string }) => McpReview,
): Pick<HostHandlers, EditMethods> {
  const editor = () => host.mcpEditor();
  const reviewOwn = (name: string): McpReview => review({ id: contributionId("mcp", "user", name) });
  return {
    "mcp.draft": async ({ name, json, replace }) => {
      await (await editor()).draft(name, json, replace ?? false);
      return reviewOwn(name);
    },
    "mcp.source": async ({ name }) => (await editor()).source(name),
    "mcp.remove": async ({ name }) => {
      await (await editor()).remove(name);
      return null;
    },
    "mcp.duplicate": async ({ name, as }) => {
      await (await editor()).duplicate(name, as);
      return reviewOwn(as);
    },
    "mcp.test": async ({ grant }, signal) => {
      const { payload: id, digest } = grants.spend(grant);
      return (await editor()).test(id, digest, signal);
    },
    "mcp.importable": async () => (await editor()).importable(),
    "mcp.import": async ({ ids }) => {
      const { drafted, refused } = await (await editor()).import(ids);
      return { reviews: drafted.map(reviewOwn), refused };
    },
  };
}
