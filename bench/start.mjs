// Start to the first model request, beside a bare Node loop with the same skills and servers.
// node bench/start.mjs [--rounds N]
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { interleave, median, report, rounds, scratch } from "./lib/measure.mjs";
import { startModel } from "./lib/model.mjs";
import { runNode } from "./lib/run.mjs";
import { environment, nacre, root, writeServers, writeSkills } from "./lib/worlds.mjs";

const floor = path.join(root, "bench/lib/floor.mjs");
const folder = scratch();

/** @param {string} name @param {number} skills @param {number} servers @param {number} goal */
async function figure(name, skills, servers, goal) {
  const workspace = path.join(folder, name.replaceAll(/\W+/g, "-"));
  mkdirSync(workspace);
  writeSkills(workspace, skills);
  const model = await startModel(() => undefined);
  const home = path.join(folder, `${path.basename(workspace)}-home`);
  const env = environment(home, model.url);
  const mcp = path.join(env.NACRE_CONFIG_DIR, "mcp.json");
  mkdirSync(env.NACRE_CONFIG_DIR, { recursive: true });
  if (servers > 0) writeFileSync(mcp, writeServers(workspace, servers));
  /** @param {string[]} args */
  const toFirst = async (args) => {
    model.reset();
    const { started } = await runNode(args, env, workspace);
    return model.first() - started;
  };
  const runNacre = () => toFirst([nacre, "run", "go"]);
  const runFloor = () => toFirst([floor, workspace, model.url, ...(servers > 0 ? [mcp] : [])]);
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
const held = [
  await figure("start, 0 skills", 0, 0, 4),
  await figure("start, 1,000 skills", 1000, 0, 3),
  await figure("start, 5 MCP servers", 0, 5, 3),
];
process.exitCode = held.every(Boolean) ? 0 : 1;
