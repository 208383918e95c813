import { NacreError } from "../../shared/errors.ts";
import { switchOf } from "../../shared/switch-of.ts";
import { visibleName } from "../../shared/visible-text.ts";
import type { ServerSkill, ServerSkills } from "./mcp/skills/server-skills.ts";
import { mcpRank } from "./skills/roots.ts";
import type { SkillCandidate, SkillProvider, SkillSummary } from "./skills/types.ts";

/** Names of files that are listed with a loaded skill, as of a local one's. */
const mostFiles = 50;
const sourceOf = ({ server }: ServerSkill): string => `mcp ${visibleName(server.name, 60)}`;

/** What a list shows of it; nothing that a server says of itself makes it run, or run with more. */
function summary(skill: ServerSkill): Omit<SkillSummary, "provider"> {
  const { name, description, frontmatter, root } = skill.entry;
  const when = frontmatter["when-to-use"] ?? frontmatter["whenToUse"];
  const hidden = frontmatter["disable-model-invocation"] ?? frontmatter["disableModelInvocation"];
  const invocable = frontmatter["user-invocable"];
  return {
    name,
    description,
    ...(typeof when === "string" ? { whenToUse: when } : {}),
    // What is neither true nor false counts as the stricter one (spec 3, Frontmatter).
    ...(hidden !== undefined && (switchOf(hidden) ?? true) ? { disableModelInvocation: true } : {}),
    ...(invocable !== undefined && !(switchOf(invocable) ?? false) ? { modelOnly: true } : {}),
    source: sourceOf(skill),
    resourceBase: { kind: "url", url: root },
  };
}

/** Skills of MCP servers for the registry of skills: below what the user and the workspace have (spec 3, Roots). */
export function mcpSkillProvider(skills: ServerSkills, isOn: () => boolean): SkillProvider {
  const never = new AbortController().signal;
  const find = ({ name, source }: Pick<SkillSummary, "name" | "source">): ServerSkill | undefined =>
    skills.all().find((one) => one.entry.name === name && sourceOf(one) === source);
  const refused = (skill: SkillSummary, error: unknown): unknown =>
    error instanceof NacreError
      ? new NacreError(error.code, `the skill ${skill.name} of ${skill.source}: ${error.message}`, {
          cause: error,
        })
      : error;
  return {
    name: "mcp",
    list: async () =>
      isOn()
        ? skills.all().map((skill): SkillCandidate => ({
            ...summary(skill),
            provider: "mcp",
            rank: mcpRank,
            locator: skill.entry.uri,
          }))
        : [],
    async get(candidate, { signal = never }) {
      const skill = find(candidate);
      if (!skill) return undefined;
      try {
        const { body, files } = await skills.load(skill, signal);
        const definition = { ...summary(skill), provider: "mcp", content: body, outside: true };
        return { ...definition, files: files.slice(0, mostFiles) };
      } catch (error) {
        throw refused(candidate, error);
      }
    },
    async file(loaded, file, { signal = never }) {
      const skill = find(loaded);
      if (!skill) throw new NacreError("not_found", `the skill ${loaded.name} is no longer available`);
      try {
        return await skills.file(skill, file, signal);
      } catch (error) {
        throw refused(loaded, error);
      }
    },
  };
}
