import { skillArguments } from "../../../shared/command-line.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { CommandContext, CommandFallback, CommandResult, SlashCommand } from "../tools/commands.ts";
import type { SkillsByHand } from "./by-hand.ts";

export interface SkillCommands {
  rows(): readonly SkillRow[];
  reload(): Promise<void>;
  setEnabled(name: string, enabled: boolean): Promise<SkillRow>;
  readonly use: SkillsByHand;
  /** Skills that a conversation holds in memory. */
  readonly sessions: { create(sessionId: string, name: string): Promise<string> };
}
const text = (value: string): CommandResult => ({ kind: "text", text: value });
const wrong = (value: string): CommandResult => ({ kind: "text", text: value, isError: true });
const hint = "list [TEXT] | reload | enable NAME | disable NAME | new NAME";
/** Rows in one answer. */
const mostListed = 100;

const line = ({ name, description, state, source, path }: SkillRow): string =>
  `- ${name} (${state}, ${source})${description === "" ? "" : `: ${description}`}${path === "" ? "" : `\n  ${path}`}`;

function list(rows: readonly SkillRow[], wanted: string): CommandResult {
  const word = wanted.toLowerCase();
  const found = rows.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(word));
  const more = found.length - mostListed;
  return text(
    [
      ...(found.length === 0 ? ["No skills."] : found.slice(0, mostListed).map(line)),
      ...(more > 0 ? [`… and ${more} more; /skills list TEXT names those with a word`] : []),
    ].join("\n"),
  );
}
async function use(
  skills: SkillCommands,
  name: string,
  typed: string,
  { sessionId, signal }: CommandContext,
): Promise<CommandResult> {
  const { prompt, notes, model, allow } = await skills.use.use(name, typed, { sessionId, signal });
  return {
    kind: "prompt",
    prompt,
    notes,
    ...(model === undefined ? {} : { model }),
    ...(allow === undefined ? {} : { allow }),
  };
}

/** `/skills` and `/skill` (spec 8). */
export function skillCommands(skills: SkillCommands): readonly SlashCommand[] {
  return [
    {
      name: "skills",
      description: "list, reload and switch skills; make one for this conversation",
      hint: `[${hint}]`,
      run: async (args, { sessionId }) => {
        const [verb = "list", name, ...rest] = args.split(/\s+/).filter((word) => word !== "");
        if (verb === "list") return list(skills.rows(), [name ?? "", ...rest].join(" "));
        if (verb === "reload") {
          await skills.reload();
          const on = skills.rows().filter(({ state }) => state === "on").length;
          return text(`${on} ${on === 1 ? "skill is" : "skills are"} on.`);
        }
        if (!["enable", "disable", "new"].includes(verb) || name === undefined || rest.length > 0)
          return wrong(`usage: /skills ${hint}`);
        if (verb !== "new") return text(line(await skills.setEnabled(name, verb === "enable")));
        if (sessionId === null)
          return wrong("/skills new makes a skill of a conversation, and there is none");
        await skills.sessions.create(sessionId, name);
        return text(
          `The skill ${name} is there for this conversation, and gone with it. Write it in Settings, Skills, where it can be saved to the workspace or for you; /skill ${name} uses it.`,
        );
      },
    },
    {
      name: "skill",
      description: "sends a message with a skill's instructions",
      hint: "NAME [key=value …] [text]",
      run: async (args, context) => {
        const line = skillArguments(args);
        if (line === undefined) return wrong("usage: /skill NAME [key=value …] [text]");
        return use(skills, line.name, line.rest, context);
      },
    },
  ];
}
/** `/NAME`: every skill is a command, and none of them stands in the list of commands, which would grow with them. */
export const skillFallback = (skills: SkillCommands): CommandFallback => ({
  get(name) {
    const row = skills.use.row(name);
    return (
      row && {
        ...row,
        usage: () => skills.use.usage(name),
        run: (args, context) => use(skills, name, args, context),
      }
    );
  },
  names: () => skills.use.names(),
});
