import { describe, expect, it } from "vitest";
import { NacreError } from "../../../../shared/errors.ts";
import type { JsonObject } from "../../../../shared/json.ts";
import { finishTask, taskOf, type TaskPorts } from "./tasks.ts";

type Told = JsonObject | Error;
const never = new AbortController().signal;
const created = { resultType: "task", taskId: "t1", status: "working", pollIntervalMs: 1, ttlMs: 60_000 };
const done = { status: "completed", result: { content: [{ type: "text", text: "42" }] } };

/** A server that tells, look by look, where the task stands; its last word stays. */
class Server implements TaskPorts {
  readonly sent: (readonly [method: string, params: JsonObject])[] = [];
  readonly lines: string[] = [];
  readonly onOutput = (text: string): void => void this.lines.push(text);
  readonly #states: Told[];
  constructor(...states: Told[]) {
    this.#states = states;
  }
  request(method: string, params: JsonObject, _signal?: AbortSignal): Promise<unknown> {
    this.sent.push([method, params]);
    if (method === "tasks/result") return Promise.resolve(done.result);
    if (method !== "tasks/get") return Promise.resolve({});
    const next = this.#states.length > 1 ? this.#states.shift() : this.#states[0];
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  }
  answer: TaskPorts["answer"] = (method, params) => Promise.resolve({ answered: method, ...params });
  methods(): string[] {
    return this.sent.map(([method]) => method);
  }
}
const finish = (server: Server, first: JsonObject = created, signal: AbortSignal = never): Promise<unknown> =>
  finishTask(first, "slow", server, signal);
const words = (text: string): object => ({ content: [{ type: "text", text }], isError: true });

describe("a task", () => {
  it("is an answer that says so", () => {
    expect(taskOf(created)).toMatchObject({ taskId: "t1", isOld: false });
    expect(taskOf({ content: [] })).toBeUndefined();
  });
  it("is looked at until it ends, and where it stands is told once each", async () => {
    const server = new Server(
      { ...created, statusMessage: "half" },
      { ...created, statusMessage: "half" },
      { ...created, ...done },
    );
    expect(await finish(server)).toEqual(done.result);
    expect(server.methods()).toEqual(["tasks/get", "tasks/get", "tasks/get"]);
    expect(server.lines).toEqual(["half\n"]);
  });
  it("that failed or was cancelled is a failed call that says why", async () => {
    expect(await finish(new Server({ status: "failed", error: { code: 1, message: "no disk" } }))).toEqual(
      words("the task of slow failed: no disk"),
    );
    expect(await finish(new Server({ status: "cancelled" }))).toEqual(
      words("the server cancelled the task of slow: it gave no reason"),
    );
  });
  it("that asks is answered once for each question", async () => {
    const asks = { status: "input_required", pollIntervalMs: 1 };
    const a = { method: "elicitation/create", params: { message: "A?" } };
    const server = new Server(
      { ...asks, inputRequests: { a } },
      { ...asks, inputRequests: { a, b: { method: "roots/list" } } },
      done,
    );
    await finish(server);
    expect(server.sent.filter(([method]) => method === "tasks/update").map(([, params]) => params)).toEqual([
      { taskId: "t1", inputResponses: { a: { answered: "elicitation/create", message: "A?" } } },
      { taskId: "t1", inputResponses: { b: { answered: "roots/list" } } },
    ]);
  });
  it("whose question nobody answers is cancelled", async () => {
    const server = new Server({ status: "input_required", inputRequests: { a: { method: "x/y" } } });
    server.answer = () => Promise.reject(new Error("this client does not answer x/y"));
    expect(await finish(server)).toEqual(
      words("the task of slow was cancelled: this client does not answer x/y"),
    );
    expect(server.methods()).toEqual(["tasks/get", "tasks/cancel"]);
  });
  it("is cancelled by a stop", async () => {
    const stop = new AbortController();
    const server = new Server({ ...created, statusMessage: "on" });
    const running = finishTask(
      created,
      "slow",
      {
        request: (...asked) => server.request(...asked),
        answer: server.answer,
        onOutput: () => stop.abort(new Error("stopped")),
      },
      stop.signal,
    );
    await expect(running).rejects.toThrow("stopped");
    expect(server.methods().at(-1)).toBe("tasks/cancel");
  });
  it("outlives looks that fail", async () => {
    const broken = new NacreError("network", "no route");
    expect(await finish(new Server(broken, broken, done))).toEqual(done.result);
  });
  it("that the server does not know any more is told of, with how long it is kept", async () => {
    const server = new Server(new NacreError("invalid_input", '"s" answered tasks/get: unknown task'));
    await expect(finish(server)).rejects.toThrow(
      'the task of slow is lost: "s" answered tasks/get: unknown task (the server keeps a task for 60 s). What it did on the server is not undone',
    );
  });
  it("of 2025-11-25 gives its result by itself", async () => {
    const first = taskOf({ task: { taskId: "t1", status: "working", pollInterval: 1 } }, true);
    const server = new Server({ taskId: "t1", status: "completed" });
    expect(await finish(server, first)).toEqual(done.result);
    expect(server.methods()).toEqual(["tasks/get", "tasks/result"]);
  });
});
