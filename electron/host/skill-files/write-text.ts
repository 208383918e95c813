import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { largestSkillBytes, type SkillObstacle } from "../../../shared/skills.ts";
import { withFileLock } from "../config/file-lock.ts";
import { joinLines, linesWithEnds, type TextLine } from "../skills/text-lines.ts";
import { isInside, realPath, replaceFile, statOrNone } from "../kit/files.ts";
import type { FoundSkill } from "../skills/found-skill.ts";
import type { KeptPlaces } from "./kept-places.ts";
import { readSkillText, type SkillText } from "./skill-text.ts";

/** A surrogate without its other half, which UTF-8 cannot write. */
const hasHalfCharacter = /\p{Surrogate}/u;
/** @throws NacreError `invalid_input` for what would be no skill's text, whatever it says */
export function assertSkillText(text: string): void {
  if (Buffer.byteLength(text) > largestSkillBytes)
    throw new NacreError(
      "invalid_input",
      `nothing was written: the text has more than ${largestSkillBytes / 1024} KB; move parts of it to files beside it`,
    );
  if (text.includes("\0") || hasHalfCharacter.test(text))
    throw new NacreError(
      "invalid_input",
      "nothing was written: the text holds a NUL or half a character, which no text file has",
    );
}

type Editable = SkillText & { readonly text: string };
/** A skill's file by its place, whether a root holds it or a person names it. */
export type SkillPlace = Pick<FoundSkill, "path" | "folder" | "form">;
interface WriteRefusal {
  readonly obstacle: SkillObstacle;
  readonly error: NacreError;
}
/** Why a skill's file is not changed here; undefined where it may be. */
export function refusalToWrite(
  { path: file, folder, form }: SkillPlace,
  now: SkillText,
  isKept: KeptPlaces,
): WriteRefusal | undefined {
  const { bytes, text, noText, real } = now;
  const kept = isKept(real);
  if (kept !== undefined) return { obstacle: "kept", error: new NacreError("denied", kept) };
  const because = (
    obstacle: SkillObstacle,
    code: "denied" | "invalid_input" | "io",
    why: string,
  ): WriteRefusal => ({ obstacle, error: new NacreError(code, `${file} was not changed: ${why}`) });
  if (text === null)
    return because(
      bytes.length > largestSkillBytes ? "too_large" : "no_text",
      "invalid_input",
      noText ?? "it is no text",
    );
  // The folder may be a link, which is shown; a link in it would lead what is written anywhere.
  if (form === "directory" && !isInside(realPath(folder), real))
    return because("leaves_folder", "denied", `it is a link that leaves its folder, to ${real}`);
  // A rename would pass over the mark, and so does root.
  if (((statOrNone(real)?.mode ?? 0) & 0o222) === 0)
    return because("not_writable", "io", "it is marked read-only; allow writing it first");
  return undefined;
}
/**
 * Replaces a skill's file as a person left it. What it is made of is asked for under a lock that other windows keep too,
 * from the file as it is then.
 * @param next The new text, or why there is none.
 * @throws NacreError `denied` where the file is not changed here or leads elsewhere, `not_found`, `io`
 */
export async function changeSkillFile(
  place: SkillPlace,
  { locks, isKept }: { readonly locks: string; readonly isKept: KeptPlaces },
  next: (now: Editable) => string | Promise<string>,
): Promise<void> {
  const { path: file } = place;
  await withFileLock(locks, realPath(file), async () => {
    const now = readSkillText(file);
    const refusal = refusalToWrite(place, now, isKept);
    const { text, real } = now;
    if (refusal || text === null)
      throw refusal?.error ?? new NacreError("invalid_input", `${file} is no text`);
    const made = await next({ ...now, text });
    assertSkillText(made);
    if (made !== text) await replaceFile(real, made, path.resolve(file));
  });
}
/** Both are digests. @throws NacreError `denied` where it is another one than the one that was looked at */
export function assertSame(now: string, shown: string, what: string): void {
  if (now !== shown)
    throw new NacreError(
      "denied",
      `${what} was not changed: it is another one than the one that was shown; look at it again`,
    );
}

/** Changes times lines that are looked for: more would hold the thread for longer than a moment. */
const mostSteps = 2_000_000;
/**
 * A text area turns every line end into LF: where the new text has nothing else, the lines of the file that nobody
 * touched keep their ends, and others take the end that most lines of the file have. So do all between the first and
 * the last change where these are too many.
 */
export async function withLineEnds(text: string, like: string): Promise<string> {
  if (text.includes("\r") || !like.includes("\r")) return text;
  const before = linesWithEnds(like);
  const after = linesWithEnds(text);
  const most = mostCommonEnd(before);
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && keyOf(before[head]) === keyOf(after[head])) head += 1;
  let tail = 0;
  while (tail < least - head && keyOf(before.at(-1 - tail)) === keyOf(after.at(-1 - tail))) tail += 1;
  const between = before.slice(head, before.length - tail);
  const changed = after.slice(head, after.length - tail);
  return joinLines([
    ...before.slice(0, head),
    ...(await withEndsOf(between, changed, most)),
    ...before.slice(before.length - tail),
  ]);
}
/** What makes a line the same: its text, and whether anything ends it. */
const keyOf = (line: TextLine | undefined): string | undefined =>
  line && (line.end === "" ? line.text : `${line.text}\n`);
/** `lines` with the ends that those of them have which stand in `before` too; others end with `most`. */
async function withEndsOf(
  before: readonly TextLine[],
  lines: readonly TextLine[],
  most: string,
): Promise<readonly TextLine[]> {
  const withMost = (line: TextLine): TextLine => (line.end === "" ? line : { ...line, end: most });
  if (before.length === 0 || lines.length === 0) return lines.map(withMost);
  const { diffArrays } = await import("diff");
  const maxEditLength = Math.floor(mostSteps / (before.length + lines.length));
  const parts = diffArrays(before.map(keyOf), lines.map(keyOf), { maxEditLength });
  if (parts === undefined) return lines.map(withMost);
  let at = 0;
  let old = 0;
  return parts.flatMap(({ added, removed, count }) => {
    const [from, here] = [old, at];
    if (!added) old += count;
    if (removed) return [];
    at += count;
    return added ? lines.slice(here, at).map(withMost) : before.slice(from, old);
  });
}
/** Of equals the first one. */
function mostCommonEnd(lines: readonly TextLine[]): string {
  const counts = new Map<string, number>();
  for (const { end } of lines) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  const [[end] = ["\n"]] = [...counts].sort(([, a], [, b]) => b - a);
  return end;
}
