// Start to the first model request, beside a bare Node loop with the same skills and servers.
// node bench/start.mjs [--rounds N]
import { mkdirSync } from "node:fs";
import path from "node:path";
import { firstRequest } from "./lib/first-request.mjs";
import { scratch } from "./lib/measure.mjs";
import { writeServers, writeSkills } from "./lib/worlds.mjs";

const folder = scratch();

/** @param {string} name @param {number} skills @param {number} servers @param {number} goal */
async function figure(name, skills, servers, goal) {
  const workspace = path.join(folder, name.replaceAll(/\W+/g, "-"));
  mkdirSync(workspace);
  writeSkills(workspace, skills);
  const home = path.join(folder, `${path.basename(workspace)}-home`);
  return firstRequest(name, {
    workspace,
    home,
    goal,
    ...(servers > 0 ? { servers: writeServers(workspace, servers) } : {}),
  });
}
const held = [
  await figure("start, 0 skills", 0, 0, 4),
  await figure("start, 1,000 skills", 1000, 0, 3),
  await figure("start, 5 MCP servers", 0, 5, 3),
];
process.exitCode = held.every(Boolean) ? 0 : 1;
