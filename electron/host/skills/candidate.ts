import { NacreError } from "../../../shared/errors.ts";
import { isObject } from "../../../shared/json.ts";
import { splitSkillName } from "../../../shared/names.ts";
import type { Writable } from "../kit/writable.ts";
import { LocalSkill } from "./local-skill.ts";
import type { SkillCandidate, SkillDefinition, SkillResourceBase, SkillSummary } from "./types.ts";

type Kind =
  | "a list of texts"
  | "text"
  | "true or false"
  | "a number"
  | "an object"
  | "a directory, a url or an opaque base";
const isBase = (value: unknown): value is SkillResourceBase =>
  isObject(value) &&
  ((value["kind"] === "directory" && typeof value["path"] === "string") ||
    (value["kind"] === "url" && typeof value["url"] === "string") ||
    (value["kind"] === "opaque" && typeof value["description"] === "string"));
const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  "true or false": (value) => typeof value === "boolean",
  "a number": (value) => typeof value === "number" && Number.isFinite(value),
  "an object": isObject,
  "a list of texts": (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  "a directory, a url or an opaque base": isBase,
};
interface Field {
  readonly key: string;
  readonly kind: Kind;
  readonly optional?: true;
}
const summaryFields: readonly Field[] = [
  { key: "name", kind: "text" },
  { key: "description", kind: "text" },
  { key: "source", kind: "text" },
  { key: "whenToUse", kind: "text", optional: true },
  { key: "disableModelInvocation", kind: "true or false", optional: true },
  { key: "modelOnly", kind: "true or false", optional: true },
  { key: "resourceBase", kind: "a directory, a url or an opaque base", optional: true },
  { key: "path", kind: "text", optional: true },
  { key: "metadata", kind: "an object", optional: true },
  { key: "needs", kind: "an object", optional: true },
];
const candidateFields: readonly Field[] = [...summaryFields, { key: "rank", kind: "a number" }];
const definitionFields: readonly Field[] = [
  ...summaryFields,
  { key: "content", kind: "text" },
  { key: "files", kind: "a list of texts", optional: true },
  { key: "outside", kind: "true or false", optional: true },
];

/**
 * A malformed hand-over is a fault of the provider's code, never of a user's file: it throws (spec 3, Registry).
 * What the types promise is not believed here.
 */
function check(value: unknown, provider: string, fields: readonly Field[]): void {
  const fault = (what: string): NacreError =>
    new NacreError("invalid_input", `the skill provider ${provider}: ${what}`);
  if (!isObject(value)) throw fault("what it handed over is no object");
  for (const { key, kind, optional } of fields) {
    const part = value[key];
    if (!(optional && part === undefined) && !fits[kind](part))
      throw fault(`${key} of ${JSON.stringify(value["name"] ?? "a skill")} is not ${kind}`);
  }
  const name = String(value["name"]);
  if (!splitSkillName(name)) throw fault(`"${name}" is no skill name`);
  if (value["description"] === "") throw fault(`${name} has no description`);
}

/** Known fields alone, so that nothing of the provider's own reaches others; what is plain is left out. */
function summary(value: Omit<SkillSummary, "provider">, provider: string): Writable<SkillSummary> {
  const { name, description, source, whenToUse, disableModelInvocation, modelOnly, resourceBase } = value;
  const made: Writable<SkillSummary> = { name, description, source, provider };
  if (whenToUse !== undefined) made.whenToUse = whenToUse;
  if (disableModelInvocation) made.disableModelInvocation = true;
  if (modelOnly) made.modelOnly = true;
  if (resourceBase !== undefined) made.resourceBase = { ...resourceBase };
  return made;
}
type Shared = SkillSummary & Pick<SkillCandidate, "path" | "metadata" | "needs">;
function copy(value: Omit<Shared, "provider">, provider: string): Writable<Shared> {
  const { path, metadata, needs } = value;
  const made: Writable<Shared> = summary(value, provider);
  if (path !== undefined) made.path = path;
  if (metadata !== undefined) made.metadata = metadata;
  if (needs !== undefined) made.needs = needs;
  return made;
}

/**
 * What a provider lists, as a copy; a file of this machine as it is, which was made here, is never changed, and of
 * which there may be thousands. @throws NacreError `invalid_input`
 */
export function checkedCandidate(value: SkillCandidate, provider: string): SkillCandidate {
  if (value instanceof LocalSkill && value.provider === provider) return value;
  check(value, provider, candidateFields);
  const { rank, locator } = value;
  return Object.assign(copy(value, provider), { rank, locator });
}
/** A frozen copy of what a provider loads or a caller registers. @throws NacreError `invalid_input` */
export function checkedDefinition(
  value: Omit<SkillDefinition, "provider">,
  provider: string,
): SkillDefinition {
  check(value, provider, definitionFields);
  const { content, files, outside } = value;
  return Object.freeze(
    Object.assign(
      copy(value, provider),
      { content },
      files === undefined ? {} : { files: [...files] },
      outside ? { outside } : {},
    ),
  );
}
/** What a list shows of a candidate, frozen. */
export const summaryOf = (candidate: SkillCandidate): SkillSummary =>
  Object.freeze(summary(candidate, candidate.provider));
/** A file of this machine with its text. */
export const definitionOf = (skill: LocalSkill, content: string): SkillDefinition =>
  Object.assign(copy(skill, skill.provider), { content });
