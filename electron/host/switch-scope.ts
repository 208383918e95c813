import { contributionId } from "../../shared/contribution.ts";
import { NacreError } from "../../shared/errors.ts";
import type { Foundation } from "./foundation.ts";
import type { Rooms } from "./rooms.ts";
import { rootSources, rootSwitch } from "./skills/roots.ts";

/** For whom a switch is kept: everywhere, or for the workspace whose contribution it is (spec 1). */
export type SwitchScope = "user" | "workspace";

/** Asks who holds the contribution. @throws NacreError `not_found` where nobody does */
export function switchScope(
  contribution: string,
  { config }: Pick<Foundation, "config">,
  { skills, plugins, roles, mcp }: Pick<Rooms, "skills" | "plugins" | "roles" | "mcp">,
): SwitchScope {
  const servers = mcp.rows();
  // A tool goes where its server does.
  const server = servers.find(({ name }) => contribution.startsWith(`tool:mcp.${name}/`));
  const id = server?.id ?? contribution;
  const rows = [
    ...skills.rows(),
    ...servers,
    ...mcp.shadowed().map(({ owner, name, scope }) => ({ id: contributionId("mcp", owner, name), scope })),
    ...config.current.others.map(({ kind, owner, name, scope }) => ({
      id: contributionId(kind, owner, name),
      scope,
    })),
    ...rootSources.map(({ source, scope }) => ({ id: rootSwitch(source), scope })),
  ];
  const scope = plugins.scopeOf(id) ?? roles.scopeOf(id) ?? rows.find((row) => row.id === id)?.scope;
  if (scope === undefined)
    throw new NacreError("not_found", `there is nothing to switch that is called ${id}`);
  return scope === "workspace" ? "workspace" : "user";
}
