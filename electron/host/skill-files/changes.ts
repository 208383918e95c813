import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { RuleAnswer } from "../../../shared/policy.ts";
import type { SkillRepair } from "../../../shared/skills.ts";
import type { Foundation } from "../foundation.ts";
import { sha256 } from "../kit/files.ts";
import type { Asking } from "../own-questions.ts";
import type { Rooms } from "../rooms.ts";
import { placeNameOf } from "../skills/found-skill.ts";
import { newSkillText } from "../skills/new-skill.ts";
import { pinSwitch } from "../skills/resolve.ts";
import { namedPlace, repairOf } from "./repair.ts";
import { readEditable } from "./skill-text.ts";
import { rootSwitch } from "../skills/roots.ts";
import type { SwitchScope } from "../switch-scope.ts";
import { keptPlaces } from "./kept-places.ts";
import { keptAsItIs, knownSkill, skillOnDisk, type SkillOnDisk } from "./known-skill.ts";
import { writeSkillFile } from "./new-file.ts";
import { removalOf } from "./removal.ts";
import { setSkillRule } from "./skill-rule.ts";
import { createTrash, type TrashEntry } from "./trash.ts";
import { assertSame, assertSkillText, changeSkillFile, refusalToWrite, withLineEnds } from "./write-text.ts";

interface NewSkill {
  readonly name: string;
  readonly scope: "session" | "workspace" | "user";
  /** Of the conversation whose it is; needed for that scope alone. */
  readonly sessionId?: string | undefined;
}
interface RemovedSkill {
  /** What `restore` takes; null for what was in memory alone. */
  readonly undo: string | null;
  /** Where it lies now; null like `undo`. */
  readonly place: string | null;
  /** Where a link led, which alone was removed. */
  readonly linkTo?: string;
}
/** What a person changes about skills. Each answers when lists and catalog tell of it. */
export interface SkillChanges {
  /** @throws NacreError `invalid_input`, `already_exists`, `denied`, `io` */
  create(skill: NewSkill): Promise<SkillRow>;
  /** `digest` of the text that was edited. @throws NacreError `denied` where the file is another one now, … */
  write(id: string, text: string, digest: string): Promise<SkillRow>;
  /** What repairing its front matter would change. Changes nothing. @throws NacreError `invalid_input`, … */
  repair(id: string): Promise<SkillRepair>;
  /** `digest` as `repair` gave it. @throws NacreError `denied` where the file is another one now, … */
  applyRepair(id: string, digest: string): Promise<SkillRow>;
  /** The same for any Markdown file, or a skill's folder, that a person names. */
  repairFile(at: string): Promise<SkillRepair>;
  applyFileRepair(at: string, digest: string): Promise<SkillRepair>;
  /** Makes a file of a conversation's skill. @throws NacreError `already_exists`, … */
  save(id: string, scope: "workspace" | "user"): Promise<SkillRow>;
  /** To the app's own trash. @throws NacreError `denied`, `not_found`, `io` */
  remove(id: string): Promise<RemovedSkill>;
  /** @throws NacreError `not_found`, `already_exists`, `denied`, `io` */
  restore(undo: string): Promise<TrashEntry>;
  /** What can be restored, newest first. */
  removed(): readonly TrashEntry[];
  /** Removes for good what has lain in the trash for more than 30 days. */
  sweep(): Promise<void>;
  /** A pinned skill wins its name whatever its rank; one of a name is (spec 1). Whether it was before. */
  pin(id: string, pinned: boolean): Promise<boolean>;
  /** The id of the pinned one of a name, also of one that wins nothing: it is off, or does not load. */
  pinnedOf(name: string): string | undefined;
  /** @throws NacreError `denied` where the person says no */
  rule(name: string, answer: RuleAnswer | null, asking: Asking): Promise<void>;
  /** Opens a skill's file, or shows its folder, with the system's program. @throws NacreError `unavailable` */
  reveal(id: string, what: "file" | "folder"): Promise<void>;
}

