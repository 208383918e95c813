import { setTimeout as pause } from "node:timers/promises";
import { NacreError, toErrorValue } from "../../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { cutEnd } from "../../../../shared/visible-text.ts";

/** The extension by which a server answers a call with a task (SEP-2663, MCP 2026-07-28). */
export const tasksExtension = "io.modelcontextprotocol/tasks";
/** What drives a task needs of its connection. */
export interface TaskPorts {
  /** One request with a time limit of its own. @throws NacreError; the signal's reason */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown>;
  /** Answers what the task asks: a form, a question to the model. @throws where it is declined or not offered */
  answer(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown>;
  /** Where the task stands, one line each. */
  readonly onOutput?: (text: string) => void;
}
interface Task {
  readonly id: string;
  /** Of the revision 2025-11-25, where a task's result is asked for by itself. */
  readonly isOld: boolean;
}

/** Between two looks at a task, ms. */
const usualPoll = 1000;
const shortestPoll = 10;
const longestPoll = 60_000;
/** Looks that fail in a row before the task is given up: a task outlives a connection that breaks. */
const mostFailures = 4;
/** For telling the server that a task is not wanted any more, ms. */
const cancelLimit = 5000;
const longestStatus = 500;

/**
 * The task that a call was answered with; undefined for a result.
 * @param isOld the call asked for a task, in the way of 2025-11-25
 */
export function taskOf(raw: unknown, isOld = false): JsonObject | undefined {
  if (!isObject(raw)) return undefined;
  const task = isOld ? raw["task"] : raw["resultType"] === "task" ? raw : undefined;
  return isObject(task) && typeof task["taskId"] === "string" ? { ...task, isOld } : undefined;
}
/** What a call asks for where its tool is done as a task alone (MCP 2025-11-25, Tasks). */
export const oldTask = { task: { ttl: 24 * 3600_000 } };

const failed = (text: string): JsonObject => ({ content: [{ type: "text", text }], isError: true });

/**
 * Follows a task to its end by looking at it as often as its server asks, and gives the result of the call. What it asks
 * meanwhile is answered. A stop, or an answer that nobody gives, cancels it.
 * @param first the task as it was made @param tool for messages
 * @throws NacreError where the server knows it no longer or cannot be reached; the signal's reason
 */
export async function finishTask(
  first: JsonObject,
  tool: string,
  ports: TaskPorts,
  signal: AbortSignal,
): Promise<unknown> {
  const task: Task = { id: String(first["taskId"]), isOld: first["isOld"] === true };
  try {
    return await follow(task, first, tool, ports, signal);
  } catch (error) {
    if (signal.aborted || error instanceof Unanswered) {
      // The server may be gone, or not mind: nobody waits for it.
      const cancelling = ports.request("tasks/cancel", { taskId: task.id }, AbortSignal.timeout(cancelLimit));
      await cancelling.catch(() => undefined);
    }
    signal.throwIfAborted();
    if (error instanceof Unanswered) return failed(`the task of ${tool} was cancelled: ${error.message}`);
    throw error;
  }
}
/** What a task asked got no answer. */
class Unanswered extends Error {
  override readonly name = "Unanswered";
}

async function follow(
  task: Task,
  first: JsonObject,
  tool: string,
  ports: TaskPorts,
  signal: AbortSignal,
): Promise<unknown> {
  const answered = new Set<string>();
  let told = "";
  for (let state = first; ;) {
    const words = cutEnd(textOf(state, "statusMessage"), longestStatus).kept;
    if (words !== told && words !== "") ports.onOutput?.(`${words}\n`);
    told = words;
    const status = textOf(state, "status");
    if (status === "completed") return resultOf(task, state, tool, ports, signal);
    if (status === "failed") return failed(`the task of ${tool} failed: ${reasonOf(state)}`);
    if (status === "cancelled") return failed(`the server cancelled the task of ${tool}: ${reasonOf(state)}`);
    if (status === "input_required") {
      // The older revision asks while the result is waited for.
      if (task.isOld) return ports.request("tasks/result", { taskId: task.id }, signal);
      await answerInputs(task, state, answered, ports, signal);
    }
    await pause(pollOf(state), undefined, { signal });
    state = await look(task, first, tool, ports, signal);
  }
}
/** @throws NacreError */
async function resultOf(
  task: Task,
  state: JsonObject,
  tool: string,
  ports: TaskPorts,
  signal: AbortSignal,
): Promise<unknown> {
  if (task.isOld) return ports.request("tasks/result", { taskId: task.id }, signal);
  const { result } = state;
  if (isObject(result)) return result;
  throw new NacreError("invalid_input", `the task of ${tool} ended without a result`);
}
/** Where the task stands now. @throws NacreError */
async function look(
  { id }: Task,
  first: JsonObject,
  tool: string,
  ports: TaskPorts,
  signal: AbortSignal,
): Promise<JsonObject> {
  for (let failures = 1; ; failures++) {
    try {
      const state = await ports.request("tasks/get", { taskId: id }, signal);
      if (isObject(state)) return state;
      throw new NacreError("invalid_input", `the server told nothing of the task of ${tool}`);
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = toErrorValue(error);
      const mayPass = code === "network" || code === "timeout";
      if (mayPass && failures < mostFailures) {
        await pause(pollOf(first), undefined, { signal });
        continue;
      }
      throw new NacreError(
        code,
        `the task of ${tool} is lost: ${message}${lifeOf(first)}. What it did on the server is not undone`,
        { cause: error },
      );
    }
  }
}
/** Answers what the task asks and has not been told yet. @throws Unanswered; NacreError */
async function answerInputs(
  { id }: Task,
  state: JsonObject,
  answered: Set<string>,
  ports: TaskPorts,
  signal: AbortSignal,
): Promise<void> {
  const { inputRequests } = state;
  const open = Object.entries(isObject(inputRequests) ? inputRequests : {}).filter(
    ([key]) => !answered.has(key),
  );
  if (open.length === 0) return;
  const responses = await Promise.all(
    open.map(async ([key, asked]) => {
      const method = isObject(asked) ? textOf(asked, "method") : "";
      const params = isObject(asked) && isObject(asked["params"]) ? asked["params"] : {};
      try {
        return [key, await ports.answer(method, params, signal)] as const;
      } catch (error) {
        signal.throwIfAborted();
        throw new Unanswered(error instanceof Error ? error.message : String(error));
      }
    }),
  );
  for (const [key] of responses) answered.add(key);
  await ports.request("tasks/update", { taskId: id, inputResponses: Object.fromEntries(responses) }, signal);
}

const textOf = (from: JsonObject, key: string): string => {
  const value = from[key];
  return typeof value === "string" ? value : "";
};
function reasonOf(state: JsonObject): string {
  const { error } = state;
  const words = isObject(error) ? textOf(error, "message") : "";
  return words || textOf(state, "statusMessage") || "it gave no reason";
}
/** `pollInterval` is what it was called in 2025-11-25. */
function pollOf(state: JsonObject): number {
  const asked = state["pollIntervalMs"] ?? state["pollInterval"];
  const ms = typeof asked === "number" && Number.isFinite(asked) ? asked : usualPoll;
  return Math.min(Math.max(ms, shortestPoll), longestPoll);
}
/** How long a server said that it keeps a task. */
function lifeOf(first: JsonObject): string {
  const ms = first["ttlMs"] ?? first["ttl"];
  return typeof ms === "number" ? ` (the server keeps a task for ${Math.round(ms / 1000)} s)` : "";
}
