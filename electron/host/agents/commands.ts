import type { CommandResult, SlashCommand } from "../tools/commands.ts";
import type { RolesOptions, Roles } from "./roles.ts";

const usage = "write /agents list, reload, enable NAME or disable NAME";

/** `/agents list | reload | enable NAME | disable NAME` (spec 8). */
export function roleCommands(roles: Roles, switches: RolesOptions["switches"]): SlashCommand[] {
  const list = (): CommandResult => ({
    kind: "text",
    text: roles
      .rows()
      .map(
        ({ name, source, state, description }) =>
          `- \`${name}\` (${source}${state === "on" ? "" : `, ${state}`}): ${description}`,
      )
      .join("\n"),
  });
  return [
    {
      name: "agents",
      description: "list, reload and switch the roles of sub-agents",
      hint: "[list | reload | enable NAME | disable NAME]",
      async run(args) {
        const [verb = "list", name] = args.split(/\s+/).filter((word) => word !== "");
        if (verb === "list") return list();
        if (verb === "reload") {
          await roles.reload();
          return list();
        }
        if ((verb !== "enable" && verb !== "disable") || name === undefined)
          return { kind: "text", text: usage, isError: true };
        const row = roles.rows().find((one) => one.name === name);
        if (!row)
          return { kind: "text", text: `there is no role ${name}; /agents lists them`, isError: true };
        await switches.set(row.id, verb === "enable");
        return { kind: "text", text: `${name} is ${verb === "enable" ? "on" : "off"}` };
      },
    },
  ];
}
