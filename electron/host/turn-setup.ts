import { toErrorValue } from "../../shared/errors.ts";
import type { ChatModel } from "../../shared/model.ts";
import { toolsOfRole } from "./agents/role-policy.ts";
import type { Role } from "./agents/role.ts";
import { isOutside, modelCaller, personCaller, rulesFor, switchedTools } from "./callers.ts";
import { guideAnswer } from "./chat/guide.ts";
import { systemPrompt } from "./chat/prompt.ts";
import type { SessionHost, SessionRef } from "./chat/session-host.ts";
import { type DeferredTools, rememberedTools, toolsNamed } from "./deferred-tools.ts";
import type { Foundation } from "./foundation.ts";
import { serverInstructions } from "./mcp/features/instructions.ts";
import { withFallback } from "./models/fallback-model.ts";
import { resolveModel } from "./models/resolve.ts";
import type { Rooms } from "./rooms.ts";
import { withSkills } from "./skill-offer.ts";
import type { Executor } from "./tools/executor.ts";
import type { Tool, ToolCall } from "./tools/types.ts";

/** Model calls in one turn of a conversation, where nobody says otherwise. */
const usualSteps = 100;

/** The model that a turn takes; null where the guide answers. Loaded when first asked for. */
export async function modelFor(
  { config, env, secrets, fetch, clock, masker, options }: Foundation,
  wanted: { readonly id?: string | undefined; readonly parent?: string } = {},
): Promise<ChatModel | null> {
  const id = wanted.id ?? options.model;
  return resolveModel({
    ...(id === undefined ? {} : { id }),
    ...(wanted.parent === undefined ? {} : { parent: wanted.parent }),
    settings: config.current.settings,
    env,
    secrets,
    fetch: fetch(),
    clock,
    onSecret: (value) => masker.add(value),
  });
}
/**
 * The model of one turn: what the turn asks for, and the conversation's where the server of that one does not know it.
 * @param usual of the role as which the conversation runs
 */
async function turnModel(
  foundation: Foundation,
  usual: string | undefined,
  wanted: string | undefined,
): Promise<ChatModel | null> {
  const own = await modelFor(foundation, { id: usual });
  if (wanted === undefined) return own;
  const first = await modelFor(foundation, { id: wanted, ...(own === null ? {} : { parent: own.id }) });
  if (first === null || own === null || first.id === own.id) return first;
  return withFallback(first, own, `the model ${wanted} cannot be used`);
}
/** What conversations ask of the host (chat/session-host.ts). `rooms` answers once they are built. */
export function createSessionHost(
  foundation: Foundation,
  rooms: () => Rooms,
  executor: Executor,
  deferred: DeferredTools,
): SessionHost {
  const { tools, config, workspace, options, log, commands, masker } = foundation;
  const roleOf = (): Role | undefined =>
    options.role === undefined ? undefined : rooms().roles.get(options.role);
  const offered = (role: Role | undefined): readonly Tool[] => {
    const all = tools.list().filter((tool) => tool.name !== "ask_user" || options.canAsk);
    return role ? toolsOfRole(role, all, "main", switchedTools(foundation, role)) : all;
  };
  return {
    async setup(session, changes, signal) {
      await rooms().ready;
      const { skills } = rooms();
      await skills.settled();
      signal.throwIfAborted();
      const role = roleOf();
      const { settings, instructions } = config.current;
      const offer = skills.offer(rulesFor(foundation, role), session.id);
      const { tools: list, system, reminder } = withSkills(offered(role), offer, settings.skills.placement);
      const given = deferred.offer(
        list,
        { sessionId: session.id },
        {
          percent: settings.mcp.deferAbove,
          loaded: [
            ...toolsNamed(role, list),
            ...rememberedTools(foundation.sessions.open(session.id).lines()),
          ],
        },
      );
      const caller = modelCaller(foundation, session.id, role, given.names, changes.allow);
      return {
        model: await turnModel(foundation, role?.model, changes.model),
        system: systemPrompt({
          workspace,
          platform: process.platform,
          startedOn: session.createdAt.slice(0, 10),
          instructions,
          servers: serverInstructions(rooms().mcp.instructions()),
          catalog: system,
          ...(role === undefined ? {} : { role: role.prompt }),
        }),
        reminder,
        tools: () => given.tools,
        ...(given.more ? { more: given.more } : {}),
        maxSteps: options.maxSteps ?? role?.maxSteps ?? usualSteps,
        isOutside: isOutside(foundation),
        execute: (call, hooks, callSignal) => {
          given.called(call);
          return executor.execute(call, caller, hooks, callSignal);
        },
        isReadOnly: (call: ToolCall) => executor.isReadOnly(call),
      };
    },
    personCalls: (session: SessionRef) => ({
      execute: (call, hooks, signal) =>
        executor.execute(call, personCaller(foundation, session.id), hooks, signal),
      isReadOnly: (call) => executor.isReadOnly(call),
      tools: () => tools.list(),
    }),
    commands,
    async mentions(text, session, wasGiven, signal) {
      const attached = await rooms().mcp.features.attach(text, signal);
      const skills = await rooms().skills.use.mentions(text, { sessionId: session.id, signal }, wasGiven);
      return {
        ...skills,
        texts: [...skills.texts, ...attached.texts],
        notes: [...skills.notes, ...attached.notes],
        ...(attached.texts.length === 0 ? {} : { outside: true as const }),
      };
    },
    isSkill: (name, session) => rooms().skills.use.isSkill(name, session.id),
    async guide(text, expanded, signal) {
      await rooms().ready;
      signal.throwIfAborted();
      const built = rooms();
      const { skills, plugins, mcp, roles } = built;
      return guideAnswer(text, expanded, {
        skills: skills.rows().filter(({ state }) => state === "on"),
        plugins: plugins.rows().filter(({ state }) => state === "on"),
        servers: mcp.rows(),
        agents: roles.list(),
        tools: tools.list(),
        commands: commands.rows(),
        models: await built.models(),
        waiting: built.waiting().length,
      });
    },
    settled: (sessionId) => executor.settled(sessionId),
    // What a conversation holds in memory would be gone with it.
    goesOn: (sessionId) =>
      foundation.background.isRunning(sessionId) || rooms().skills.sessions.of(sessionId).length > 0,
    mask: masker.mask,
    trace: (session, row) => rooms().trace(session.id, row),
    report(error) {
      const { message } = toErrorValue(error);
      log.error("a conversation met an error", { error: error instanceof Error ? error.stack : message });
    },
  };
}
/** The rules of a role, for the catalog of skills. */
export const roleRules = (foundation: Foundation, rooms: () => Rooms, name: string | undefined) =>
  rulesFor(
    foundation,
    name === undefined
      ? undefined
      : rooms()
          .roles.list()
          .find((role) => role.name === name),
  );
