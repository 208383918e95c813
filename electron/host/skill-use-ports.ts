import { NacreError, toErrorValue } from "../../shared/errors.ts";
import { currentPolicy, personCaller } from "./callers.ts";
import { parsePattern } from "./config/permission.ts";
import type { Foundation } from "./foundation.ts";
import { confirmAllowedTools } from "./own-questions.ts";
import { matchPattern } from "./policy/match-pattern.ts";
import type { Rooms } from "./rooms.ts";
import type { SkillUsePorts } from "./skills/invocation.ts";
import { ruleNames } from "./skills/resolve.ts";
import type { Executor } from "./tools/executor.ts";
import type { Tool } from "./tools/types.ts";
import { modelFor, roleRules } from "./turn-setup.ts";

/** What rules on `skill` speak of when a person loads one; the model's tool of that name is offered by other rules. */
const loading: Tool = {
  name: "skill",
  title: "skill",
  description: "",
  perm: "read",
  origin: { kind: "builtin", owner: "nacre" },
  inputSchema: {},
  touches: ({ name }) => ({ names: ruleNames(String(name)) }),
  run: async () => {
    throw new NacreError("internal", "a skill that a person loads is no call");
  },
};

/** What a person's use of a skill asks of the host. */
export function skillUsePorts(foundation: Foundation, rooms: () => Rooms, executor: Executor): SkillUsePorts {
  const { tools, options, clock, ids } = foundation;
  const rules: SkillUsePorts["rules"] = () => roleRules(foundation, rooms, options.role);
  const usualModel = (): string | undefined =>
    options.role === undefined ? undefined : rooms().roles.get(options.role).model;
  return {
    rules,
    now: () => clock.now(),
    async permit(name, { sessionId, signal }) {
      const person = personCaller(foundation, sessionId);
      const caller = {
        ...person,
        get policy() {
          return { ...currentPolicy(foundation), rules: rules() };
        },
      };
      return executor.permit({ id: ids.next(), tool: loading, input: { name }, caller }, signal);
    },
    toolName(written) {
      const tool = tools.get(written);
      if (tool) return tool.name;
      const fits = tools
        .list()
        .some((one) => matchPattern(written, one.name) || matchPattern(written, one.title));
      return fits ? written : undefined;
    },
    onlyReads: (tool) => tools.get(tool)?.perm === "read",
    isAllowed(pattern) {
      const { approval, allow } = currentPolicy(foundation);
      const wanted = parsePattern(pattern);
      return (
        approval !== "never" &&
        allow.map(parsePattern).some(({ tool, pattern: given }) => {
          const isTool = tool === wanted.tool || tools.get(tool)?.name === wanted.tool;
          return isTool && (given === "*" || given === wanted.pattern);
        })
      );
    },
    async model(name) {
      try {
        const own = await modelFor(foundation, { id: usualModel() });
        const found = await modelFor(foundation, {
          id: name,
          ...(own === null ? {} : { parent: own.id }),
        });
        return found === null ? { reason: "no model is configured" } : { id: found.id };
      } catch (error) {
        return { reason: toErrorValue(error).message };
      }
    },
    async grant(request, asking) {
      if (currentPolicy(foundation).approval === "never")
        return 'approval is "never": what would ask is denied';
      if (!options.canAsk) return "nobody can be asked here (--allow PATTERN allows it)";
      try {
        await confirmAllowedTools(foundation, request, asking);
        return undefined;
      } catch (error) {
        asking.signal.throwIfAborted();
        if (error instanceof NacreError && error.code === "denied") return error.message;
        throw error;
      }
    },
    onLoad({ sessionId, name, source, typed, by, model, durationMs, error }) {
      if (sessionId === null) return;
      const isDenied = error instanceof NacreError && error.code === "denied";
      const output = error?.message ?? (model === undefined ? undefined : `model ${model}`);
      rooms().trace(sessionId, {
        id: ids.next(),
        t: clock.now() - durationMs,
        kind: "skill",
        title: name,
        status: error === undefined ? "completed" : isDenied ? "denied" : "failed",
        origin: source,
        ...(by === undefined ? {} : { by }),
        durationMs,
        ...(typed === "" ? {} : { input: typed }),
        ...(output === undefined ? {} : { output }),
      });
    },
  };
}
