import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { largestSkillBytes } from "../../../shared/skills.ts";
import { isInside } from "../kit/files.ts";
import type { FileIndex } from "../kit/file-index.ts";
import type { Finding } from "../kit/finding.ts";
import { createPace } from "../kit/pace.ts";
import type { ReadSkill, SkillFiles } from "./files.ts";
import type { SkillHead } from "./head.ts";
import { definitionOf } from "./candidate.ts";
import { LocalSkill } from "./local-skill.ts";
import { loadSkillParser, type ParseSkill } from "./parse-skill.ts";
import type { SkillRoot } from "./roots.ts";
import type { FoundSkill } from "./found-skill.ts";
import type { RootScan } from "./scan.ts";
import type { SkillDefinition, SkillProvider } from "./types.ts";

/** Best first. */
interface LocalScan {
  /** ms since the epoch. */
  readonly began: number;
  readonly projectRoot: string;
  readonly skills: readonly LocalSkill[];
  readonly roots: readonly RootScan[];
}
export interface LocalOptions {
  /** The folder whose scan is kept for `latest`, and that a lookup without `cwd` means. */
  readonly workspace: string;
  readonly files: SkillFiles;
  /** Best rank first. */
  readonly roots: (cwd: string, projectRoot: string) => readonly SkillRoot[];
  readonly strict: () => boolean;
  readonly index: FileIndex<SkillHead>;
  /** False on the command line, where nobody waits for the thread. */
  readonly yields: boolean;
  /** A file says something else than the catalog. */
  readonly onStale: () => void;
}
/** A provider over folders that also tells what does not load. */
export interface LocalProvider extends SkillProvider {
  /** Of the workspace, as it was listed last. */
  latest(): LocalScan;
}

export function createLocalProvider(options: LocalOptions): LocalProvider {
  const name = "local";
  const { files } = options;
  let latest: LocalScan = { began: Date.now(), projectRoot: options.workspace, skills: [], roots: [] };

  const scan = async (cwd: string, signal?: AbortSignal): Promise<LocalScan> => {
    const began = Date.now();
    const projectRoot = await files.projectRoot(cwd, signal);
    const looked = await files.scan(options.roots(cwd, projectRoot), signal);
    const found = inOrder(usersOwn(looked));
    const { read, gone } = await readSkills(found, options, signal);
    const skills = read.filter((skill) => skill !== undefined);
    const before = createCounter();
    for (const skill of skills) skill.numbered(before(skill.found.root.owner, skill.ownName));
    const roots = looked.map((root) => withRemarks(root, gone));
    const done = { began, projectRoot, skills, roots };
    if (cwd === options.workspace) latest = done;
    return done;
  };

  /** The text as it is now; undefined where the file is gone or names another skill. */
  const load = async (skill: LocalSkill, signal?: AbortSignal): Promise<SkillDefinition | undefined> => {
    const parse = await loadSkillParser();
    const { found } = skill;
    const file = await files.read(found, signal);
    if (file && "text" in file) {
      const { head, body } = parse(file.text, file.inside);
      const now = new LocalSkill(found, head, options.strict());
      if (now.skill && now.entry.name === skill.entry.name) return definitionOf(now, body);
    }
    options.onStale();
    return undefined;
  };

  return {
    name,
    latest: () => latest,
    list: async ({ cwd, signal }) => {
      const { skills } = await scan(cwd ?? options.workspace, signal);
      return skills.filter(({ valid }) => valid);
    },
    get: async ({ locator }, { signal }) =>
      locator instanceof LocalSkill ? load(locator, signal) : undefined,
  };
}

/** What lies in a user-level folder by its real path is the user's own, whatever led to it (spec 2, Trust). */
function usersOwn(scans: readonly RootScan[]): readonly FoundSkill[] {
  const ofUser = scans.flatMap(({ root, exists, real }) => (exists && root.scope === "user" ? [real] : []));
  const isUsers = (real: string): boolean => ofUser.some((folder) => isInside(folder, real));
  return scans.flatMap(({ root, real, found }) => {
    if (root.scope !== "workspace" || ofUser.length === 0) return found;
    const all = isUsers(real);
    return found.map((file) => (all || (file.linked && isUsers(file.real)) ? file.asUsers() : file));
  });
}

