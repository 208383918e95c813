// What a listing of skills costs at least: node bench/lib/skills-floor.mjs read|stat WORKSPACE. Prints ms, wall and CPU.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { skillsFolder } from "./skill-library.mjs";

const [what, workspace = "."] = process.argv.slice(2);
const root = path.join(workspace, skillsFolder);
const cpu = process.cpuUsage();
const start = performance.now();
let count = 0;
if (what === "stat") {
  for (const name of readdirSync(root)) {
    statSync(`${root}/${name}/SKILL.md`);
    count++;
  }
} else {
  const matter = createRequire(import.meta.url)("gray-matter");
  for (const name of readdirSync(root)) {
    const text = readFileSync(`${root}/${name}/SKILL.md`, "utf8");
    try {
      matter(text, {});
    } catch {
      // One in a hundred is broken on purpose.
    }
    count++;
  }
}
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ wall, cpu: (user + system) / 1000, count }));
