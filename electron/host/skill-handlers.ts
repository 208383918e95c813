import type { skillsContract } from "../../shared/contract/skills.ts";
import type { Host } from "./host.ts";
import type { HostHandlers } from "./rpc.ts";

type SkillHandlers = Pick<HostHandlers, keyof typeof skillsContract>;

/** The skills' part of the contract. Each line delegates: no rule of its own stands here. */
export function skillHandlers(host: Omit<Host, "handlers">): SkillHandlers {
  const manager = () => host.skillManager();
  return {
    "skills.show": async ({ id }) => (await manager()).show(id),
    "skills.explain": async ({ name }) => (await manager()).explain(name),
    "skills.roots": async () => (await manager()).roots(),
    "skills.create": async (skill) => (await manager()).create(skill),
    "skills.write": async ({ id, text, digest }) => (await manager()).write(id, text, digest),
    "skills.repair": async ({ id }) => (await manager()).repair(id),
    "skills.applyRepair": async ({ id, digest }) => (await manager()).applyRepair(id, digest),
    "skills.save": async ({ id, scope }) => (await manager()).save(id, scope),
    "skills.remove": async ({ id }) => (await manager()).remove(id),
    "skills.restore": async ({ undo }) => {
      await (await manager()).restore(undo);
      return null;
    },
    "skills.reveal": async ({ id, what }) => {
      await (await manager()).reveal(id, what);
      return null;
    },
    "skills.pin": async ({ id, pinned }) => {
      await (await manager()).pin(id, pinned);
      return null;
    },
    "skills.rule": async ({ name, answer }, signal) => {
      await (await manager()).rule(name, answer, { sessionId: null, signal });
      return null;
    },
    "skills.suggest": ({ text, sessionId }) => host.skills.use.suggest(text, sessionId),
    "skills.invocation": ({ name, sessionId }) => host.skills.use.invocation(name, sessionId),
  };
}
