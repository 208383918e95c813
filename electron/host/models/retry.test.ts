import { afterEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../../e2e/fixtures/model-server.mjs";
import type { ModelEvent, ModelRequest } from "../../../shared/model.ts";
import { openAICompatibleModel } from "./openai-compatible.ts";
import { withRetry, type RetryOptions } from "./retry.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", text: "hello" }], tools: [] };
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function run(steps: ScriptStep[], options: RetryOptions = { baseDelayMs: 1 }) {
  server = await startModelServer({ steps });
  const model = withRetry(
    openAICompatibleModel({
      provider: "test",
      model: "any",
      baseUrl: server.url,
      keySource: null,
      fetch: globalThis.fetch,
    }),
    options,
  );
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  return {
    events,
    error,
    requests: server.requests,
    retries: events.filter((event) => event.type === "retry"),
  };
}

describe("withRetry", () => {
  it.each([429, 500, 502, 503])("repeats after %i and announces it", async (status) => {
    const { events, requests, retries } = await run([
      { error: { status } },
      { error: { status } },
      { text: "ok" },
    ]);
    expect(requests).toHaveLength(3);
    expect(retries).toMatchObject([
      { attempt: 1, delayMs: 1, reason: expect.stringContaining(String(status)) as string },
      { attempt: 2, delayMs: 2 },
    ]);
    expect(events).toContainEqual({ type: "text", text: "ok" });
  });

  it("obeys Retry-After", async () => {
    const { retries, events } = await run([{ error: { status: 429, retryAfter: 0.02 } }, { text: "ok" }]);
    expect(retries).toMatchObject([{ delayMs: 20 }]);
    expect(events).toContainEqual({ type: "text", text: "ok" });
  });

  it("gives up after three tries with the last error", async () => {
    const steps = [1, 2, 3, 4].map((n) => ({ error: { status: 503, message: `busy ${n}` } }));
    const { error, requests } = await run(steps);
    expect(requests).toHaveLength(3);
    expect((error as Error).message).toContain("busy 3");
  });

  it.each([
    ["a refused key", { error: { status: 401 } }],
    ["no credit", { error: { status: 429, code: "insufficient_quota" } }],
    ["a refused request", { error: { status: 400 } }],
    ["a wait that is too long", { error: { status: 429, retryAfter: 3600 } }],
    ["an answer that broke off", { text: "some text", breakAfter: 1 }],
  ])("does not repeat after %s", async (_name, step) => {
    const { error, requests, retries } = await run([step, { text: "ok" }]);
    expect(error).toBeInstanceOf(Error);
    expect(requests).toHaveLength(1);
    expect(retries).toEqual([]);
  });

  it("ends the wait when aborted", async () => {
    server = await startModelServer({ steps: [{ error: { status: 429, retryAfter: 100 } }] });
    const model = withRetry(
      openAICompatibleModel({
        provider: "test",
        model: "any",
        baseUrl: server.url,
        keySource: null,
        fetch: globalThis.fetch,
      }),
    );
    const controller = new AbortController();
    const reading = (async () => {
      for await (const event of model.stream(request, controller.signal))
        if (event.type === "retry") controller.abort(new Error("stop"));
    })();
    await expect(reading).rejects.toThrow("stop");
  });
});
