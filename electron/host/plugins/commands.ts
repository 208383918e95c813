import type { CommandResult, SlashCommand } from "../tools/commands.ts";
import type { PluginsOptions } from "./options.ts";
import type { Plugins } from "./plugins.ts";

const usage = "write /plugins list, reload, trust, untrust, enable NAME or disable NAME";

/** `/plugins list | reload | trust | untrust | enable NAME | disable NAME` (spec 8). */
export function pluginCommands(plugins: Plugins, options: PluginsOptions): SlashCommand[] {
  const text = (words: string, isError = false): CommandResult => ({ kind: "text", text: words, isError });
  const list = (): CommandResult => {
    const rows = plugins.rows().map(({ name, version, state, contributions, description }) => {
      const parts = [state, version, `${contributions.length} contributions`].filter((part) => part !== "");
      return `- \`${name}\` (${parts.join(", ")})${description === "" ? "" : `: ${description}`}`;
    });
    return text(rows.length === 0 ? "No plugins." : rows.join("\n"));
  };
  return [
    {
      name: "plugins",
      description: "list, reload, switch and trust plugins; trust covers everything the folder declares",
      hint: "[list | reload | trust | untrust | enable NAME | disable NAME]",
      async run(args, asking) {
        const [verb = "list", name] = args.split(/\s+/).filter((word) => word !== "");
        switch (verb) {
          case "list":
            return list();
          case "reload":
            await plugins.reload();
            return list();
          case "trust":
            await options.trustAll(asking);
            return text(
              `Trusted: ${options.workspace}. What it declares now is approved; a change waits again.`,
            );
          case "untrust":
            await options.trust.untrust();
            return text(`No longer trusted: ${options.workspace}. What it had started is stopped.`);
          case "enable":
          case "disable": {
            if (name === undefined) return text(usage, true);
            await plugins.setEnabled(name, verb === "enable");
            return list();
          }
          default:
            return text(usage, true);
        }
      },
    },
  ];
}
