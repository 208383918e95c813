/** A slash command as it was typed, without blanks around what follows its name. */
export interface CommandLine {
  readonly name: string;
  readonly args: string;
}
/** `/mcp restart github` → `{name: "mcp", args: "restart github"}`; undefined where the text is no command. */
export function parseCommand(text: string): CommandLine | undefined {
  const match = /^\/([A-Za-z0-9][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], args: (match[2] ?? "").trim() };
}

/** What runs a skill: its name, and what stands behind it without blanks around. */
export interface SkillLine {
  readonly name: string;
  readonly rest: string;
}
/** What `/skill` is given: `NAME [key=value …] [text]`; undefined without a name. */
export function skillArguments(args: string): SkillLine | undefined {
  const match = /^(\S+)\s*([\s\S]*)$/.exec(args.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], rest: match[2] ?? "" };
}
/**
 * `/NAME …` or `/skill NAME …`; undefined for any other text.
 * @param commands Names that are commands of their own: they come before a skill's
 */
export function skillLineOf(text: string, commands: ReadonlySet<string>): SkillLine | undefined {
  const command = parseCommand(text);
  if (command === undefined) return undefined;
  const { name, args } = command;
  if (name === "skill") return skillArguments(args);
  return commands.has(name) ? undefined : { name, rest: args };
}
/** What is typed for a skill before what it is given. */
export const skillCommand = (name: string, commands: ReadonlySet<string>): string =>
  name === "skill" || commands.has(name) ? `/skill ${name}` : `/${name}`;