/** Rank, then the nearest level, then the directory form, then order of the path; each real folder once. */
function inOrder(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const form = (file: FoundSkill): number => (file.form === "directory" ? 0 : 1);
  const sorted = found.toSorted(
    (a, b) =>
      a.root.rank - b.root.rank ||
      a.root.level - b.root.level ||
      form(a) - form(b) ||
      (isBefore(a, b) ? -1 : 1),
  );
  const first = found[0]?.root;
  // In one root nothing is met twice but by a link.
  if (found.every(({ root, linked }) => root === first && !linked)) return sorted;
  const seen = new Set<string>();
  return sorted.filter(({ real }) => !seen.has(real) && seen.add(real));
}
/** How often the same two words were asked for before. */
function createCounter(): (owner: string, name: string) => number {
  const owners = new Map<string, Map<string, number>>();
  return (owner, name) => {
    const names = owners.get(owner) ?? new Map<string, number>();
    owners.set(owner, names);
    const count = names.get(name) ?? 0;
    names.set(name, count + 1);
    return count;
  };
}
/** By root, then by name. */
function isBefore(a: FoundSkill, b: FoundSkill): boolean {
  const [one, other] = [a.root.path, b.root.path];
  return one === other ? a.placeName < b.placeName : one < other;
}

/** What is known of a root beside what was met in it. */
function withRemarks(scan: RootScan, gone: ReadonlySet<FoundSkill>): RootScan {
  const { root, exists, diagnostics } = scan;
  const more: Diagnostic[] = [];
  if (root.source === "custom" && !exists && diagnostics.length === 0)
    more.push({
      code: "skills-root-missing",
      severity: "warning",
      message: `skills.dirs names a folder that does not exist: ${root.path}`,
      path: root.path,
      fix: "make the folder, or take it out of skills.dirs in settings.json",
    });
  for (const file of gone)
    if (file.root === root)
      more.push({
        code: "skill-unreadable",
        severity: "warning",
        message: `${path.basename(file.path)} was removed while the skills were read (ENOENT)`,
        path: file.path,
      });
  return more.length === 0 ? scan : { ...scan, diagnostics: [...diagnostics, ...more] };
}

/** Of files that are read in one call, bytes: texts of thousands of skills are never held at once. */
const batchBytes = 256 * 1024;

/** What every file is; only what the index does not know is read. Undefined in place of a file that is gone. */
async function readSkills(
  found: readonly FoundSkill[],
  { index, files, yields, strict }: LocalOptions,
  signal: AbortSignal | undefined,
): Promise<{
  readonly read: readonly (LocalSkill | undefined)[];
  readonly gone: ReadonlySet<FoundSkill>;
}> {
  const pace = createPace(yields, signal);
  const isStrict = strict();
  const made = (file: FoundSkill, head: SkillHead): LocalSkill => new LocalSkill(file, head, isStrict);
  // Made of each head at once: a thousand heads that are only passed on cost as much as those that are kept.
  const read = await index.getMany(
    found,
    (head, at) => {
      const file = found[at];
      return file && made(file, head);
    },
    pace,
  );
  const missing: { readonly file: FoundSkill; readonly at: number }[] = [];
  found.forEach((file, at) => {
    if (file.size > largestSkillBytes) read[at] = made(file, tooLarge(file));
    else if (!read[at]) missing.push({ file, at });
  });
  const gone = new Set<FoundSkill>();
  let parse: ParseSkill | undefined;
  for (const batch of batches(missing)) {
    const texts = await files.readHeads(
      batch.map(({ file }) => file),
      signal,
    );
    parse ??= await loadSkillParser();
    for (let position = 0; position < batch.length; position++) {
      const missed = batch[position];
      if (!missed) continue;
      const { file, at } = missed;
      const head = headOf(texts[position], parse);
      if (head) read[at] = made(file, head);
      else gone.add(file);
      if (head && isOfContent(texts[position])) index.set(file, head);
      const pause = pace();
      if (pause) await pause;
    }
  }
  return { read, gone };
}
function* batches<T extends { readonly file: FoundSkill }>(all: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const one of all) {
    batch.push(one);
    bytes += one.file.size;
    if (bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
/** What was read, or could not be, for the file's own sake and not the disk's. */
const isOfContent = (read: ReadSkill): boolean =>
  read !== undefined && ("text" in read || read.problem.code !== "skill-unreadable");
function headOf(read: ReadSkill, parse: ParseSkill): SkillHead | undefined {
  if (read === undefined) return undefined;
  return "text" in read ? parse(read.text, read.inside).head : { kind: "broken", findings: [read.problem] };
}
function tooLarge({ stamp }: FoundSkill): SkillHead {
  const finding: Finding = {
    code: "skill-too-large",
    severity: "error",
    message: `the file has ${stamp.size} bytes; at most ${largestSkillBytes} are read`,
    fix: "move parts of it to files beside it",
  };
  return { kind: "broken", findings: [finding] };
}
