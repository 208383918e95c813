import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import { largestSkillBytes } from "../../../shared/skills.ts";
import { readBytes, systemCode } from "../kit/files.ts";
import { textOfBytes } from "../kit/text-bytes.ts";
import { judgeSkill } from "./judge.ts";
import { lookalike } from "./near-misses.ts";
import { loadSkillParser } from "./parse-skill.ts";
import { placeNameOf, skillFileName } from "./found-skill.ts";

/**
 * Everything that is wrong with one skill, strictly (`nacre skills validate`, cli.md): what only warns elsewhere is an
 * error here, unless `strict` is false.
 * @param at A skill's folder or its Markdown file, absolute.
 */
export async function validateSkill(at: string, { strict = true } = {}): Promise<readonly Diagnostic[]> {
  const problem = (code: string, where: string, message: string, fix: string): readonly Diagnostic[] => [
    { code, severity: "error", message, path: where, fix },
  ];
  const unreadable = (message: string): readonly Diagnostic[] =>
    problem("skill-unreadable", at, message, `name a folder that holds ${skillFileName}`);
  const missing = `there is no skill: ${skillFileName} is missing`;
  const misnamed = (where: string, name: string): readonly Diagnostic[] =>
    problem(
      "skill-file-name",
      where,
      `${name} is not read: the file of a skill is ${skillFileName}, letter by letter`,
      `rename ${name} to ${skillFileName}`,
    );
  try {
    const isFolder = fs.statSync(at).isDirectory();
    const other = isFolder ? lookalike(at) : undefined;
    if (other !== undefined) return misnamed(path.join(at, other), other);
    const file = isFolder ? path.join(at, skillFileName) : at;
    const name = path.basename(file);
    const own = name === skillFileName;
    if (!own && name.toLowerCase() === skillFileName.toLowerCase()) return misnamed(file, name);
    const bytes = readBytes(file, largestSkillBytes);
    if (bytes === undefined) return unreadable(missing);
    const read = textOfBytes(bytes, "kept");
    if (!read.ok) return [{ ...read.finding, path: file }];
    const placeName = placeNameOf(file);
    const { head } = (await loadSkillParser())(read.text, false);
    const { findings } = judgeSkill(head, { placeName, inferred: false, strict });
    return findings.map((finding) => ({
      ...finding,
      ...(strict && finding.severity === "warning" ? { severity: "error" } : {}),
      path: file,
    }));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return unreadable(code === "ENOENT" ? missing : toErrorValue(error).message);
  }
}
