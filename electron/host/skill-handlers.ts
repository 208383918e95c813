import type { skillsContract } from "../../shared/contract/skills.ts";
import { NacreError } from "../../shared/errors.ts";
import type { Host } from "./host.ts";
import type { HostHandlers } from "./rpc.ts";

type SkillHandlers = Pick<HostHandlers, keyof typeof skillsContract>;

/** The skills' part of the contract. */
export function skillHandlers(host: Omit<Host, "handlers">): SkillHandlers {
  const none = (): never => {
    throw new NacreError("unavailable", "skills cannot be changed from a window yet");
  };
  return {
    "skills.show": async ({ id }) => (await host.skillManager()).show(id),
    "skills.explain": async ({ name }) => (await host.skillManager()).explain(name),
    "skills.roots": async () => (await host.skillManager()).roots(),
    "skills.create": none,
    "skills.write": none,
    "skills.repair": none,
    "skills.applyRepair": none,
    "skills.save": none,
    "skills.remove": none,
    "skills.restore": none,
    "skills.reveal": none,
    "skills.pin": none,
    "skills.rule": none,
    "skills.suggest": none,
    "skills.invocation": none,
  };
}