export function createSkillChanges(
  foundation: Foundation,
  rooms: Pick<Rooms, "skills" | "chats">,
): SkillChanges {
  const { workspace, paths, clock, switches, options } = foundation;
  const { skills, chats } = rooms;
  const locks = path.join(paths.data, "locks");
  const roots = () => skills.look().roots;
  const isKept = keptPlaces({ workspace, paths }, roots);
  const homes = { workspace, paths, isKept, roots };
  const isKeptOf = (skill: SkillOnDisk) => (real: string) => keptAsItIs(skill) ?? isKept(real);
  const trash = createTrash({ folder: path.join(paths.data, "trash"), clock });

  const rowWhere = (what: string, fits: (row: SkillRow) => boolean): SkillRow => {
    const row = skills.rows().find(fits);
    if (!row)
      throw new NacreError(
        "not_found",
        `${what} was written and is not among the skills: its row of the table of roots may be off`,
      );
    return row;
  };
  const rowOfFile = async (file: string): Promise<SkillRow> => {
    await skills.reload();
    return rowWhere(file, (row) => row.path === file);
  };
  const rowOfId = (id: string): SkillRow => rowWhere(id, (row) => row.id === id);
  const inMemory = (id: string) => skills.sessions.find(id);

  /** Before anything is made: nobody would look into the folder that it lies in. @throws NacreError `configuration` */
  const assertRowOn = (scope: NewSkill["scope"]): void => {
    const source = { session: "session", workspace: "project-nacre", user: "user-nacre" }[scope];
    if (switches.isOn(rootSwitch(source))) return;
    throw new NacreError(
      "configuration",
      `nothing was made: ${source}, where it would lie, is switched off among the folders of skills; switch it on in the settings of skills, or take "${rootSwitch(source)}" out of "switches" in settings.json`,
    );
  };

  return {
    async create({ name, scope, sessionId }) {
      assertRowOn(scope);
      if (scope !== "session")
        return rowOfFile(await writeSkillFile({ name, scope, text: newSkillText(name) }, homes));
      if (sessionId === undefined)
        throw new NacreError(
          "invalid_input",
          "a conversation's skill needs its conversation: choose one first",
        );
      const { id: own } = chats.open(sessionId);
      const id = await skills.sessions.create(own, name);
      await skills.settled();
      return rowOfId(id);
    },
    async write(id, text, digest) {
      assertSkillText(text);
      const own = inMemory(id);
      if (own) {
        assertSame(sha256(own.draft.text), digest, own.entry.name);
        await skills.sessions.write(id, text);
        await skills.settled();
        return rowOfId(id);
      }
      const skill = skillOnDisk(skills.look(), id);
      await changeSkillFile(skill.found, { locks, isKept: isKeptOf(skill) }, (now) => {
        assertSame(now.digest, digest, skill.found.path);
        return withLineEnds(text, now.text);
      });
      return rowOfFile(skill.found.path);
    },
    async repair(id) {
      const { found } = skillOnDisk(skills.look(), id);
      return repairOf(readEditable(found.path), found.path, found.placeName);
    },
    async applyRepair(id, digest) {
      const skill = skillOnDisk(skills.look(), id);
      const { path: file, placeName } = skill.found;
      await changeSkillFile(skill.found, { locks, isKept: isKeptOf(skill) }, async (now) => {
        const repair = await repairOf(now, file, placeName);
        assertSame(repair.digest, digest, file);
        return repair.after;
      });
      return rowOfFile(file);
    },
    async repairFile(at) {
      const place = namedPlace(at);
      const now = readEditable(place.path);
      const refusal = refusalToWrite(place, now, isKept);
      if (refusal) throw refusal.error;
      return repairOf(now, place.path, placeNameOf(place.path));
    },
    async applyFileRepair(at, digest) {
      const place = namedPlace(at);
      let done: SkillRepair | undefined;
      await changeSkillFile(place, { locks, isKept }, async (now) => {
        done = await repairOf(now, place.path, placeNameOf(place.path));
        assertSame(done.digest, digest, place.path);
        return done.after;
      });
      if (!done) throw new NacreError("internal", `${place.path} was not repaired`);
      return done;
    },
    async save(id, scope) {
      const own = inMemory(id);
      if (!own)
        throw new NacreError("invalid_input", "it is no skill of a conversation: it lies in a file already");
      assertRowOn(scope);
      const { text } = own.draft;
      const file = await writeSkillFile({ name: own.entry.name, scope, text }, homes);
      skills.sessions.remove(id);
      return rowOfFile(file);
    },
    async remove(id) {
      if (inMemory(id)) {
        skills.sessions.remove(id);
        await skills.settled();
        return { undo: null, place: null };
      }
      const look = skills.look();
      const skill = skillOnDisk(look, id);
      const { path: at, linkTo } = removalOf(skill, { workspace, roots: look.roots, isKept });
      await trash.sweep();
      const { undo, place } = await trash.put({ name: skill.entry.name, path: at });
      await skills.reload();
      return { undo, place, ...(linkTo === undefined ? {} : { linkTo }) };
    },
    async restore(undo) {
      const entry = await trash.restore(undo);
      await skills.reload();
      return entry;
    },
    removed: () => trash.list(),
    sweep: () => trash.sweep(),
    async pin(id, pinned) {
      const { entry } = knownSkill(skills.look(), id);
      if (entry.sessionId !== undefined)
        throw new NacreError("invalid_input", "a conversation's own skill comes first there as it is");
      if (pinned)
        for (const other of skills.rows())
          if (other.name === entry.name && other.id !== id && switches.isOn(pinSwitch(other.id), false))
            await switches.set(pinSwitch(other.id), false, switchedFor(other));
      const was = switches.isOn(pinSwitch(id), false);
      await switches.set(pinSwitch(id), pinned, switchedFor(entry));
      return was;
    },
    pinnedOf: (name) =>
      skills.rows().find((row) => row.name === name && switches.isOn(pinSwitch(row.id), false))?.id,
    rule: (name, answer, asking) =>
      setSkillRule(foundation, name, answer, () => skills.rows().map((row) => row.name), asking),
    async reveal(id, what) {
      const { found } = skillOnDisk(skills.look(), id);
      const show = options.programs?.showFile;
      if (!show)
        throw new NacreError(
          "unavailable",
          `only the desktop app can open it; it lies at ${what === "file" ? found.path : found.folder}`,
        );
      await show(found.path, what);
    },
  };
}
/** Where its switches are kept: for the workspace whose it is, or everywhere (spec 1). */
const switchedFor = ({ scope }: { readonly scope: string }): SwitchScope =>
  scope === "workspace" ? "workspace" : "user";
