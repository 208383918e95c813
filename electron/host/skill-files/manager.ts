import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import { isSkillName } from "../../../shared/names.ts";
import type { SkillExplanation, SkillInspection, SkillReason, SkillRootRow } from "../../../shared/skills.ts";
import type { Role } from "../agents/role.ts";
import { toolsOfRole } from "../agents/role-policy.ts";
import { rulesFor, switchedTools } from "../callers.ts";
import type { Foundation } from "../foundation.ts";
import { lookOrNone } from "../kit/files.ts";
import type { Rooms } from "../rooms.ts";
import { skillUsePorts } from "../skill-use-ports.ts";
import { explainSkill } from "../skills/explain.ts";
import type { ResourceList } from "../skills/resources.ts";
import { rootRows } from "../skills/root-rows.ts";
import { rootSwitch } from "../skills/roots.ts";
import { skillFileName } from "../skills/found-skill.ts";
import { createSkillChanges, type SkillChanges } from "./changes.ts";
import { withFiles } from "./explained-files.ts";
import { inspectSkill, isRepairable } from "./inspect.ts";
import { keptPlaces } from "./kept-places.ts";
import { keptAsItIs, knownSkill, type KnownSkill } from "./known-skill.ts";

/** What a person does with skills and their files: the one place behind settings and command line. */
export interface SkillManager extends SkillChanges {
  /** Also of one that does not load, is shadowed, denied or off. @throws NacreError `not_found`, `io` */
  show(id: string): Promise<SkillInspection>;
  roots(): readonly SkillRootRow[];
  /** For any name, whether there is such a skill or not. */
  explain(name: string): Promise<SkillExplanation>;
}

export function createSkillManager(foundation: Foundation, rooms: Rooms): SkillManager {
  const { switches, tools, commands, options, trust } = foundation;
  const { skills, roles } = rooms;
  /** The role that the conversations of this start run as. */
  const role = (): Role | undefined => roles.list().find(({ name }) => name === options.role);

  const rowOf = (id: string): SkillRow => {
    const row = skills.rows().find((one) => one.id === id);
    if (!row) throw new NacreError("not_found", `there is no skill ${id}: look at the list of skills again`);
    return row;
  };
  /** Why this conversation has no `skill` tool, which is the only way for its model. */
  const toolOff = (): SkillReason | undefined => {
    const own = role();
    const tool = tools.get("skill");
    if (!own || !tool || toolsOfRole(own, [tool], "main", switchedTools(foundation, own)).length > 0)
      return undefined;
    return { code: "tool_off", detail: own.name, source: `role:${own.name}` };
  };
  const inOffRoots = (name: string): { source: string; path: string }[] =>
    skills.look().roots.flatMap((root) => {
      if (root.plugin !== undefined || switches.isOn(rootSwitch(root.source))) return [];
      if (!isSkillName(name)) return [];
      const files = [path.join(root.path, name, skillFileName)];
      if (root.flatFiles) files.push(path.join(root.path, `${name}.md`));
      return files.flatMap((file) => (lookOrNone(file) ? [{ source: root.source, path: file }] : []));
    });

  const isKept = keptPlaces(foundation, () => skills.look().roots);
  const isKeptOf = (known: Pick<KnownSkill, "entry">) => (real: string) => keptAsItIs(known) ?? isKept(real);
  const needs = skillUsePorts(foundation, () => rooms, rooms.executor);

  const resources = (folder: string): Promise<ResourceList> => skills.reader.resources(folder);
  const show = async (id: string): Promise<SkillInspection> => {
    const known = knownSkill(skills.look(), id);
    return inspectSkill(known, {
      row: rowOf(id),
      definition: () => skills.reader.load(known.entry),
      resources,
      isKept: isKeptOf(known),
      held: skills.sessions.find(id)?.draft.text,
      needs,
    });
  };

  return {
    ...createSkillChanges(foundation, rooms),
    show,
    roots() {
      const { files, scans, roots } = skills.look();
      const loaded = new Map<string, number>();
      for (const { entry, found } of files)
        if (entry.valid) loaded.set(found.root.path, (loaded.get(found.root.path) ?? 0) + 1);
      return rootRows(roots, scans, loaded, (id) => switches.isOn(id));
    },
    async explain(name) {
      const own = role();
      const look = skills.look(own?.name);
      const explained = explainSkill({
        name,
        look,
        rows: skills.rows(),
        rules: rulesFor(foundation, own),
        catalog: skills.catalog(own?.name),
        toolOff: toolOff(),
        worktreeOf: trust.worktreeOf(),
        commands: new Set(commands.rows().map((row) => row.name)),
        inOffRoots: inOffRoots(name.slice(name.indexOf(":") + 1)),
      });
      return withFiles(explained, look, {
        resources,
        isRepairable: async (skill) => isRepairable(skill, isKeptOf(skill)),
      });
    },
  };
}
