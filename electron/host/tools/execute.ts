import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { Decision } from "../../../shared/policy.ts";
import { realPath } from "../kit/files.ts";
import type { Confinement } from "../policy/sandbox.ts";
import { hiddenPlaces } from "../policy/sandbox-places.ts";
import { type ApproveDeps, approve } from "./approve.ts";
import { createConfine } from "./confined-program.ts";
import { ConfinedRuns } from "./confined-run.ts";
import { denialText, userDenialText } from "./denial.ts";
import { explanation } from "./explanation.ts";
import type { ExecuteOptions, Executor, ExecutorOptions } from "./executor.ts";
import { interceptBefore } from "./interceptors.ts";
import { type CallToJudge, type JudgedCall, judgeCall } from "./judged-call.ts";
import { permit } from "./permit.ts";
import { findTool, prepareInput } from "./prepare.ts";
import { approvalRequest } from "./question.ts";
import { isReadOnly, originText } from "./registry.ts";
import { RunningCalls } from "./running-calls.ts";
import { failedOutput, runTool } from "./run-tool.ts";
import { SessionTemp } from "./session-temp.ts";
import { toolRow } from "./trace-rows.ts";
import {
  newTurn,
  type Caller,
  type Tool,
  type ToolCall,
  type ToolCallResult,
  type ToolOutput,
  type ToolRun,
} from "./types.ts";
import { failedByConfinement, unconfinedRequest } from "./unconfined-retry.ts";

type Input = Readonly<Record<string, unknown>>;
/** One call on its way, and what is known of it when it ends, however it ends. */
interface Passage {
  readonly call: ToolCall;
  readonly caller: Caller;
  readonly hooks: ExecuteOptions;
  readonly signal: AbortSignal;
  decision: Decision;
  by: string;
  /** Arguments as the tool gets them. */
  input: unknown;
  ran: { readonly tool: Tool; readonly input: Input } | undefined;
}

