import { visibleName } from "../../../shared/visible-text.ts";
import type { Tool } from "./types.ts";

export const findToolsName = "find_tools";
const usualFound = 8;
const mostFound = 20;
const shownDescription = 160;
const mostServersNamed = 40;

export interface ToolQuery {
  readonly words: string;
  /** A server's name; absent: all of them. */
  readonly server?: string;
  readonly limit?: number;
}
export interface FoundTools {
  /** Best first. */
  readonly tools: readonly Tool[];
  /** How many more fit. */
  readonly more: number;
}

/** Words as they are compared: in lower case, `createIssue` and `create_issue` alike, a plural as its singular. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => (word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word));
const propertiesOf = ({ inputSchema }: Tool): string =>
  Object.keys((inputSchema["properties"] as object | undefined) ?? {}).join(" ");

/** What of a tool is looked at, and how much a hit in it counts. */
const places: readonly (readonly [weight: number, text: (tool: Tool) => string])[] = [
  [8, ({ title }) => title],
  [2, ({ description }) => description],
  [1, propertiesOf],
];
/** How well a tool fits; a word counts less the more tools have it. */
function scores(tools: readonly Tool[], wanted: readonly string[]): Map<Tool, number> {
  const texts = tools.map((tool) => places.map(([weight, text]) => ({ weight, words: wordsOf(text(tool)) })));
  const result = new Map<Tool, number>();
  for (const word of wanted) {
    // Scripts without blanks are found inside of longer runs, and so is the beginning of a word.
    const hits = texts.map((parts) =>
      parts.reduce((sum, { weight, words }) => {
        if (words.includes(word)) return sum + weight;
        return words.some((one) => word.length > 1 && one.includes(word)) ? sum + weight / 2 : sum;
      }, 0),
    );
    const having = hits.filter((hit) => hit > 0).length;
    const rarity = Math.log(1 + tools.length / Math.max(1, having));
    hits.forEach((hit, at) => {
      const tool = tools[at];
      if (tool && hit > 0) result.set(tool, (result.get(tool) ?? 0) + hit * rarity);
    });
  }
  return result;
}
/** The tools that fit a query, best first; without words all of the server, in the order of their names. */
export function findTools(
  tools: readonly Tool[],
  { words, server, limit = usualFound }: ToolQuery,
): FoundTools {
  const ofServer = tools.filter(({ origin }) => server === undefined || origin.owner === server);
  const wanted = [...new Set(wordsOf(words))];
  const fits = scores(ofServer, wanted);
  const all =
    wanted.length === 0
      ? ofServer
      : [...fits]
          .sort(([a, first], [b, second]) => second - first || (a.name < b.name ? -1 : 1))
          .map(([tool]) => tool);
  const most = Math.min(Math.max(1, Math.trunc(limit)), mostFound);
  return { tools: all.slice(0, most), more: Math.max(0, all.length - most) };
}

const oneLine = (tool: Tool): string =>
  `- ${tool.name}: ${visibleName(tool.description.replaceAll(/\s+/g, " ").trim(), shownDescription)}`;
/** What a model is answered. `names` of it reads the names back. */
export function foundText({ tools, more }: FoundTools, servers: readonly string[]): string {
  if (tools.length === 0) return `no tool fits; there are servers ${servers.join(", ")}: try other words`;
  const rest = more === 0 ? [] : [`${more} more fit: use other words, or name the server`];
  return [`These tools can be called from now on:`, ...tools.map(oneLine), ...rest].join("\n");
}
/** The names in an answer of `find_tools`, as the record keeps it. */
export const namesFound = (output: string): string[] =>
  output.split("\n").flatMap((line) => /^- (\S+): /.exec(line)?.[1] ?? []);

/** The description of `find_tools` for tools that a model does not see: what servers there are. */
export function findToolsDescription(tools: readonly Tool[]): string {
  const counts = new Map<string, number>();
  for (const { origin } of tools) counts.set(origin.owner, (counts.get(origin.owner) ?? 0) + 1);
  const named = [...counts]
    .slice(0, mostServersNamed)
    .map(([server, count]) => `${visibleName(server)} (${count} tool${count === 1 ? "" : "s"})`);
  const rest = counts.size - named.length;
  return [
    "Finds tools of MCP servers, which are too many to be listed here. What it finds can be called from the next step on.",
    "Say in a few words what you want to do. Call it before you say that you cannot do something.",
    `Servers: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`,
  ].join(" ");
}
