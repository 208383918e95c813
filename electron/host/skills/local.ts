import fs from "node:fs";
import { toErrorValue } from "../../../shared/errors.ts";
import { isInside, readText } from "../kit/files.ts";
import type { FileIndex } from "../kit/file-index.ts";
import { loadFrontmatter, type Finding, type ReadFrontmatter } from "../kit/frontmatter.ts";
import { readHead, type SkillHead } from "./head.ts";
import { candidateOf, definitionOf, LocalSkill } from "./local-skill.ts";
import { createPace } from "./pace.ts";
import type { SkillRoot } from "./roots.ts";
import { scanRoot, type FoundSkill, type RootScan } from "./scan.ts";
import type { SkillDefinition, SkillProvider } from "./types.ts";

/** Best first. */
interface LocalScan {
  readonly skills: readonly LocalSkill[];
  readonly roots: readonly RootScan[];
}
export interface LocalOptions {
  /** The folder whose scan is kept for `latest`, and that a lookup without `cwd` means. */
  readonly workspace: string;
  /** Best rank first. */
  readonly roots: (cwd: string) => readonly SkillRoot[];
  readonly strict: () => boolean;
  readonly index: FileIndex<SkillHead>;
  /** A file says something else than the catalog. */
  readonly onStale: () => void;
}
/** A provider over folders that also tells what does not load. */
export interface LocalProvider extends SkillProvider {
  /** Of the workspace, as it was listed last. */
  latest(): LocalScan;
  /** The text as it is now; undefined where the file is gone or names another skill. */
  load(skill: LocalSkill, signal?: AbortSignal): Promise<SkillDefinition | undefined>;
}
const largestFile = 1024 * 1024;

export function createLocalProvider(options: LocalOptions): LocalProvider {
  const name = "local";
  let latest: LocalScan = { skills: [], roots: [] };

  const scan = async (cwd: string, signal?: AbortSignal): Promise<LocalScan> => {
    const pace = createPace();
    const roots: RootScan[] = [];
    for (const root of options.roots(cwd)) {
      roots.push(scanRoot(root));
      const pause = pace();
      if (pause) await pause;
      signal?.throwIfAborted();
    }
    const found = inOrder(roots.flatMap((root) => root.found));
    const heads = await readHeads(found, options.index, pace, signal);
    const skills: LocalSkill[] = [];
    const ids = new Map<string, number>();
    const before = (id: string): number => {
      const count = ids.get(id) ?? 0;
      ids.set(id, count + 1);
      return count;
    };
    const strict = options.strict();
    for (let index = 0; index < found.length; index++) {
      const [file, head] = [found[index], heads[index]];
      if (file && head) skills.push(new LocalSkill(file, head, strict, before));
    }
    if (cwd === options.workspace) latest = { skills, roots };
    return { skills, roots };
  };

  const load = async (skill: LocalSkill, signal?: AbortSignal): Promise<SkillDefinition | undefined> => {
    const read = await loadFrontmatter();
    signal?.throwIfAborted();
    const { found } = skill;
    const text = readSkill(found);
    if (typeof text === "string") {
      const front = read(text);
      const now = new LocalSkill(found, readHead(front, mayInfer(found)), options.strict(), () => 0);
      if (now.skill && now.entry.name === skill.entry.name) return definitionOf(now, front.body, name);
    }
    options.onStale();
    return undefined;
  };

  return {
    name,
    latest: () => latest,
    load,
    list: async ({ cwd, signal }) => {
      const { skills } = await scan(cwd ?? options.workspace, signal);
      return skills.filter(({ skill }) => skill !== null).map((skill) => candidateOf(skill, name));
    },
    get: async ({ locator }, { signal }) =>
      locator instanceof LocalSkill ? load(locator, signal) : undefined,
  };
}

/** Rank, then the nearest level, then the directory form, then order of the path; each real folder once. */
function inOrder(found: readonly FoundSkill[]): readonly FoundSkill[] {
  const form = (file: FoundSkill): number => (file.form === "directory" ? 0 : 1);
  const sorted = found.toSorted(
    (a, b) =>
      a.root.rank - b.root.rank ||
      a.root.level - b.root.level ||
      form(a) - form(b) ||
      (a.path < b.path ? -1 : 1),
  );
  const seen = new Set<string>();
  return sorted.filter(({ real }) => !seen.has(real) && seen.add(real));
}

/** Undefined in place of a file that is gone. */
async function readHeads(
  found: readonly FoundSkill[],
  index: FileIndex<SkillHead>,
  pace: () => Promise<void> | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly (SkillHead | undefined)[]> {
  const heads: (SkillHead | undefined)[] = found.map((file) => index.get(file.path, file.stamp));
  let read: ReadFrontmatter | undefined;
  for (let position = 0; position < found.length; position++) {
    const file = found[position];
    if (!file || heads[position]) continue;
    read ??= await loadFrontmatter();
    const text = readSkill(file);
    if (typeof text === "object") heads[position] = { kind: "broken", findings: [text] };
    if (typeof text === "string") {
      const head = readHead(read(text), mayInfer(file));
      heads[position] = head;
      index.set(file.path, file.stamp, head);
    }
    const pause = pace();
    if (pause) await pause;
    signal?.throwIfAborted();
  }
  return heads;
}

/** The text; what keeps it from being read; undefined where it is gone. */
function readSkill(file: FoundSkill): string | Finding | undefined {
  if (file.stamp.size > largestFile)
    return {
      code: "skill-too-large",
      severity: "error",
      message: `the file has ${file.stamp.size} bytes; at most ${largestFile} are read`,
      fix: "move parts of it to files beside it",
    };
  try {
    return readText(file.path);
  } catch (error) {
    return { code: "skill-unreadable", severity: "error", message: toErrorValue(error).message };
  }
}
function mayInfer(file: FoundSkill): boolean {
  try {
    return isInside(file.real, fs.realpathSync.native(file.path));
  } catch {
    // Gone since it was read: then nothing is inferred from it.
    return false;
  }
}
