// What servers cost: calls through the manager beside the bare client library, inside a turn beside the bare Node loop, with
// a long history, with a large result; and the window while servers start slowly or fill their outputs. Not on Windows.
// node bench/mcp.mjs [--rounds N] [manager|turn|history|memory|window]…
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildMcpRoom } from "./lib/mcp-room.mjs";
import { hostWhile } from "./lib/mcp-window.mjs";
import { interleave, median, report, rounds, scratch } from "./lib/measure.mjs";
import { startModel } from "./lib/model.mjs";
import { runNode } from "./lib/run.mjs";
import { memoryMeter, openWindow, serve } from "./lib/window.mjs";
import { environment, nacre, root, writeServers } from "./lib/worlds.mjs";

const folder = scratch();
const all = ["manager", "turn", "history", "memory", "window"];
const asked = process.argv.slice(2).filter((name) => all.includes(name));
const wants = (/** @type {string} */ name) => asked.length === 0 || asked.includes(name);
/** @type {boolean[]} */
const held = [];
const call = { name: "mcp__small-0__echo", input: { text: "hello" } };

/** A home and a workspace of its own. @param {string} name @param {string} url @param {string} servers content of mcp.json */
function world(name, url, servers) {
  const workspace = path.join(folder, `${name}-ws`);
  mkdirSync(workspace);
  const env = environment(path.join(folder, `${name}-home`), url);
  const config = /** @type {string} */ (env.NACRE_CONFIG_DIR);
  mkdirSync(config, { recursive: true });
  const file = path.join(config, "mcp.json");
  writeFileSync(file, servers);
  return { workspace, env, file };
}
const small = () => writeServers(folder, 1);

if (wants("manager")) {
  const room = await buildMcpRoom(folder);
  const args = [path.join(root, "bench/lib/mcp-rounds.mjs"), room, folder, String(rounds()), "1000"];
  const { stdout } = await runNode(args, process.env, folder);
  /** @type {Record<"floor" | "nacre", {wall: number, cpu: number}[]>} */
  const { floor, nacre: ours } = JSON.parse(stdout);
  for (const kind of /** @type {("wall" | "cpu")[]} */ (["wall", "cpu"])) {
    const figures = { floor: floor.map((one) => one[kind]), nacre: ours.map((one) => one[kind]) };
    const title = `1,000 echo calls through the manager, ${kind} (floor: the bare client library)`;
    held.push(report(title, figures, "ms", { ratio: 1.3 }));
  }
}

/** Both sides in the world of one plan of calls; what is measured lies between an answer and the next request. */
async function turn(
  /** @type {string} */ title,
  /** @type {(step: number) => typeof call | (typeof call)[] | undefined} */ plan,
  /** @type {(gaps: number[]) => number} */ figure,
  /** @type {{ask?: boolean}} */ { ask = false } = {},
) {
  const model = await startModel(plan);
  const declared = ask ? small().replace('"autoApprove": true', '"autoApprove": false') : small();
  const { workspace, env, file } = world(`turn-${held.length}`, model.url, declared);
  const flags = ask ? ["--allow", call.name] : [];
  /** @param {string[]} args */
  const side = async (args) => {
    model.reset();
    await runNode(args, env, workspace);
    const { messages } = JSON.parse(String(model.bodies().at(-1)));
    if (!JSON.stringify(messages.at(-1).content).includes("hello"))
      throw new Error(`the tool did not answer: ${JSON.stringify(messages.at(-1))}`);
    return figure(model.gaps());
  };
  const sides = {
    floor: () => side([path.join(root, "bench/lib/floor.mjs"), workspace, model.url, file]),
    nacre: () => side([nacre, "run", "go", "--output", "json", "--max-steps", "1000", ...flags]),
  };
  held.push(report(title, await interleave(sides, rounds()), "ms", { ratio: 2 }));
  await model.stop();
}
const thousand = Array.from({ length: 1000 }, () => call);
const perCall = (/** @type {number[]} */ gaps) => Number(gaps[0]) / thousand.length;
if (wants("turn")) {
  await turn(
    "one echo a step (40 steps), from the answer to the next request",
    (step) => (step < 40 ? call : undefined),
    (gaps) => median(gaps.slice(10)),
  );
  await turn(
    "1,000 echos of one step, each, one after the other",
    (step) => (step === 0 ? thousand : undefined),
    perCall,
    { ask: true },
  );
  await turn(
    "1,000 echos of one step, each, those that only read beside each other",
    (step) => (step === 0 ? thousand : undefined),
    perCall,
  );
}

