// A model that answers at once: what is measured is the time between its answer and the next request.
import http from "node:http";

/** @typedef {{name: string, input: object}} Call */
/**
 * @param {(step: number) => Call | readonly Call[] | undefined} plan the call or calls of a step; none ends the turn
 */
export async function startModel(plan) {
  /** @type {{arrived: number, answered: number}[]} */
  let steps = [];
  /** @type {string[]} */
  let bodies = [];
  const server = http.createServer((request, response) => {
    const arrived = performance.now();
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const calls = [plan(steps.length) ?? []].flat();
      bodies.push(body);
      const delta =
        calls.length > 0
          ? {
              tool_calls: calls.map((call, index) => ({
                index,
                id: `call-${steps.length}${index === 0 ? "" : `-${index}`}`,
                type: "function",
                function: { name: call.name, arguments: JSON.stringify(call.input) },
              })),
            }
          : { content: "done" };
      const chunk = { id: "1", object: "chat.completion.chunk", created: 0, model: "any" };
      const parts = [
        { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
        {
          ...chunk,
          choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
        },
        { ...chunk, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
      ];
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("")}data: [DONE]\n\n`);
      steps.push({ arrived, answered: performance.now() });
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    /** Starts a new count; what came before is forgotten. */
    reset() {
      steps = [];
      bodies = [];
    },
    first: () => /** @type {{arrived: number}} */ (steps[0]).arrived,
    /** ms between each answer and the request that followed it. */
    gaps: () => steps.slice(1).map((step, index) => step.arrived - Number(steps[index]?.answered)),
    bodies: () => bodies,
    stop: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}
