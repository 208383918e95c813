import { currentPolicy } from "./callers.ts";
import type { McpDeclaration } from "./config/types.ts";
import type { Foundation } from "./foundation.ts";
import { lookAt } from "./kit/files.ts";
import type { ConfineRequest } from "./tools/confined-program.ts";

/**
 * How an MCP server with `sandbox: true` runs (spec 6, Config): with the network, a home folder of its own and, for npx and
 * uvx, their cache. A server of a workspace has another home folder in each; the plugin that brings one stays readable.
 */
export function confinedServer(
  foundation: Foundation,
  server: {
    readonly id: string;
    readonly declaration: McpDeclaration;
    readonly env: Readonly<Record<string, string>>;
  },
): ConfineRequest {
  const { id, declaration, env } = server;
  const brought = declaration.scope === "plugin" && lookAt(declaration.base) ? [declaration.base] : [];
  return {
    id: declaration.scope === "workspace" ? `${id} in ${foundation.workspace}` : id,
    writableRoots: currentPolicy(foundation).writableRoots,
    readableRoots: brought,
    network: true,
    ownHome: { declared: env, env: foundation.env },
  };
}
