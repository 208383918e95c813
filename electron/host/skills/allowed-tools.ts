import { canonicalToolName } from "../tools/aliases.ts";

/** What `allowed-tools` of a skill asks for, in Nacre's rules. */
export interface ToolRequest {
  /** `tool` or `tool:pattern`, as `--allow` writes them. */
  readonly patterns: readonly string[];
  /** What no rule says exactly is never granted. */
  readonly left: readonly { readonly written: string; readonly reason: string }[];
}
type Mapped = { readonly patterns: readonly string[] } | { readonly reason: string };
const noRule: Mapped = { reason: "no rule says exactly this" };

/**
 * Claude Code's forms (`Read`, `Bash(git status:*)`, `WebFetch(domain:example.com)`, `mcp__server`) and Nacre's own
 * (`run_shell:git status*`). Where the two systems differ, the narrower reading is taken or none.
 * @param hasTool By any of its names
 */
export function toolRequest(written: readonly string[], hasTool: (name: string) => boolean): ToolRequest {
  const patterns = new Set<string>();
  const left: { written: string; reason: string }[] = [];
  for (const one of written) {
    const mapped = mapOne(one.trim(), hasTool);
    if ("reason" in mapped) left.push({ written: one, reason: mapped.reason });
    else for (const pattern of mapped.patterns) patterns.add(pattern);
  }
  return { patterns: [...patterns], left };
}
function mapOne(text: string, hasTool: (name: string) => boolean): Mapped {
  const bracketed = /^([^\s():]+)\(([^]*)\)$/.exec(text);
  const own = /^([^\s():]+):([^]+)$/.exec(text);
  const [, written = text, argument] = bracketed ?? own ?? [];
  if (/^mcp(__|\.)/.test(written)) return mcpPattern(written, argument);
  if (/[*?]/.test(written)) return { reason: "it does not name one tool" };
  const tool = canonicalToolName(written);
  if (/[\s()]/.test(tool) || !hasTool(tool)) return { reason: `there is no tool ${written} here` };
  if (argument === undefined || (tool === "run_shell" && /^:?\*$/.test(argument)))
    return { patterns: [tool] };
  if (argument.trim() === "" || argument.includes("\n")) return noRule;
  if (own !== null) return { patterns: [`${tool}:${argument}`] };
  const arguments_ = argumentPatterns(tool, argument.trim());
  return arguments_ === undefined ? noRule : { patterns: arguments_.map((one) => `${tool}:${one}`) };
}
/** All tools of a server, some of them, or one. */
function mcpPattern(written: string, argument: string | undefined): Mapped {
  if (argument !== undefined) return noRule;
  const server = /^mcp(__|\.)[^*?]+?(?:\1|$)/.exec(written);
  if (server === null) return { reason: "it does not name one server" };
  const isServer = written === server[0] && !written.endsWith(server[1] ?? "");
  return { patterns: [isServer ? `${written}${server[1]}*` : written] };
}
function argumentPatterns(tool: string, argument: string): readonly string[] | undefined {
  switch (tool) {
    case "run_shell":
      return commandPatterns(argument);
    case "read_file":
    case "list_dir":
    case "write_file":
    case "edit_file":
      return pathPattern(argument);
    case "fetch_url": {
      const host = /^domain:((?:\*\.)?[A-Za-z0-9.-]+)$/.exec(argument)?.[1];
      return host === undefined ? undefined : [host];
    }
    case "skill":
    case "task":
      return /^[\w:.-]+$/.test(argument) ? [argument] : undefined;
    default:
      return undefined;
  }
}
/** `git status:*` and `git status *` mean the command alone or with arguments: never `git statusx`. */
function commandPatterns(argument: string): readonly string[] | undefined {
  if (argument.includes("?")) return undefined;
  const begins = /^(.*\S)(?::| )\*$/.exec(argument)?.[1];
  return begins === undefined ? [argument] : [begins, `${begins} *`];
}
/**
 * There a pattern without a slash means every folder, `*` ends at a slash, and `/x` and `~/x` start elsewhere than here:
 * what is the same in both is a path from the workspace, or all that lies below one.
 */
function pathPattern(argument: string): readonly string[] | undefined {
  const isAnchored = argument.startsWith("./");
  const path = argument.replace(/^\.\//, "").replace(/^\/\//, "/");
  const below = /^(.+)\/\*\*$/.exec(path);
  const plain = below?.[1] ?? path;
  if (/[*?[\]{}!~\\]/.test(plain)) return undefined;
  if (path.startsWith("/") && !argument.startsWith("//")) return undefined;
  if (plain === "" || plain.split("/").includes("..")) return undefined;
  return below !== null || isAnchored || path.includes("/") ? [path] : undefined;
}
