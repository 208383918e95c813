import fs from "node:fs";
import path from "node:path";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { SkillInspection } from "../../../shared/skills.ts";
import { loadFrontmatter } from "../kit/frontmatter.ts";
import { sha256 } from "../kit/files.ts";
import { readHead, type SkillFields } from "../skills/head.ts";
import { listResources } from "../skills/resources.ts";
import type { SkillDefinition } from "../skills/types.ts";
import type { KnownSkill, SkillOnDisk } from "./known-skill.ts";
import { readSkillText, type SkillText } from "./skill-text.ts";
import { refusalToWrite } from "./write-text.ts";

/** What the rest of the host knows of what a skill needs. */
export interface InspectionParts {
  readonly row: SkillRow;
  /** The text of a skill that is no file. */
  readonly definition: () => Promise<SkillDefinition>;
  /** The whole of a conversation's skill, as it would stand in a file. */
  readonly held: string | undefined;
  /** The tool of a name, by Nacre's name of it. */
  readonly toolNamed: (name: string) => { readonly name: string; readonly found: boolean };
  readonly modelExists: (name: string) => Promise<boolean>;
}
type Shown = Pick<
  SkillInspection,
  "content" | "text" | "digest" | "resources" | "moreResources" | "editable" | "repairable" | "metadata"
> &
  Pick<SkillInspection, "realPath"> &
  Partial<Omit<SkillFields, "metadata">>;

/**
 * A skill with everything that settings show of it, whether it loads or not; its file is read anew.
 * @throws NacreError `not_found` where its file is gone, `io`
 */
export async function inspectSkill(skill: KnownSkill, parts: InspectionParts): Promise<SkillInspection> {
  const { found } = skill;
  const shown = found ? await ofFile({ ...skill, found }) : await ofMemory(skill, parts);
  const { entry } = skill;
  const { license, compatibility, whenToUse, model } = shown;
  return {
    row: parts.row,
    id: entry.id,
    name: entry.name,
    description: entry.description,
    schema: null,
    tools: (shown.tools ?? []).map(parts.toolNamed),
    allowedTools: shown.allowedTools ?? [],
    keywords: shown.keywords ?? [],
    metadata: shown.metadata,
    content: shown.content,
    text: shown.text,
    digest: shown.digest,
    resources: shown.resources,
    moreResources: shown.moreResources,
    editable: shown.editable,
    repairable: shown.repairable,
    ...(shown.realPath === undefined ? {} : { realPath: shown.realPath }),
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(whenToUse === undefined ? {} : { whenToUse }),
    ...(model === undefined ? {} : { model: { name: model, found: await parts.modelExists(model) } }),
  };
}

async function ofFile(skill: SkillOnDisk): Promise<Shown> {
  const { entry, found } = skill;
  const read = readSkillText(found.path);
  const front = (await loadFrontmatter())(read.bytes.toString("utf8"));
  // Whether its first line may be taken for a description is nothing that is shown here.
  const head = readHead(front, false);
  const { files, more } =
    found.form === "directory" ? listResources(found.folder) : { files: [], more: false };
  return {
    ...(head.kind === "fields" ? head : {}),
    metadata: head.kind === "fields" ? (head.metadata ?? {}) : {},
    content: entry.valid ? front.body : "",
    text: read.text,
    digest: read.digest,
    ...(read.real === path.resolve(found.path) ? {} : { realPath: read.real }),
    resources: files,
    moreResources: more,
    editable: refusalToWrite(skill, read) === undefined && mayWrite(read),
    repairable: false,
  };
}
async function ofMemory({ entry }: KnownSkill, { definition, held }: InspectionParts): Promise<Shown> {
  const skill = entry.valid ? await definition() : undefined;
  const { tools, allowedTools, keywords, model } = skill?.needs ?? {};
  return {
    ...(tools ? { tools } : {}),
    ...(allowedTools ? { allowedTools } : {}),
    ...(keywords ? { keywords } : {}),
    ...(model === undefined ? {} : { model }),
    ...(skill?.whenToUse === undefined ? {} : { whenToUse: skill.whenToUse }),
    metadata: skill?.metadata ?? {},
    content: skill?.content ?? "",
    text: held ?? null,
    digest: held === undefined ? "" : sha256(held),
    resources: [],
    moreResources: false,
    editable: held !== undefined,
    repairable: false,
  };
}
/** The file is replaced, so its folder has to take a new one, too. */
function mayWrite({ real }: SkillText): boolean {
  try {
    fs.accessSync(real, fs.constants.W_OK);
    fs.accessSync(path.dirname(real), fs.constants.W_OK);
    return true;
  } catch {
    // Whatever keeps it from being written, it is not editable; writing it would say why.
    return false;
  }
}
