// A window at a host whose servers start: when they are ready, and how long the window waits for answers meanwhile.
import { delayMeter, openWindow, serve } from "./window.mjs";

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
/**
 * @param {{workspace: string, env: NodeJS.ProcessEnv, folder: string, count: number, goOnMs: number}} world `count`
 * servers are waited for; the window goes on asking for `goOnMs` after that
 * @returns {Promise<{readyMs: number, slowestMs: number, blockedMs: number, answers: number}>}
 */
export async function hostWhile({ workspace, env, folder, count, goOnMs }) {
  const meter = delayMeter(folder);
  const started = performance.now();
  const host = await serve(workspace, { ...env, ...meter.env }, meter.nodeArgs);
  host.tell("SIGUSR2");
  const window = await openWindow(host.url);
  const { snapshot } = await window.call("topic.subscribe", { topic: "workspace" });
  const ready = new Set();
  /** @param {{name: string, state: string, lastError?: string}} row */
  const see = (row) => {
    if (row.state === "ready") ready.add(row.name);
    if (row.state === "failed" || row.state === "exited") throw new Error(`${row.name} is ${row.state}`);
  };
  /** @type {{name: string, state: string}[]} */
  const rows = snapshot.mcp;
  for (const row of rows) see(row);
  let readyAt = ready.size === count ? performance.now() : Infinity;
  window.onEvent((event) => {
    if (event.type !== "mcp") return;
    see(event.row);
    if (ready.size === count) readyAt = Math.min(readyAt, performance.now());
  });
  const name = rows[0]?.name ?? "";
  let slowestMs = 0;
  let answers = 0;
  while (performance.now() < readyAt + goOnMs) {
    const asked = performance.now();
    await window.call("mcp.details", { name });
    slowestMs = Math.max(slowestMs, performance.now() - asked);
    answers++;
    await wait(10);
    if (performance.now() > started + 30_000) throw new Error("the servers are not ready after 30 s");
  }
  host.tell("SIGUSR2");
  await wait(50);
  window.close();
  await host.stop();
  return { readyMs: readyAt - started, slowestMs, blockedMs: meter.read(), answers };
}
