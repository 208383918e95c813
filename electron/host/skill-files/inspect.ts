import path from "node:path";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { SkillInspection, SkillObstacle } from "../../../shared/skills.ts";
import { sha256 } from "../kit/files.ts";
import type { NeedsPorts } from "../skills/invocation-needs.ts";
import { shownNeeds } from "../skills/invocation.ts";
import { loadSkillParser } from "../skills/parse-skill.ts";
import { loadSkillRepair, mayBeRepaired } from "../skills/repair-text.ts";
import type { ResourceList } from "../skills/resources.ts";
import type { SkillDefinition, SkillNeeds } from "../skills/types.ts";
import type { KeptPlaces } from "./kept-places.ts";
import type { KnownSkill, SkillFile, SkillOnDisk } from "./known-skill.ts";
import { mayWrite } from "./may-write.ts";
import { isRemovable } from "./removal.ts";
import { readSkillText, type SkillText } from "./skill-text.ts";
import { refusalToWrite } from "./write-text.ts";

export interface InspectionParts {
  readonly row: SkillRow;
  /** A skill that is no file. */
  readonly definition: () => Promise<SkillDefinition>;
  /** Names of the files of a skill's folder. */
  readonly resources: (folder: string) => Promise<ResourceList>;
  readonly isKept: KeptPlaces;
  /** The whole of a conversation's skill, as it would stand in a file. */
  readonly held: string | undefined;
  readonly needs: Pick<NeedsPorts, "toolName" | "model">;
}
/** What its text says of itself. */
interface Said extends Pick<
  SkillInspection,
  "content" | "metadata" | "license" | "compatibility" | "whenToUse"
> {
  readonly needs: SkillNeeds | undefined;
}
/** What can be done with its text. */
type Held = Pick<
  SkillInspection,
  | "text"
  | "digest"
  | "realPath"
  | "resources"
  | "moreResources"
  | "editable"
  | "uneditable"
  | "removable"
  | "repairable"
>;

/**
 * A skill with everything that settings show of it, whether it loads or not; its file is read anew.
 * @throws NacreError `not_found` where its file is gone, `io`
 */
export async function inspectSkill(skill: KnownSkill, parts: InspectionParts): Promise<SkillInspection> {
  const { entry, found } = skill;
  const [{ needs, ...said }, held] = found
    ? await ofFile({ ...skill, found }, parts)
    : await ofMemory(skill, parts);
  return {
    row: parts.row,
    id: entry.id,
    name: entry.name,
    description: entry.description,
    keywords: needs?.keywords ?? [],
    ...(await shownNeeds(needs, parts.needs)),
    ...said,
    ...held,
  };
}

/**
 * Whether a repair of its front matter would change anything, and the file may be written.
 * @param known The file's text where it was read already.
 * @throws NacreError `not_found` where its file is gone, `io`
 */
export async function isRepairable(
  skill: SkillFile,
  isKept: KeptPlaces,
  known?: SkillText,
): Promise<boolean> {
  const { entry, found } = skill;
  if (!mayBeRepaired(entry.diagnostics)) return false;
  const read = known ?? readSkillText(found.path);
  if (read.text === null || obstacleTo(skill, read, isKept) !== undefined) return false;
  return (await loadSkillRepair())(read.text, { placeName: found.placeName }) !== null;
}
function obstacleTo({ found }: SkillFile, read: SkillText, isKept: KeptPlaces): SkillObstacle | undefined {
  const refusal = refusalToWrite(found, read, isKept);
  if (refusal) return refusal.obstacle;
  // The file is replaced, so its folder has to take a new one, too.
  return mayWrite(read.real) && mayWrite(path.dirname(read.real)) ? undefined : "not_writable";
}

async function ofFile(
  skill: SkillOnDisk,
  { resources, isKept }: InspectionParts,
): Promise<readonly [Said, Held]> {
  const { entry, found } = skill;
  const read = readSkillText(found.path);
  const { text, digest, real } = read;
  const { files, more, whole } =
    found.form === "directory" ? await resources(found.folder) : { files: [], more: 0, whole: true };
  const obstacle = obstacleTo(skill, read, isKept);
  const held: Held = {
    text,
    digest,
    ...(real === path.resolve(found.path) ? {} : { realPath: real }),
    resources: files,
    moreResources: more > 0 || !whole,
    editable: obstacle === undefined,
    ...(obstacle === undefined ? {} : { uneditable: obstacle }),
    removable: isRemovable(skill, isKept),
    repairable: await isRepairable(skill, isKept, read),
  };
  return [await saidBy(read.bytes.toString("utf8"), entry.valid), held];
}
async function ofMemory(
  { entry }: KnownSkill,
  { definition, held }: InspectionParts,
): Promise<readonly [Said, Held]> {
  const nothing = { resources: [], moreResources: false, repairable: false };
  if (held !== undefined)
    return [
      await saidBy(held, entry.valid),
      { ...nothing, text: held, digest: sha256(held), editable: true, removable: true },
    ];
  const { content, metadata = {}, whenToUse, needs } = await definition();
  const said = { content, metadata, needs, ...(whenToUse === undefined ? {} : { whenToUse }) };
  const fixed = { editable: false, uneditable: "no_file", removable: false } as const;
  return [said, { ...nothing, ...fixed, text: null, digest: "" }];
}
async function saidBy(text: string, isValid: boolean): Promise<Said> {
  // Whether its first line may be taken for a description is nothing that is shown here.
  const { head, body } = (await loadSkillParser())(text, false);
  const content = isValid ? body : "";
  if (head.kind !== "fields") return { content, metadata: {}, needs: undefined };
  const { license, compatibility, whenToUse, metadata = {} } = head;
  return {
    content,
    metadata,
    needs: head.needs,
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(whenToUse === undefined ? {} : { whenToUse }),
  };
}
