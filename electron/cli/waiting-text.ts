import type { PluginRow } from "../../shared/extension-rows.ts";
import type { DeclarationRow } from "../../shared/workspace.ts";

type Waiting = Pick<DeclarationRow, "kind" | "name" | "runs">;

/** The hint that declarations wait, with their number (cli.md); undefined where none does. */
export function waitingHint(count: number, isTrusted: boolean): string | undefined {
  if (count === 0) return undefined;
  if (!isTrusted) return `untrusted workspace: /plugins trust (${count} waiting)`;
  return `${count === 1 ? "1 declaration is" : `${count} declarations are`} new or changed: nacre plugins trust`;
}

/** What declares a tool that is not there because it waits: the plugin of a tool, whoever brings its server. */
export function waitingFor(tool: string, waiting: readonly Waiting[]): Waiting | undefined {
  const isOfServer = (server: string): boolean =>
    tool.startsWith(`mcp__${server}__`) || tool.startsWith(`mcp.${server}.`);
  return waiting.find(({ kind, name, runs }) =>
    kind === "mcp"
      ? isOfServer(name)
      : kind === "plugin" && runs.some(({ what }) => what === tool || isOfServer(what)),
  );
}

/** Why a plugin does not work and what to do about it; of one that does, what it is. */
export function aboutPlugin({ state, description, compatibility, diagnostics }: PluginRow): string {
  switch (state) {
    case "untrusted":
      return "waits for trust: nacre plugins trust";
    case "needs_approval":
      return "is new or has changed and waits: nacre plugins trust";
    case "incompatible":
      return compatibility.reason ?? description;
    case "invalid":
      return diagnostics.find(({ severity }) => severity === "error")?.message ?? description;
    default:
      return description;
  }
}
