import { ownFolder } from "./local-skill.ts";
import type { ResourceList } from "./resources.ts";
import type { SkillDefinition } from "./types.ts";

/**
 * What a loaded skill is for the model (DSH, the result of `skill`).
 * @param listed The names of its files; undefined where they are not listed.
 */
export const skillContent = (skill: SkillDefinition, listed: ResourceList | undefined): string =>
  [
    `<skill_content name="${skill.name}">`,
    "<skill_resources>",
    ...resources(skill, listed),
    "</skill_resources>",
    "<skill_instructions>",
    skill.content.trim(),
    "</skill_instructions>",
    "</skill_content>",
  ].join("\n");

function resources(skill: SkillDefinition, listed: ResourceList | undefined): readonly string[] {
  const base = skill.resourceBase;
  if (base === undefined) return ["This skill has no files."];
  if (base.kind === "url")
    return [
      `Base URL: ${base.url}`,
      "Relative references are relative to it.",
      ...fileLines(skill, skill.files ?? []),
    ];
  if (base.kind === "opaque") return [`Base: ${base.description}`];
  const lines = [`Base folder: ${base.path}`, "Relative paths in the instructions are relative to it."];
  if (listed === undefined || listed.files.length === 0 || ownFolder(skill) === undefined) return lines;
  return [...lines, ...fileLines(skill, listed.files), ...more(listed)];
}
const fileLines = (skill: SkillDefinition, files: readonly string[]): readonly string[] =>
  files.length === 0
    ? []
    : [`Files, to be read with skill(name: "${skill.name}", file: …):`, ...files.map((file) => `- ${file}`)];
function more({ more: count, whole }: ResourceList): readonly string[] {
  if (count === 0) return whole ? [] : ["(there may be more)"];
  return [whole ? `(${count} more)` : `(more than ${count} more)`];
}
