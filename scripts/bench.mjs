// npm run bench [-- NAME]: the figures, one program each, beside the floor in the same run.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const folder = path.join(import.meta.dirname, "../bench");
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".mjs"))
  .map((name) => name.slice(0, -4));
const [name, ...args] = process.argv.slice(2);
if (!existsSync(path.join(folder, "../dist/node/cli.cjs"))) {
  console.error("There is no build to measure: npm run build");
  process.exit(2);
}
if (name !== undefined && !names.includes(name)) {
  console.error(`There is no bench ${name}: ${names.join(", ")}`);
  process.exit(2);
}
let failed = false;
for (const one of name === undefined ? names : [name]) {
  console.log(`# ${one}`);
  const { status } = spawnSync(process.execPath, [path.join(folder, `${one}.mjs`), ...args], {
    stdio: "inherit",
  });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
