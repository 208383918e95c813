import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { CommandResult, SlashCommand } from "../tools/commands.ts";

export interface SkillCommands {
  rows(): readonly SkillRow[];
  reload(): Promise<void>;
  setEnabled(name: string, enabled: boolean): Promise<SkillRow>;
  /** The skill's text for a person's message. @throws NacreError */
  forPerson(name: string, signal: AbortSignal): Promise<string>;
}
const text = (value: string): CommandResult => ({ kind: "text", text: value });
const wrong = (value: string): CommandResult => ({ kind: "text", text: value, isError: true });

const line = ({ name, description, state, source, path }: SkillRow): string =>
  `- ${name} (${state}, ${source})${description === "" ? "" : `: ${description}`}${path === "" ? "" : `\n  ${path}`}`;

/** `/skills` and `/skill` (spec 8). */
export function skillCommands(skills: SkillCommands): readonly SlashCommand[] {
  return [
    {
      name: "skills",
      description: "Skills: list, reload, enable NAME, disable NAME",
      hint: "list | reload | enable NAME | disable NAME",
      run: async (args) => {
        const [verb = "list", name, ...rest] = args.split(/\s+/).filter((word) => word !== "");
        if (verb === "list") {
          const rows = skills.rows();
          return text(rows.length === 0 ? "No skills." : rows.map(line).join("\n"));
        }
        if (verb === "reload") {
          await skills.reload();
          const on = skills.rows().filter(({ state }) => state === "on").length;
          return text(`${on} ${on === 1 ? "skill is" : "skills are"} on.`);
        }
        if ((verb !== "enable" && verb !== "disable") || name === undefined || rest.length > 0)
          return wrong("usage: /skills list | reload | enable NAME | disable NAME");
        return text(line(await skills.setEnabled(name, verb === "enable")));
      },
    },
    {
      name: "skill",
      description: "Sends a message with a skill's instructions",
      hint: "NAME [text]",
      run: async (args, { signal }) => {
        const match = /^(\S+)\s*([\s\S]*)$/.exec(args);
        if (match?.[1] === undefined) return wrong("usage: /skill NAME [text]");
        const content = await skills.forPerson(match[1], signal);
        return { kind: "prompt", prompt: match[2] ? `${content}\n\n${match[2]}` : content };
      },
    },
  ];
}
