import { correctedSkillName, isSkillName } from "../../../shared/names.ts";
import type { Finding } from "../kit/finding.ts";
import type { SkillFields, SkillHead } from "./head.ts";
import type { NearKey } from "./misspelt-keys.ts";

/** What the place of a file adds to what it says. */
export interface Place {
  readonly placeName: string;
  /** A file without front matter is a skill here. */
  readonly inferred: boolean;
  /** Warnings about names and lengths are errors. */
  readonly strict: boolean;
  /** Of its root, which decides; a `scope` that says something else is told. */
  readonly scope?: string;
}
/** A skill that can be listed; `name` without its plugin's. */
export interface ReadySkill {
  readonly name: string;
  readonly description: string;
  readonly fields: SkillFields;
}
export interface Judgement {
  /** Null: it does not load, and an error among the findings says why. */
  readonly skill: ReadySkill | null;
  readonly findings: readonly Finding[];
}
/** Agent Skills specification; in code points. */
const longestName = 64;
const longestDescription = 1024;
const longestCompatibility = 500;

const isLonger = (text: string, most: number): boolean => text.length > most && length(text) > most;
const length = (text: string): number => Array.from(text).length;
/** In the order of `SkillFields.lines`. */
const keys = ["name", "description", "compatibility", "scope"] as const;
const noFields: SkillFields = {
  kind: "fields",
  lines: [0, 0, 0, 0],
  findings: [],
};

/** Decides whether a file is a skill, by spec 3 (Frontmatter). Pure. */
export function judgeSkill(head: SkillHead, place: Place): Judgement {
  const findings: Finding[] = head.findings.slice();
  /** What was meant as this key, which is missing. */
  const nearOf = (key: (typeof keys)[number]): NearKey | undefined =>
    head.kind === "fields" && (key === "name" || key === "description") ? head.near?.[key] : undefined;
  const problem = (
    severity: Finding["severity"],
    code: string,
    message: string,
    key: (typeof keys)[number],
    fix: string,
  ): void => {
    const line = nearOf(key)?.line || (head.kind === "fields" ? head.lines[keys.indexOf(key)] : 0);
    findings.push({ code, severity, message, ...(line ? { line } : {}), fix });
  };
  const lenient = place.strict ? "error" : "warning";
  if (head.kind === "broken") return { skill: null, findings };

  const fields = head.kind === "fields" ? head : noFields;
  const isNone = head.kind === "inferred" && !place.inferred;
  const { placeName } = place;
  // One cause, one error.
  if (isNone) {
    const usable = isSkillName(placeName) ? placeName : correctedSkillName(placeName);
    problem(
      "error",
      "skill-frontmatter-missing",
      "the file has no front matter, and in this folder nothing stands in for it",
      "name",
      `begin the file with ---, name: ${usable || "…"}, description: …, ---`,
    );
    return { skill: null, findings };
  }
  const lacksName = head.kind === "fields" && head.name === undefined;
  const nearName = nearOf("name");
  const lacked = `name is ${fields.noText?.includes("name") ? "no text" : "missing"}${nearName ? ` (${meantAs(nearName, "name")})` : ""}`;
  const name = fields.name ?? placeName;
  if (!isSkillName(name)) {
    const corrected = correctedSkillName(name);
    problem(
      "error",
      "skill-name-invalid",
      `${lacksName ? `${lacked}, and the folder's, ` : ""}"${name}"${lacksName ? "," : ""} is no skill name: lower-case letters, digits and single hyphens between them`,
      "name",
      corrected === ""
        ? "choose a name of the letters a to z and digits"
        : `${lacksName ? "add name:" : "name it"} ${corrected}`,
    );
  } else {
    if (lacksName)
      problem(
        lenient,
        "skill-name-missing",
        `${lacked}; the folder's name is taken: ${placeName}`,
        "name",
        nearName ? inPlaceOf(nearName, "name") : `add name: ${placeName}`,
      );
    if (isLonger(name, longestName))
      problem(
        lenient,
        "skill-name-long",
        `the name has ${length(name)} characters, at most ${longestName} are allowed`,
        "name",
        "shorten the name",
      );
    if (fields.name !== undefined && fields.name !== placeName)
      problem(
        lenient,
        "skill-name-differs",
        `the name ${name} differs from the folder's, ${placeName}`,
        "name",
        `rename the folder to ${name}`,
      );
  }
  const description =
    head.kind === "fields" ? head.description : head.kind === "inferred" ? head.firstText : null;
  if (head.kind === "inferred" && head.linkedOut)
    problem(
      "error",
      "skill-link-inferred",
      "the file is a link that leaves its skill and has no front matter, for which nothing stands in then",
      "description",
      "put a file of the skill's own in place of the link",
    );
  else if (description === undefined || description === null) {
    const near = nearOf("description");
    problem(
      "error",
      "skill-description-missing",
      `${fields.noText?.includes("description") ? "description is no text" : "the description is missing"}, so nobody can tell what the skill is for${near ? `; ${meantAs(near, "description")}` : ""}`,
      "description",
      near ? inPlaceOf(near, "description") : "add a description that says what it does and when to use it",
    );
  } else if (isLonger(description, longestDescription))
    problem(
      head.kind === "fields" ? lenient : "warning",
      "skill-description-long",
      `the description has ${length(description)} characters, at most ${longestDescription} are used`,
      "description",
      "shorten the description",
    );
  if (fields.compatibility !== undefined && isLonger(fields.compatibility, longestCompatibility))
    problem(
      lenient,
      "skill-compatibility-long",
      `compatibility has ${length(fields.compatibility)} characters, at most ${longestCompatibility} are allowed`,
      "compatibility",
      "shorten it",
    );
  if (fields.scope !== undefined && place.scope !== undefined && fields.scope !== place.scope)
    problem(
      "info",
      "skill-scope",
      `scope is ${fields.scope}; where the file lies makes it a skill of scope ${place.scope}`,
      "scope",
      "move the skill, or leave scope out",
    );
  const failed = findings.some(({ severity }) => severity === "error");
  const skill = failed ? null : { name, description: cut(description ?? ""), fields };
  return { skill, findings };
}
const meantAs = ({ key, line }: NearKey, meant: string): string =>
  `${key} stands ${line === 0 ? "there" : `on line ${line}`}: did you mean ${meant}?`;
const inPlaceOf = ({ key }: NearKey, meant: string): string => `write ${meant} in place of ${key}`;
const cut = (text: string): string =>
  text.length <= longestDescription ? text : Array.from(text).slice(0, longestDescription).join("");
