import path from "node:path";
import { toolsOfRole } from "./agents/role-policy.ts";
import { handedReport } from "./agents/long-report.ts";
import type { AgentRun, TaskToolOptions } from "./agents/task.ts";
import { isOutside, rulesOfRole, switchedTools } from "./callers.ts";
import { syncedCalls } from "./chat/synced-calls.ts";
import { systemPrompt } from "./chat/prompt.ts";
import { runRecordedTurn, type LineWriter } from "./chat/turn-recorder.ts";
import type { TurnEnd, TurnEvent } from "./chat/turn.ts";
import { type DeferredTools, toolsNamed } from "./deferred-tools.ts";
import type { Foundation } from "./foundation.ts";
import { isTurnRule, type Rule } from "./config/permission.ts";
import { withSkills } from "./skill-offer.ts";
import type { Skills } from "./skills/skills.ts";
import { modelFor } from "./turn-setup.ts";
import type { Executor } from "./tools/executor.ts";
import type { Caller, ToolCallResult } from "./tools/types.ts";

/** Model calls in one run, where the role says nothing (spec 7). */
const usualSteps = 50;

/** `outside`: text from outside reached the sub-agent, so its report may carry it. */
type Report = Awaited<ReturnType<TaskToolOptions["runAgent"]>>;

/** Runs one sub-agent to its report; a conversation's has a transcript of its own. Its tools and rules are never wider than its caller's. */
export function createAgentRunner(
  foundation: Foundation,
  executor: Executor,
  skills: Pick<Skills, "offer">,
  deferred: DeferredTools,
  /** What MCP servers tell about themselves. */
  servers: () => string = () => "",
) {
  const { tools, config, workspace, sessions, clock, ids, background } = foundation;
  /** A call outside of any conversation (`nacre tools call task`) has no session that could hold a transcript. */
  const writerFor = (sessionId: string | null): LineWriter =>
    sessionId === null
      ? { append: (body) => ({ v: 1, id: ids.next(), parent: null, t: clock.now(), ...body }) }
      : sessions.open(sessionId).addSub();
  /** Outside of any conversation there is no model that could read on. */
  const handed = (sessionId: string | null, report: string): string =>
    sessionId === null
      ? report
      : handedReport(report, (whole) => path.relative(workspace, sessions.open(sessionId).keepText(whole)));
  return async (run: AgentRun, signal: AbortSignal): Promise<Report> => {
    const { role, caller, prompt } = run;
    let outside = false;
    const isOutsideResult = (result: ToolCallResult): boolean => {
      const is = isOutside(foundation)(result);
      outside ||= is;
      return is;
    };
    const parent = await modelFor(foundation);
    const model =
      role.model === undefined
        ? parent
        : await modelFor(foundation, {
            id: role.model,
            ...(parent === null ? {} : { parent: parent.id }),
          });
    if (model === null)
      return {
        report:
          "a sub-agent needs a language model, and none is configured: name one in settings.json (model), or with --model",
        isError: true,
        outside,
      };
    const mayCall = tools.list().filter(({ name }) => caller.tools?.has(name) ?? true);
    const { settings, instructions } = config.current;
    const ofRole = toolsOfRole(role, mayCall, "sub-agent", switchedTools(foundation, role));
    // What a person allowed a skill for its turn, they allowed the model that they talk with (decision 18).
    const ownRules = (): readonly Rule[] => [
      ...caller.policy.rules.filter((rule) => !isTurnRule(rule)),
      ...rulesOfRole(foundation, role),
    ];
    const offer = skills.offer(ownRules(), caller.sessionId ?? undefined);
    const { tools: list, system, reminder } = withSkills(ofRole, offer, settings.skills.placement);
    const agentRun = ids.next();
    const who = { sessionId: caller.sessionId, agentRun };
    const offered = deferred.offer(list, who, {
      percent: settings.mcp.deferAbove,
      loaded: toolsNamed(role, list),
    });
    const own: Caller = {
      ...caller,
      kind: "agent",
      role: role.name,
      get policy() {
        return { ...caller.policy, rules: ownRules() };
      },
      agentRun,
      tools: offered.names,
    };
    const turn = runRecordedTurn(
      {
        model,
        system: systemPrompt({
          workspace,
          platform: process.platform,
          startedOn: new Date(clock.now()).toISOString().slice(0, 10),
          instructions,
          servers: servers(),
          catalog: system,
          role: role.prompt,
        }),
        messages: [
          ...(reminder === null ? [] : [{ role: "user" as const, text: reminder }]),
          { role: "user", text: prompt },
        ],
        tools: () => offered.tools,
        ...(offered.more ? { more: offered.more } : {}),
        maxSteps: role.maxSteps ?? usualSteps,
        lastReport: true,
        // Of its own, but what the person confirms in one counts in both: it is one turn of the conversation.
        turn: { ...run.turn },
        ...syncedCalls(
          {
            execute: (call, hooks, callSignal) => {
              offered.called(call);
              return executor.execute(call, own, hooks, callSignal);
            },
            isOutside: isOutsideResult,
            isReadOnly: (call) => executor.isReadOnly(call),
          },
          () => {
            if (caller.sessionId !== null) sessions.open(caller.sessionId).sync();
          },
        ),
        clock,
        ids,
      },
      { writer: writerFor(caller.sessionId), prompt, reminder },
      signal,
    );
    try {
      for (;;) {
        const next = await turn.next();
        if (next.done) {
          signal.throwIfAborted();
          const { report, isError } = reportOf(next.value);
          return { report: handed(caller.sessionId, report), isError, outside };
        }
        const line = progressLine(next.value);
        if (line !== undefined) run.onOutput(line);
      }
    } finally {
      // A stop is not held up by what it ends; the next turn waits for that.
      deferred.end(who);
      const ended = background.endAgentRun(agentRun);
      if (!signal.aborted) await ended;
    }
  };
}
const shownInput = 120;
/** What the caller's card shows of one event; undefined for nothing. */
function progressLine(event: TurnEvent): string | undefined {
  if (event.type === "notice") return `${event.text}\n`;
  if (event.type === "tool_call") {
    const input = JSON.stringify(event.call.input) ?? "";
    return `${event.title} ${input.length > shownInput ? `${input.slice(0, shownInput)}…` : input}\n`;
  }
  if (event.type === "tool_result" && event.result.isError)
    return `${event.result.title} failed: ${event.result.output.split("\n")[0]}\n`;
  return undefined;
}
function reportOf({ stopReason, text, error }: TurnEnd): Omit<Report, "outside"> {
  if (error !== undefined) {
    const came = text === "" ? "" : `\n\nUntil then it wrote:\n${text}`;
    return { report: `the sub-agent failed: ${error.message}${came}`, isError: true };
  }
  if (text === "") return { report: "the sub-agent ended without a report", isError: true };
  const cut = stopReason === "max_steps" ? "\n\n(It used all its steps.)" : "";
  return { report: text + cut, isError: false };
}