/** One conversation in the browser shell, as a window has it. @param {string} name @param {(step: number) => any} plan */
async function conversation(name, plan) {
  const model = await startModel(plan);
  const meter = memoryMeter(folder);
  const { workspace, env } = world(name, model.url, small());
  const host = await serve(workspace, { ...env, ...meter.env }, meter.nodeArgs);
  const window = await openWindow(host.url);
  await window.call("topic.subscribe", { topic: "workspace" });
  const session = await window.call("chat.create", {});
  await window.call("topic.subscribe", { topic: `session:${session.id}` });
  return {
    model,
    memory: () => meter.read(host),
    async say() {
      model.reset();
      const ended = window.hear(({ event }) => event?.type === "entry" && event.entry.type === "turn_end");
      await window.call("chat.send", { sessionId: session.id, text: "go" });
      const { event } = await ended;
      if (event.entry.stopReason !== "end") throw new Error(`the turn ended with ${event.entry.stopReason}`);
    },
    async end() {
      window.close();
      await host.stop();
      await model.stop();
    },
  };
}

if (wants("history")) {
  const fifty = Array.from({ length: 50 }, () => call);
  const one = await conversation("history", (step) => (step < 10 ? fifty : undefined));
  /** @type {number[]} */
  const times = [];
  // The first 500 teach the engine and do not count.
  await one.say();
  const before = await one.memory();
  for (let turns = 0; turns < 10; turns++) {
    await one.say();
    times.push(one.model.gaps().reduce((sum, gap) => sum + gap, 0) / 500);
  }
  const after = await one.memory();
  await one.end();
  const figures = { floor: [Number(times[0])], nacre: [Number(times.at(-1))] };
  held.push(
    report("5,000 calls in one session: the last 500, each (floor: the first 500)", figures, "ms", {
      ratio: 1.5,
    }),
  );
  console.log(
    `  held in memory for each call: ${(((after.heap - before.heap) * 1024) / 5000).toFixed(2)} KB (heap and external after gc)`,
  );
}

if (wants("memory")) {
  /** @type {number[]} */
  const heaps = [];
  /** @type {number[]} */
  const sizes = [];
  for (let round = 0; round < 3; round++) {
    let bytes = 1000;
    const big = () => ({ name: "mcp__small-0__big", input: { bytes } });
    const one = await conversation(`memory-${round}`, (step) => (step === 0 ? big() : undefined));
    await one.say();
    const before = await one.memory();
    bytes = 5 * 1024 * 1024;
    await one.say();
    const after = await one.memory();
    heaps.push(after.heap - before.heap);
    sizes.push(after.rss - before.rss);
    await one.end();
  }
  held.push(
    report(
      "memory after a result of 5 MB inside a turn (heap and external after gc)",
      { nacre: heaps },
      "MB",
      { below: 40 },
    ),
  );
  console.log(`  resident size beside it: ${median(sizes).toFixed(1)} MB more`);
}

if (wants("window")) {
  const odd = (/** @type {string} */ mode, /** @type {number} */ count) =>
    JSON.stringify({
      mcpServers: Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `${mode}-${i}`,
          { command: process.execPath, args: [path.join(root, "bench/lib/odd-server.mjs"), mode] },
        ]),
      ),
    });
  for (const { mode, count, title } of [
    { mode: "slow", count: 8, title: "eight servers of 2 s each" },
    { mode: "flood", count: 1, title: "a server that floods both outputs for 4 s" },
  ]) {
    /** @type {Awaited<ReturnType<typeof hostWhile>>[]} */
    const runs = [];
    for (let round = 0; round < Math.min(5, rounds()); round++) {
      const { workspace, env } = world(`${mode}-${round}`, "http://127.0.0.1:9/v1", odd(mode, count));
      runs.push(await hostWhile({ workspace, env, folder, count, goOnMs: mode === "flood" ? 4_000 : 0 }));
    }
    if (mode === "slow") {
      const ready = { nacre: runs.map((run) => run.readyMs) };
      held.push(report(`${title}: all ready, from the start of Nacre`, ready, "ms", { below: 3_000 }));
    }
    held.push(
      report(`${title}: the slowest answer to a window`, { nacre: runs.map((run) => run.slowestMs) }, "ms", {
        below: 100,
      }),
    );
    const blocked = median(runs.map((run) => run.blockedMs));
    const answers = median(runs.map((run) => run.answers));
    console.log(
      `  the host's thread was held for ${blocked.toFixed(1)} ms at most; ${answers} questions were answered`,
    );
  }
}
process.exitCode = held.every(Boolean) ? 0 : 1;
