// The time from the start of a program to its first model request, beside the bare Node loop in the same workspace.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { interleave, median, report, rounds } from "./measure.mjs";
import { startModel } from "./model.mjs";
import { runNode } from "./run.mjs";
import { environment, nacre, root } from "./worlds.mjs";

/**
 * @param {string} name @param {{workspace: string, home: string, servers?: string, goal: number}} world
 * `servers`: the content of mcp.json. @returns {Promise<boolean>} whether the goal is held, with an index in the cache
 */
export async function firstRequest(name, { workspace, home, servers, goal }) {
  const model = await startModel(() => undefined);
  const env = environment(home, model.url);
  const mcp = path.join(env.NACRE_CONFIG_DIR, "mcp.json");
  mkdirSync(env.NACRE_CONFIG_DIR, { recursive: true });
  if (servers !== undefined) writeFileSync(mcp, servers);
  /** @param {string[]} args */
  const toFirst = async (args) => {
    model.reset();
    const { started } = await runNode(args, env, workspace);
    return model.first() - started;
  };
  const floor = path.join(root, "bench/lib/floor.mjs");
  const runNacre = () => toFirst([nacre, "run", "go"]);
  const runFloor = () => toFirst([floor, workspace, model.url, ...(servers === undefined ? [] : [mcp])]);
  const cold = [];
  for (let i = 0; i < 3; i++) {
    rmSync(env.NACRE_CACHE_DIR, { recursive: true, force: true });
    cold.push(await runNacre());
  }
  await runNacre();
  const held = report(name, await interleave({ floor: runFloor, nacre: runNacre }, rounds()), "ms", {
    ratio: goal,
  });
  console.log(`  cold (no index): ${median(cold).toFixed(1)} ms`);
  await model.stop();
  return held;
}
