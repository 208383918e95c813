import type { CommandRow, ModelRow } from "../../../shared/workspace.ts";

/** What the guide knows: what is on, and what is missing. */
export interface GuideInventory {
  readonly skills: readonly { readonly name: string; readonly description: string }[];
  readonly plugins: readonly { readonly name: string }[];
  readonly servers: readonly { readonly name: string; readonly state: string; readonly toolCount: number }[];
  readonly agents: readonly { readonly name: string }[];
  readonly tools: readonly { readonly name: string; readonly title: string }[];
  readonly commands: readonly CommandRow[];
  readonly models: readonly ModelRow[];
  /** Declarations of an untrusted workspace. */
  readonly waiting: number;
}
const shownNames = 30;

const names = (all: readonly string[]): string => {
  const shown = all.slice(0, shownNames).map((name) => `\`${name}\``);
  return `${shown.join(", ")}${all.length > shownNames ? ` and ${all.length - shownNames} more` : ""}`;
};
const counted = (title: string, all: readonly string[]): string[] =>
  all.length === 0 ? [] : [`- ${title} (${all.length}): ${names(all)}`];

/** The words of a text, lower case, among them names with dots, colons and hyphens. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_.:-]+/gu) ?? []).flatMap((word) => [
      word,
      word.replace(/[.:-]+$/, ""),
    ]),
  );

function missing({ models, waiting }: GuideInventory): string {
  const broken = models.filter((model) => !model.ok);
  const usable = models.filter((model) => model.ok);
  return [
    "**What is missing:** a language model.",
    ...usable.map(({ id }) => `- \`${id}\` is set up: \`/model ${id}\` chooses it.`),
    ...broken.map(({ id, error }) => `- \`${id}\` cannot be used: ${error ?? "it is not set up"}.`),
    "- Choose one in Settings, Models; or start Nacre with `NACRE_MODEL=openai-compatible/NAME` and `NACRE_BASE_URL=http://HOST:PORT/v1`.",
    ...(waiting > 0
      ? [
          `- This workspace is not trusted: ${waiting} of its extensions wait. \`/plugins trust\` starts them.`,
        ]
      : []),
  ].join("\n");
}

function installed({ skills, plugins, servers, agents, tools }: GuideInventory): string {
  const lines = [
    ...counted(
      "Skills",
      skills.map(({ name }) => name),
    ),
    ...counted(
      "Plugins",
      plugins.map(({ name }) => name),
    ),
    ...counted(
      "MCP servers",
      servers.map(({ name, state, toolCount }) => `${name}: ${state}, ${toolCount} tools`),
    ),
    ...counted(
      "Agents",
      agents.map(({ name }) => name),
    ),
    ...counted(
      "Tools",
      tools.map(({ title }) => title),
    ),
  ];
  return [
    "**What is installed:**",
    ...(lines.length === 0 ? ["- nothing yet; the Marketplace has more"] : lines),
  ].join("\n");
}

/**
 * What answers where no model is configured (spec 8, Models). It is no language model and says so; it names what it found
 * in the text, what can be done without a model and what is missing.
 * @param expanded the text is what a slash command would have asked of a model
 */
export function guideAnswer(text: string, expanded: boolean, inventory: GuideInventory): string {
  const words = wordsOf(text);
  const named = (name: string): boolean => words.has(name.toLowerCase());
  const found = [
    ...inventory.skills
      .filter(({ name }) => named(name))
      .map(
        ({ name, description }) => `- The skill \`${name}\`: ${description}\n  \`/skill ${name}\` loads it.`,
      ),
    ...inventory.tools
      .filter(({ name, title }) => named(name) || named(title))
      .map(
        ({ title }) =>
          `- The tool \`${title}\`: \`/call ${title} {…}\` calls it, with its arguments as JSON.`,
      ),
  ];
  const foundHere = found.length === 0 ? [] : [`**You named:**\n${found.slice(0, shownNames).join("\n")}`];
  const asked = `No model is configured. This is what the command would send to one:\n\n${text}`;
  const hello =
    "I am Nacre's built-in guide, not a language model: no model is configured, so your message is answered by nobody. Slash commands work without one.";
  const commands = inventory.commands.map(
    ({ name, hint, description }) => `- \`/${name}${hint === undefined ? "" : ` ${hint}`}\`: ${description}`,
  );
  if (expanded) return [asked, missing(inventory)].join("\n\n");
  return [
    hello,
    ...foundHere,
    missing(inventory),
    installed(inventory),
    ["**What you can do now:**", ...commands].join("\n"),
  ].join("\n\n");
}