/** See `Executor`. */
export function createExecutor(options: ExecutorOptions): Executor {
  const { registry, broker, sandbox, clock, interceptors = [] } = options;
  const temp = new SessionTemp();
  const running = new RunningCalls();
  const unchecked = new WeakSet<Tool>();
  const onDiagnostic: ApproveDeps["onDiagnostic"] = (diagnostic) => options.onDiagnostic?.(diagnostic);
  const confinedRuns = new ConfinedRuns(options.paths, onDiagnostic);
  const asking: ApproveDeps = {
    broker,
    clock,
    storeRule: (rule) => options.storeRule(rule),
    onTrace: (row, sessionId) => options.onTrace(row, sessionId),
    onDiagnostic,
  };

  function prepare(tool: Tool, input: unknown): Input {
    return prepareInput(tool, input, (reason) => {
      if (unchecked.has(tool)) return;
      unchecked.add(tool);
      onDiagnostic({
        code: "tool-schema-unusable",
        severity: "warning",
        message: `the arguments of ${tool.title} (${originText(tool)}) are not checked: ${reason}`,
        fix: "correct or simplify the tool's input schema",
      });
    });
  }
  const judge = (call: CallToJudge): JudgedCall => judgeCall(options, call);

  async function attempt(passage: Passage): Promise<ToolOutput> {
    const { call, caller, hooks, signal } = passage;
    const tool = hooks.tool?.() ?? findTool(registry, call.name, caller);
    const prepared = { id: call.id, tool, input: prepare(tool, call.input), caller };
    const { input, hook, reason } = await interceptBefore(
      interceptors,
      prepared,
      (changed) => prepare(tool, changed),
      signal,
    );
    passage.input = input;
    const toJudge = {
      tool,
      input,
      caller,
      turn: hooks.turn ?? newTurn(),
      ...(hook === undefined ? {} : { hook }),
    };
    if (tool.confinable === true && caller.policy.sandbox === "workspace_write") await sandbox.verify();
    const judged = judge(toJudge);
    const { decision } = judged;
    passage.by = decision.by;
    if (decision.answer === "deny") return refused(denialText(toJudge, judged, reason));
    if (decision.answer === "ask") {
      const nothing = tool.cannot?.(input, caller);
      if (nothing !== undefined) {
        passage.by = "arguments";
        return refused(nothing);
      }
      const note = await ask(passage, toJudge, judged);
      if (note !== undefined) return refused(note);
    } else passage.decision = decision.answered ? "asked_allow" : "allow";
    hooks.onState?.("running");
    passage.ran = { tool, input };
    const run: ToolRun = {
      callId: call.id,
      ...placesOf(judged),
      sessionId: caller.sessionId,
      confinement: null,
      caller,
      turn: toJudge.turn,
      onOutput: (text) => hooks.onOutput?.(text),
      signal,
    };
    const output = await (decision.confined
      ? confinedRuns.watch(confinementOf(tool, caller), (confinement, keepWatch) =>
          runTool(tool, input, { ...run, confinement, keepWatch }, options.log),
        )
      : runTool(tool, input, run, options.log));
    return retried(passage, toJudge, judged, run, output);
  }

  /** Asks the user; gives the text of a refusal, undefined where the call may go on. */
  async function ask(
    passage: Passage,
    toJudge: CallToJudge,
    judged: JudgedCall,
  ): Promise<string | undefined> {
    const { call, caller, hooks, signal } = passage;
    const { tool } = toJudge;
    hooks.onState?.("waiting");
    passage.decision = "asked_deny";
    const request = await approvalRequest({ ...toJudge, run: placesOf(judged) }, judged);
    const stillAsks = (): boolean => judge(toJudge).decision.answer === "ask";
    const answer = await approve(asking, { ...request, stillAsks }, { id: call.id, tool }, signal);
    passage.by = "user";
    if (answer.choice === "deny") return userDenialText(tool, answer.note);
    // Said once more after outside text: it counts for the rest of the turn.
    if (answer.choice !== "once" && judged.gate.outsideText && request.rule !== null)
      toJudge.turn.confirmed.add(request.rule);
    broker.openFolders(caller.sessionId, judged.decision.opens);
    passage.by = "a change after the answer";
    confirmUnchanged(toJudge, judged, hooks);
    passage.by = "user";
    passage.decision = "asked_allow";
    return undefined;
  }
  /** An answer is good for what was shown: the same arguments, leading to the same places, by the same tool. */
  function confirmUnchanged(toJudge: CallToJudge, shown: JudgedCall, hooks: ExecuteOptions): void {
    const { tool } = toJudge;
    if ((hooks.tool?.() ?? registry.get(tool.name)) !== tool)
      throw new NacreError("denied", `${tool.title} was replaced while the question was open; call it again`);
    const now = judge(toJudge);
    if (now.decision.answer === "deny")
      throw new NacreError("denied", `${tool.title} is denied by now: ${now.decision.by}`);
    if (now.digest !== shown.digest || now.decision.confined !== shown.decision.confined)
      throw new NacreError(
        "denied",
        `${tool.title} would do something else now than what was approved; call it again`,
      );
  }

  const placesOf = ({ gate, touches, folder }: JudgedCall) => ({
    workspace: options.workspace,
    realPaths: new Map([
      ...gate.paths.map(({ given, real }) => [given, real] as const),
      ...(touches.cwd === undefined ? [] : [[touches.cwd, folder] as const]),
    ]),
  });
  const hasNetwork = (tool: Tool, { policy }: Caller): boolean =>
    policy.networkAccess || (tool.keepsNetwork === true && policy.pluginNetwork !== false);
  const confinementOf = (tool: Tool, caller: Caller): Confinement => ({
    workspace: options.workspace,
    writableRoots: caller.policy.writableRoots.map((root) => realPath(root)),
    // A skill of the user's lies under `<config>`, which is empty in a sandbox; its scripts are run by run_shell.
    readableRoots: options.readableFolders(),
    network: hasNetwork(tool, caller),
    tmp: temp.folder(caller.sessionId),
  });

  /** Once more without the sandbox, where that is what it failed on and the user says yes (spec 4, OS sandbox). */
  async function retried(
    passage: Passage,
    toJudge: CallToJudge,
    judged: JudgedCall,
    run: ToolRun,
    output: ToolOutput,
  ): Promise<ToolOutput> {
    const { caller, hooks } = passage;
    const { tool, input } = toJudge;
    const { decision } = judged;
    if (!decision.confined || !caller.canAsk || caller.policy.approval === "never") return output;
    const withheld = {
      network: !hasNetwork(tool, caller),
      hidden: hiddenPlaces(options.paths),
    };
    if (!failedByConfinement(output, withheld)) return output;
    hooks.onState?.("waiting");
    const request = unconfinedRequest(await approvalRequest({ ...toJudge, run }, judged));
    const answer = await approve(asking, request, { id: `${run.callId}-unconfined`, tool }, run.signal);
    hooks.onState?.("running");
    if (answer.choice === "deny")
      return {
        ...output,
        output: `${output.output}\n(it ran confined; the user denied running it unconfined)`,
      };
    confirmUnchanged(toJudge, judged, hooks);
    passage.decision = "asked_allow";
    passage.by = "user";
    return runTool(tool, input, run, options.log);
  }

  /** Hands the result round to those who look at it afterwards. */
  async function finished(passage: Passage, output: ToolCallResult): Promise<ToolCallResult> {
    const { ran, call, caller, signal } = passage;
    let result = output;
    if (ran === undefined) return result;
    for (const interceptor of interceptors) {
      try {
        result = (await interceptor.after?.({ id: call.id, ...ran, caller }, result, signal)) ?? result;
      } catch (error) {
        signal.throwIfAborted();
        // What the tool did is done: its result counts, whatever goes wrong behind it.
        const message = `after ${result.title}: ${toErrorValue(error).message}`;
        onDiagnostic({ code: "interceptor-failed", severity: "error", message });
      }
    }
    return result;
  }

  const execute: Executor["execute"] = async (call, caller, hooks, signal) => {
    signal.throwIfAborted();
    const t = clock.now();
    const passage: Passage = {
      call,
      caller,
      hooks,
      signal,
      decision: "deny",
      by: "arguments",
      input: call.input,
      ran: undefined,
    };
    const tool = hooks.tool?.() ?? registry.get(call.name);
    const toResult = (output: ToolOutput): ToolCallResult => ({
      id: call.id,
      name: tool?.name ?? call.name,
      title: tool?.title ?? call.name,
      origin: tool === undefined ? "" : originText(tool),
      input: passage.input,
      ...output,
      durationMs: clock.now() - t,
      decision: passage.decision,
      by: passage.by,
    });
    let result: ToolCallResult;
    try {
      result = await finished(passage, toResult(await attempt(passage)));
    } catch (error) {
      result = toResult(failedOutput(signal.aborted ? signal.reason : error, call.name, options.log));
    }
    options.onTrace(toolRow(result, t), caller.sessionId);
    signal.throwIfAborted();
    return result;
  };
  async function settled(sessionId?: string): Promise<void> {
    const [left] = await Promise.all([running.settled(sessionId), options.background.settled(sessionId)]);
    if (left > 0) options.log?.warn("calls go on although they were stopped", { calls: left });
  }

  return {
    execute: (call, caller, hooks, signal) =>
      running.follow(caller.sessionId, execute(call, caller, hooks, signal)),
    permit: (request, signal) => permit({ ...asking, judge, workspace: options.workspace }, request, signal),
    settled,
    explain(name, input, caller, outsideText = false) {
      const tool = findTool(registry, name, caller);
      const call = { tool, input: prepare(tool, input), caller, turn: newTurn(outsideText) };
      return explanation(judge(call), tool);
    },
    isReadOnly(call) {
      const tool = registry.get(call.name);
      if (tool?.parallel === undefined) return tool !== undefined && isReadOnly(tool);
      try {
        return tool.parallel(prepare(tool, call.input));
      } catch {
        // Arguments that are not valid: the call fails by itself, beside nobody.
        return false;
      }
    },
    recover: () => confinedRuns.recover(),
    confine: createConfine({ ...options, runs: confinedRuns, temp }),
    async endSession(sessionId) {
      await options.background.endSession(sessionId);
      await temp.end(sessionId);
    },
    async stop() {
      await settled();
      await options.background.endAll();
      await confinedRuns.endAll();
      await temp.endAll();
    },
  };
}

const refused = (output: string): ToolOutput => ({ output, isError: true, sandboxed: null });
