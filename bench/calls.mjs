// One call inside a turn: from the model's answer to the next request, beside a bare Node loop.
// node bench/calls.mjs [--rounds N]
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { interleave, median, report, rounds, scratch } from "./lib/measure.mjs";
import { startModel } from "./lib/model.mjs";
import { runNode } from "./lib/run.mjs";
import { environment, nacre, root, writePlugin, writeServers } from "./lib/worlds.mjs";

const floor = path.join(root, "bench/lib/floor.mjs");
const folder = scratch();
const warmUps = 10;
const measured = 30;

/**
 * @param {string} name @param {{name: string, input: object}} call
 * @param {(config: string) => void} prepare @param {string[]} flags
 */
async function world(name, call, prepare, flags = []) {
  const workspace = path.join(folder, `${name}-ws`);
  mkdirSync(workspace);
  const model = await startModel((step) => (step < warmUps + measured ? call : undefined));
  const env = environment(path.join(folder, `${name}-home`), model.url);
  mkdirSync(env.NACRE_CONFIG_DIR, { recursive: true });
  prepare(env.NACRE_CONFIG_DIR);
  const mcp = path.join(env.NACRE_CONFIG_DIR, "mcp.json");
  /** @param {string[]} args */
  const gap = async (args) => {
    model.reset();
    await runNode(args, env, workspace);
    const last = JSON.parse(/** @type {string} */ (model.bodies().at(-1))).messages.at(-1);
    if (last.role !== "tool" || !JSON.stringify(last.content).includes("hello"))
      throw new Error(`the tool did not answer: ${JSON.stringify(last)}`);
    return median(model.gaps().slice(warmUps));
  };
  return {
    model,
    nacre: () => gap([nacre, "run", "go", "--max-steps", "100", ...flags]),
    floor: () => gap([floor, workspace, model.url, ...(existsSync(mcp) ? [mcp] : [])]),
  };
}

const input = { text: "hello" };
const echo = await world("mcp", { name: "mcp__small-0__echo", input }, (config) =>
  writeFileSync(path.join(config, "mcp.json"), writeServers(config, 1)),
);
const read = await world("read", { name: "echo_tool", input }, (config) => writePlugin(config, "read"));
const confined = await world("shell", { name: "echo_tool", input }, (config) => writePlugin(config, "shell"));
const held = [
  report(
    "MCP echo inside a turn",
    await interleave({ floor: echo.floor, nacre: echo.nacre }, rounds()),
    "ms",
    {
      ratio: 2.5,
    },
  ),
  report(
    "exec tool of class read",
    await interleave({ floor: read.floor, nacre: read.nacre }, rounds()),
    "ms",
    {
      ratio: 2.5,
    },
  ),
];
if (existsSync("/usr/bin/bwrap")) {
  const both = await interleave({ floor: read.nacre, nacre: confined.nacre }, rounds());
  held.push(report("the same tool confined (floor: unconfined)", both, "ms", { more: 15 }));
} else console.log("confined: skipped, bubblewrap is not installed");
for (const { model } of [echo, read, confined]) await model.stop();
process.exitCode = held.every(Boolean) ? 0 : 1;
