import { ownFolder } from "./local-skill.ts";
import { listResources } from "./resources.ts";
import type { SkillDefinition } from "./types.ts";

/** What a loaded skill is for the model (DSH, the result of `skill`). */
export function skillContent(skill: SkillDefinition, options: { readonly listsFiles: boolean }): string {
  return [
    `<skill_content name="${skill.name}">`,
    "<skill_resources>",
    ...resources(skill, options.listsFiles),
    "</skill_resources>",
    "<skill_instructions>",
    skill.content.trim(),
    "</skill_instructions>",
    "</skill_content>",
  ].join("\n");
}

function resources(skill: SkillDefinition, listsFiles: boolean): readonly string[] {
  const base = skill.resourceBase;
  if (base === undefined) return ["This skill has no files."];
  if (base.kind === "url") return [`Base URL: ${base.url}`, "Relative references are relative to it."];
  if (base.kind === "opaque") return [`Base: ${base.description}`];
  const lines = [`Base folder: ${base.path}`, "Relative paths in the instructions are relative to it."];
  const folder = ownFolder(skill);
  if (!listsFiles || folder === undefined) return lines;
  const { files, more } = listResources(folder);
  if (files.length === 0) return lines;
  return [
    ...lines,
    `Files, to be read with skill(name: "${skill.name}", file: …):`,
    ...files.map((file) => `- ${file}`),
    ...(more ? ["- …"] : []),
  ];
}
